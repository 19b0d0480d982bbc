# SPDX-License-Identifier: MIT
"""
Choice by Sid Sackson: one roll of five dice serves everybody at the table.

The roller's dice are evaluated by all players who are still in the game, in any
order, each on a sheet of their own. When all have, the bell passes clockwise to the
next player still in the game. A face with eight marks ends its player's game at once;
the others play on until their own end.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from controller.dice import Roll, parse_roll, roll_text
from controller.errors import IllegalActionError, InputError
from controller.games.choice_notation import DICE_COUNT, choices_of
from controller.games.choice_sheet import Sheet
from controller.games.contract import (
    ActionEvent,
    Expects,
    GameEvent,
    Json,
    OptionRule,
    Options,
    Outcome,
    RollEvent,
    require_players,
)


@dataclass(frozen=True, slots=True)
class ChoiceState:
    """
    A position of Choice.

    Attributes:
        players: The names in clockwise order.
        sheets: Their sheets, in the same order.
        roller: Index of the player who rolled last, or who is to roll while `faces` is empty.
        faces: The roll on the table, smallest face first; empty while a roll is waited for.
        acted: Who has evaluated that roll, in the order in which they did.
    """

    players: tuple[str, ...]
    sheets: tuple[Sheet, ...]
    roller: int = 0
    faces: Roll = ()
    acted: tuple[str, ...] = ()

    @property
    def options(self) -> Options:
        """Every option with the value that this game is played with."""
        return {"jokers": False}

    def sheet_of(self, player: str) -> Sheet:
        """Return a player's sheet as a value, for whoever shows it."""
        return self.sheets[self.players.index(player)]

    def is_finished(self, player: str) -> bool:
        """Tell whether this player has a face with eight marks."""
        return self.sheet_of(player).is_finished

    def expects(self) -> Expects:
        """Return everything that is legal now."""
        if self.faces:
            return Expects(do={name: self.legal_actions(name) for name in self._waiting()})
        return Expects(roll=self._rollers())

    def legal_actions(self, player: str) -> tuple[str, ...]:
        """Return this player's choices, smallest totals first; none if it is not on them."""
        sheet = self.sheet_of(player)
        if not self.faces or player in self.acted or sheet.is_finished:
            return ()
        allowed = sheet.allowed_fifth(self.faces)
        offered = choices_of(self.faces).items()
        return tuple(text for text, choice in offered if choice.fifth in allowed)

    def dice_of(self, player: str) -> tuple[str, ...]:
        """Return the dice that this player evaluates."""
        return tuple(roll_text(self.faces)) if self.legal_actions(player) else ()

    def staying(self, player: str) -> tuple[str, ...]:
        """Return no dice: every roll is thrown whole."""
        return ()

    def set_to(self, player: str) -> tuple[str, ...]:
        """Return no dice: nobody waits for any."""
        return ()

    def keeping(self, player: str, kept: Sequence[str]) -> str | None:
        """Return none: no die is kept for another throw."""
        return None

    def apply(self, event: GameEvent) -> ChoiceState:
        """
        Return the position after the event; this one stays as it is.

        Raises:
            IllegalActionError: Not this player, not now, or not this.
        """
        if isinstance(event, RollEvent):
            return self._after_roll(event)
        return self._after_choice(event)

    def totals(self) -> dict[str, int]:
        """Return each player's result as it would count now."""
        return {
            name: sheet.score().total for name, sheet in zip(self.players, self.sheets, strict=True)
        }

    def outcome(self) -> Outcome | None:
        """
        Return who won, once everybody's game is over.

        The highest result wins, even a negative one, and equal results share the win; all
        others lose. Alone there is nobody to beat: a negative result is a defeat, so the
        player stands among the losers then, and among the winners otherwise.
        """
        if not all(sheet.is_finished for sheet in self.sheets):
            return None
        totals = self.totals()
        best = max(totals.values())
        if len(totals) == 1 and best < 0:
            return Outcome(winners=(), losers=self.players)
        return Outcome(
            winners=tuple(name for name in self.players if totals[name] == best),
            losers=tuple(name for name in self.players if totals[name] < best),
        )

    def sheet(self, player: str) -> dict[str, Json]:
        """Return one player's sheet in full, as a replayed record prints it."""
        sheet = self.sheet_of(player)
        return {
            "sums": {str(total): marks for total, marks in enumerate(sheet.marks, start=2)},
            "fifth": {str(row.face): row.marks for row in sheet.fifth},
            "jokers": [],
        }

    def _after_roll(self, event: RollEvent) -> ChoiceState:
        if event.by not in self.expects().roll:
            raise self._refusal(event)
        try:
            faces = parse_roll(event.roll, count=DICE_COUNT)
        except InputError as error:
            raise self._refusal(event, expected=(error.expected,)) from error
        return replace(self, faces=faces)

    def _after_choice(self, event: ActionEvent) -> ChoiceState:
        if event.by not in self._waiting():
            raise self._refusal(event)
        seat = self.players.index(event.by)
        sheet = self.sheets[seat]
        choice = choices_of(self.faces).get(event.action)
        if choice is None or choice.fifth not in sheet.allowed_fifth(self.faces):
            raise self._refusal(event, expected=self.legal_actions(event.by))
        sheets = (*self.sheets[:seat], sheet.marked(choice), *self.sheets[seat + 1 :])
        after = replace(self, sheets=sheets, acted=(*self.acted, event.by))
        return after if after._waiting() else after._passed_on()

    def _passed_on(self) -> ChoiceState:
        """Return the position in which the next player still in the game is to roll."""
        seats = (*self._clockwise(), self.roller)[1:]
        playing = (seat for seat in seats if not self.sheets[seat].is_finished)
        return replace(self, roller=next(playing, self.roller), faces=(), acted=())

    def _rollers(self) -> tuple[str, ...]:
        if self.faces or self.sheets[self.roller].is_finished:
            return ()
        return (self.players[self.roller],)

    def _waiting(self) -> tuple[str, ...]:
        """Return who has still to evaluate the roll on the table, clockwise from the roller."""
        if not self.faces:
            return ()
        seats = (seat for seat in self._clockwise() if not self.sheets[seat].is_finished)
        return tuple(self.players[seat] for seat in seats if self.players[seat] not in self.acted)

    def _clockwise(self) -> tuple[int, ...]:
        count = len(self.players)
        return tuple((self.roller + step) % count for step in range(count))

    def _refusal(self, event: GameEvent, expected: Sequence[str] = ()) -> IllegalActionError:
        rolls = [f"a roll by {name}" for name in self._rollers()]
        acts = [f"an action by {name}" for name in self._waiting()]
        if self.faces:
            position = f"choice, roll {roll_text(self.faces)}"
        else:
            position = "choice, before a roll" if rolls else "choice, finished"
        action = f"roll {event.roll}" if isinstance(event, RollEvent) else event.action
        return IllegalActionError(
            player=event.by, action=action, expected=expected or (*rolls, *acts), state=position
        )


