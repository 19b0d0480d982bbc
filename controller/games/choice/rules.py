# SPDX-License-Identifier: MIT
"""
Choice by Sid Sackson: one roll of five dice serves everybody at the table.

All players who are still in the game evaluate the roller's dice, in any order, each on
their own sheet. Then the bell passes clockwise. A face with eight marks ends the game of its
player; the others play on. A joker may bring a player private dice, while the shared roll
stays for all others (`jokers`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from controller.base.errors import IllegalActionError, InputError
from controller.games.choice.jokers import JOKER_POINTS, THREE, Jokers, TripleChoice, list_triples
from controller.games.choice.notation import DICE_COUNT, PairChoice, list_choices
from controller.games.choice.sheet import ChoiceSheet
from controller.games.contract import (
    COUNT,
    ActionEvent,
    Expects,
    GameEvent,
    GameOutcome,
    GameState,
    Json,
    Options,
    RollEvent,
    find_outcome,
)
from controller.games.dice import Roll, parse_roll, roll_text

_T = TypeVar("_T")

_NO_JOKERS = Jokers()


@dataclass(frozen=True, slots=True)
class ChoiceState:
    players: tuple[str, ...]  # The names in clockwise order.
    sheets: tuple[ChoiceSheet, ...]  # Their sheets, in the same order.
    # Index of the player who rolled last, or who is to roll while `faces` is empty.
    roller: int = 0
    # The roll on the table, smallest face first; empty while a roll is waited for.
    faces: Roll = ()
    acted: tuple[str, ...] = ()  # Who has evaluated that roll, in the order in which they did.
    # Everybody's jokers, in the order of the players; empty in a game without them.
    jokers: tuple[Jokers, ...] = ()
    # Whether screens hide choices until everybody has made one; no rule uses it.
    secret: bool = False
    is_counted: bool = False  # Whether the players ended it early: it counts as it stands.

    @property
    def options(self) -> Options:
        """
        Every option with the value that this game is played with.

        `secret` is left out while it is off: no rule uses it, and older records do not have it.
        """
        return {"jokers": bool(self.jokers), **({"secret": True} if self.secret else {})}

    def sheet_of(self, player: str) -> ChoiceSheet:
        return self.sheets[self.players.index(player)]

    def jokers_of(self, player: str) -> tuple[str, ...]:
        """Return the jokers that this player has not used, in the order of `JOKERS`."""
        return self._jokers(self.players.index(player)).unused

    def is_finished(self, player: str) -> bool:
        """Return whether this player has a face with eight marks, or the game has ended early."""
        return self.sheet_of(player).is_finished or self.is_counted

    def expects(self) -> Expects:
        return _list_expected(self)

    def legal_actions(self, player: str) -> tuple[str, ...]:
        """Return what this player may do: pairs by total, then 3:1s, then what changes dice."""
        seat = self.players.index(player)
        if player not in self._actors():
            return ()
        return (*self._list_choices(seat), *self._jokers(seat).changes(self._dice(seat)))

    def count_choices(self, player: str) -> dict[str, int]:
        """Return what `apply` and `totals` give, without a position for each choice."""
        seat = self.players.index(player)
        if player not in self._actors():
            return {}
        sheet, jokers = self.sheets[seat], self._jokers(seat)
        return {
            text: sheet.mark(choice).total + JOKER_POINTS * len(jokers.after_choice(choice).unused)
            for text, choice in self._list_choices(seat).items()
        }

    def player_dice(self, player: str) -> tuple[str, ...]:
        seat = self.players.index(player)
        return tuple(roll_text(self._dice(seat))) if player in self._actors() else ()

    def dice_to_leave(self, player: str) -> tuple[str, ...]:
        """Return no dice: every roll is thrown whole, or set by hand."""
        # Raises ValueError for an unknown name, as the contract says.
        self.players.index(player)
        return ()

    def required_dice(self, player: str) -> tuple[str, ...]:
        return tuple(roll_text(self._jokers(self.players.index(player)).required_dice))

    def hold_action(self, player: str, kept: Sequence[str]) -> str | None:
        """Return None: no die is kept for another throw."""
        self.players.index(player)
        return None

    def has_round_ended(self, before: GameState) -> bool:
        if not isinstance(before, ChoiceState):
            return False
        return bool(before.faces) and not self.faces and self.roller <= before.roller

    def apply(self, event: GameEvent) -> ChoiceState:
        if isinstance(event, RollEvent):
            return self._after_roll(event)
        return self._after_action(event)

    def totals(self) -> dict[str, int]:
        return {
            name: sheet.total + JOKER_POINTS * len(self._jokers(seat).unused)
            for seat, (name, sheet) in enumerate(zip(self.players, self.sheets, strict=True))
        }

    def outcome(self) -> GameOutcome | None:
        """
        Return who won, once everybody's game is over.

        The highest result wins, even a negative one, and equal results share the win; all
        others lose. A player alone loses with a negative result, and wins otherwise.
        """
        if not all(map(self.is_finished, self.players)):
            return None
        totals = self.totals()
        if len(totals) == 1 and max(totals.values()) < 0:
            return GameOutcome(winners=(), losers=self.players)
        return find_outcome(totals)

    def sheet(self, player: str) -> dict[str, Json]:
        sheet = self.sheet_of(player)
        return {
            "sums": {str(total): marks for total, marks in enumerate(sheet.marks, start=2)},
            "fifth": {str(row.face): row.marks for row in sheet.fifth},
            "jokers": list(self.jokers_of(player)),
        }

    def _after_roll(self, event: RollEvent) -> ChoiceState:
        if event.by not in self._rollers():
            raise self._refusal(event)
        try:
            roll = parse_roll(event.roll, count=DICE_COUNT)
        except InputError as error:
            raise self._refusal(event, expected=(error.expected,)) from error
        if not self.faces:
            return replace(self, faces=roll)
        seat = self.players.index(event.by)
        jokers = self._jokers(seat)
        if jokers.required_dice and roll != jokers.required_dice:
            raise self._refusal(event, expected=(self._roll_wanted(event.by),))
        return replace(self, jokers=_replace_at(self.jokers, seat, jokers.after_roll(roll)))

    def _after_action(self, event: ActionEvent) -> ChoiceState:
        if event.action == COUNT and event.by in self.players and self.outcome() is None:
            return replace(self, faces=(), acted=(), is_counted=True)
        if event.by not in self._actors():
            raise self._refusal(event)
        seat = self.players.index(event.by)
        choice = self._choice(seat, event.action)
        if choice is not None:
            return self._after_choice(seat, choice)
        changed = self._jokers(seat).after_change(event.action, self._dice(seat))
        if changed is None:
            raise self._refusal(event, expected=self.legal_actions(event.by))
        return replace(self, jokers=_replace_at(self.jokers, seat, changed))

    def _list_choices(self, seat: int) -> dict[str, PairChoice | TripleChoice]:
        """Return what a player may mark with their dice, by its text."""
        dice = self._dice(seat)
        allowed = self.sheets[seat].allowed_fifth(dice)
        offered: dict[str, PairChoice | TripleChoice] = {**list_choices(dice)}
        if THREE in self._jokers(seat).unused:
            offered |= list_triples(dice)
        return {text: choice for text, choice in offered.items() if choice.fifth in allowed}

    def _choice(self, seat: int, action: str) -> PairChoice | TripleChoice | None:
        dice = self._dice(seat)
        choice: PairChoice | TripleChoice | None = list_choices(dice).get(action)
        if choice is None and THREE in self._jokers(seat).unused:
            choice = list_triples(dice).get(action)
        if choice is None or choice.fifth not in self.sheets[seat].allowed_fifth(dice):
            return None
        return choice

    def _after_choice(self, seat: int, choice: PairChoice | TripleChoice) -> ChoiceState:
        jokers = self.jokers
        if jokers:
            jokers = _replace_at(jokers, seat, jokers[seat].after_choice(choice))
        sheets = _replace_at(self.sheets, seat, self.sheets[seat].mark(choice))
        acted = (*self.acted, self.players[seat])
        if len(self._pending()) > 1:
            return replace(self, sheets=sheets, acted=acted, jokers=jokers)
        # The next player still in the game is to roll.
        seats = (*self._clockwise()[1:], self.roller)
        roller = next((seat for seat in seats if not sheets[seat].is_finished), self.roller)
        return replace(self, sheets=sheets, roller=roller, faces=(), acted=(), jokers=jokers)

    def _jokers(self, seat: int) -> Jokers:
        return self.jokers[seat] if self.jokers else _NO_JOKERS

    def _dice(self, seat: int) -> Roll:
        return self._jokers(seat).dice or self.faces

    def _rollers(self) -> tuple[str, ...]:
        """Return who may roll: the roller, or all who wait for dice of their own."""
        if not self.faces:
            roller = self.players[self.roller]
            return () if self.is_finished(roller) else (roller,)
        waiting = (seat for seat in self._pending() if self._jokers(seat).is_waiting)
        return tuple(self.players[seat] for seat in waiting)

    def _actors(self) -> tuple[str, ...]:
        """Return who may act: all who have dice that they have not evaluated."""
        ready = (seat for seat in self._pending() if not self._jokers(seat).is_waiting)
        return tuple(self.players[seat] for seat in ready)

    def _pending(self) -> tuple[int, ...]:
        """Return the seats that have still to evaluate their dice, clockwise from the roller."""
        if not self.faces:
            return ()
        return tuple(
            seat
            for seat in self._clockwise()
            if self.players[seat] not in self.acted and not self.sheets[seat].is_finished
        )

    def _clockwise(self) -> tuple[int, ...]:
        count = len(self.players)
        return (*range(self.roller, count), *range(self.roller))

    def _roll_wanted(self, player: str) -> str:
        wanted = self.required_dice(player)
        return f"a roll by {player}" + (f" showing {''.join(wanted)}" if wanted else "")

    def _refusal(self, event: GameEvent, expected: Sequence[str] = ()) -> IllegalActionError:
        rolls = [self._roll_wanted(name) for name in self._rollers()]
        acts = [f"an action by {name}" for name in self._actors()]
        action = f"roll {event.roll}" if isinstance(event, RollEvent) else event.action
        return IllegalActionError(
            player=event.by,
            action=action,
            expected=expected or (*rolls, *acts),
            state=self._describe(event.by),
        )

    def _describe(self, player: str) -> str:
        """Return this player's dice in a few words; the name may be unknown."""
        if not self.faces:
            return "choice, before a roll" if self._rollers() else "choice, finished"
        own = self._jokers(self.players.index(player)).dice if player in self.players else ()
        shared = f"choice, roll {roll_text(self.faces)}"
        return f"{shared}, own dice {roll_text(own)}" if own else shared


@lru_cache(maxsize=64)
def _list_expected(state: ChoiceState) -> Expects:
    """Return what a position expects; the views of all phones ask it many times at once."""
    actors = state._actors()
    return Expects(state._rollers(), {name: state.legal_actions(name) for name in actors})


def _replace_at(values: tuple[_T, ...], index: int, value: _T) -> tuple[_T, ...]:
    return (*values[:index], value, *values[index + 1 :])
