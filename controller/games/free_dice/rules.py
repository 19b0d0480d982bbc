# SPDX-License-Identifier: MIT
"""
Just dice: who throws how many dice, and nothing else.

The turn goes round with every throw of all dice. If some dice stay as they lie, the throw belongs
to the same player: that is how one keeps dice in other games. The table finds out from the tray
which of the two it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.base.errors import IllegalActionError, InputError
from controller.base.languages.message import message
from controller.games.contract import (
    COUNT,
    JOIN,
    ActionEvent,
    Expects,
    GameEvent,
    GameOutcome,
    GameState,
    Json,
    Options,
    RollEvent,
    require_players,
)
from controller.games.dice import FACES, Roll, parse_roll, roll_text
from controller.games.free_dice.notation import AGAIN, COUNTS, END, THROW, count_text, parse_count
from controller.games.free_dice.tally import FaceTally, PastRoll

ROUND_ROLLS = 10  # So many rolls are a round, after which the table signs what it has written.


@dataclass(frozen=True, slots=True)
class FreeDiceState:
    players: tuple[str, ...]  # The names in clockwise order.
    tallies: tuple[FaceTally, ...]  # What each of them has thrown, in the same order.
    dice_count: int  # The dice of a full throw.
    dice_at_start: int  # The same at the start, which is its option.
    seat: int = 0  # Whose throw it is; once the dice lie, who threw them.
    faces: Roll = ()  # The roll to look at; empty while a throw is awaited.
    is_again: bool = False  # Whether the awaited throw, or the roll, leaves some dice as they lay.
    is_ended: bool = False  # Whether somebody has ended it.

    @property
    def options(self) -> Options:
        return {"dice": self.dice_at_start}

    @property
    def acted(self) -> tuple[str, ...]:
        """Nobody: a roll is final as it lies."""
        return ()

    @property
    def rolls(self) -> int:
        return sum(tally.rolls for tally in self.tallies)

    @property
    def next_seat(self) -> int:
        """Who throws all dice next, once a roll lies."""
        return (self.seat + 1) % len(self.players)

    def expects(self) -> Expects:
        if self.is_ended:
            return Expects()
        if not self.faces:
            player = self.players[self.seat]
            counts = self.legal_actions(player)
            return Expects((player,), {player: counts} if counts else {})
        acting = dict.fromkeys((self.players[self.next_seat], self.players[self.seat]))
        return Expects(do={player: self.legal_actions(player) for player in acting})

    def legal_actions(self, player: str) -> tuple[str, ...]:
        seat = self.players.index(player)
        counts = tuple(count_text(count) for count in COUNTS if count != self.dice_count)
        if not self.faces:
            # Dice that stay are part of the awaited throw, so their number is settled.
            is_settled = self.is_ended or self.is_again or seat != self.seat
            return () if is_settled else counts
        if seat not in (self.seat, self.next_seat):
            return ()
        throws = (THROW,) * (seat == self.next_seat)
        stays = (AGAIN,) * (seat == self.seat and self.dice_count > 1)
        return (*throws, *stays, *counts, END)

    def change_count(self, by: int) -> str:
        action = count_text(self.dice_count + by)
        legal = () if self.faces else self.legal_actions(self.players[self.seat])
        return action if action in legal else ""

    def player_dice(self, player: str) -> tuple[str, ...]:
        return tuple(roll_text(self.faces)) if self.legal_actions(player) else ()

    def dice_to_leave(self, player: str) -> tuple[str, ...]:
        """Return none: which dice stay is up to the players."""
        self.players.index(player)
        return ()

    def required_dice(self, player: str) -> tuple[str, ...]:
        """Return none: no die is set by hand."""
        self.players.index(player)
        return ()

    def hold_action(self, player: str, kept: Sequence[str]) -> str | None:
        """Return the throw of all dice; for other throws see `name_throw`."""
        return THROW if self.players.index(player) == self.next_seat and not kept else None

    def name_throw(self, stayed: int) -> str:
        return AGAIN if stayed else THROW

    def apply(self, event: GameEvent) -> FreeDiceState:
        if isinstance(event, RollEvent):
            return self._after_roll(event)
        return self._after_action(event)

    def has_round_ended(self, before: GameState) -> bool:
        """Return whether ten rolls more are full."""
        was = before.rolls if isinstance(before, FreeDiceState) else 0
        return self.rolls // ROUND_ROLLS > was // ROUND_ROLLS

    def is_finished(self, player: str) -> bool:
        self.players.index(player)
        return self.is_ended

    def totals(self) -> dict[str, int]:
        """Return the sum of each player's latest roll; 0 before it."""
        return {name: sum(tally.last) for name, tally in self._seats()}

    def outcome(self) -> GameOutcome | None:
        """Return an end without winners, once somebody has ended it."""
        return GameOutcome(winners=()) if self.is_ended else None

    def sheet(self, player: str) -> dict[str, Json]:
        tally = self.tallies[self.players.index(player)]
        counts = {str(face): count for face, count in zip(FACES, tally.counts, strict=True)}
        return {"rolls": tally.rolls, "last": roll_text(tally.last), "faces": counts}

    def _seats(self) -> tuple[tuple[str, FaceTally], ...]:
        return tuple(zip(self.players, self.tallies, strict=True))

    def _after_roll(self, event: RollEvent) -> FreeDiceState:
        if event.by not in self.expects().roll:
            raise self._refusal(event)
        try:
            faces = parse_roll(event.roll, count=self.dice_count)
        except InputError as error:
            wanted = message("a roll of {count} dice", count=self.dice_count)
            raise self._refusal(event, (wanted,)) from error
        mine = self.tallies[self.seat].with_roll(PastRoll(self.rolls + 1, faces, self.is_again))
        tallies = (*self.tallies[: self.seat], mine, *self.tallies[self.seat + 1 :])
        return replace(self, tallies=tallies, faces=faces)

    def _after_action(self, event: ActionEvent) -> FreeDiceState:
        is_player = event.by in self.players
        if event.action == (COUNT if is_player else JOIN) and not self.is_ended:
            if is_player:
                return replace(self, faces=(), is_ended=True)
            players = require_players((*self.players, event.by), fewest=1, most=None)
            return replace(self, players=players, tallies=(*self.tallies, FaceTally()))
        legal = self.expects().do.get(event.by, ())
        if event.action not in legal:
            raise self._refusal(event, legal)
        if not self.faces:
            return replace(self, dice_count=parse_count(event.action))
        if event.action == END:
            return replace(self, faces=(), is_ended=True)
        if event.action == AGAIN:
            return replace(self, faces=(), is_again=True)
        after = replace(self, seat=self.next_seat, faces=(), is_again=False)
        if event.action == THROW:
            return after
        return replace(after, dice_count=parse_count(event.action))

    def _refusal(self, event: GameEvent, expected: Sequence[str] = ()) -> IllegalActionError:
        action = f"roll {event.roll}" if isinstance(event, RollEvent) else event.action
        return IllegalActionError(
            player=event.by,
            action=action,
            expected=tuple(expected) or self._list_expected(),
            state=f"dice, roll {self.rolls + 1}",
        )

    def _list_expected(self) -> tuple[str, ...]:
        expects = self.expects()
        rolls = (f"a roll by {player}" for player in expects.roll)
        return (*rolls, *(f"an action by {player}" for player in expects.do))