class ChoiceGame:
    """Choice by the booklet. Solo play is allowed, and no number of players is too many."""

    key = "choice"
    title = "Choice"
    options: Mapping[str, OptionRule] = {"jokers": OptionRule("Jokers", (False, True), False)}
    players_range: tuple[int, int | None] = (1, None)
    polarities = ("",) * DICE_COUNT

    def start(self, players: Sequence[str], options: Options) -> ChoiceState:
        """
        Return the position before the first roll, which is the first player's.

        Raises:
            InputError: The names are empty or not unique, there are none, an option is unknown,
                or jokers are asked for.
        """
        fewest, most = self.players_range
        names = require_players(players, fewest=fewest, most=most)
        for option, value in options.items():
            if option != "jokers":
                raise InputError(expected="no option but jokers", found=repr(option))
            if value is not False:
                raise InputError(
                    expected="false (jokers are not supported in this version)",
                    found=json.dumps(value),
                    where="jokers",
                )
        return ChoiceState(names, (Sheet(),) * len(names))

    def die_text(self, face: int, polarity: str) -> str:
        """Write one die as it stands in a roll; its colour means nothing here."""
        return str(face)

    def parse_roll(self, text: str) -> tuple[str, ...]:
        """
        Read a roll from its text: its dice, smallest face first.

        Raises:
            InputError: The text is not five digits from 1 to 6.
        """
        return tuple(roll_text(parse_roll(text, count=DICE_COUNT)))

    def roll_text(self, faces: Sequence[int], polarities: Sequence[str]) -> str:
        """Write dice as read in the record's text form; the colour of a die means nothing here."""
        return roll_text(faces)


CHOICE = ChoiceGame()
