# SPDX-License-Identifier: MIT
"""
One game of a duplicate event: the sheets of the whole field, roll by roll.

Each step costs only the players that it concerns, so a field of hundreds follows a live table.
A ruling plays the game again from the choices that were made, through the same steps; so a
recomputed result is the result of a replay.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from contextlib import suppress

from controller.base.errors import IllegalActionError
from controller.games.contract import GameState, Options
from controller.tournament.entries.fields import Source
from controller.tournament.state.duplicate import solo
from controller.tournament.state.duplicate.roll import (
    Actions,
    FieldRoll,
    PlayedChoice,
    ReserveRoll,
)


class DuplicateGame:
    """
    A game that the field plays; `controller.tournament.state.game_steps` has checked each step.

    Args:
        number: Counts the games of the event from 1.
        box: The table whose rolls are played.
        since: The first line of its journal whose rolls count.
        players: Who may play it, in a play-off; None for everybody.
    """

    def __init__(
        self,
        number: int,
        game: str,
        options: Options,
        *,
        box: str = "",
        since: int = 0,
        players: frozenset[int] | None = None,
    ) -> None:
        self.number = number
        self.box = box
        self.since = since
        self.players = players
        self.rolls: list[FieldRoll] = []  # All rolls so far, annulled ones too.
        # The position of each player after the last closed roll.
        self.sheets: dict[int, GameState] = {}
        self.totals: dict[int, int] = {}  # What each sheet counts now.
        self.is_open = True
        self._start = solo.start_sheet(game, options)
        self._curves: dict[int, array[int]] = {}
        self._after: dict[int, GameState] = {}
        self._dealt: dict[int, GameState] = {}
        # How many rolls players with a sheet had played before the first one that they missed.
        self.missed: dict[int, int] = {}
        self.counted = 0  # How many rolls are closed and count.

    @property
    def open_roll(self) -> FieldRoll | None:
        """The roll that takes choices; None between rolls."""
        last = self.rolls[-1] if self.rolls else None
        return last if last and last.is_open else None

    def sheet_of(self, player: int) -> GameState:
        """Return a player's position after the last closed roll."""
        return self.sheets.get(player, self._start)

    def total_after(self, player: int, rolls: int) -> int | None:
        """Return the total after a number of rolls that count; None before the first own one."""
        totals = self._curves.get(player, array("i"))
        index = len(totals) - self.counted + rolls - 1
        return totals[index] if index >= 0 else None

    def count_own(self) -> dict[int, int]:
        """Return how many choices that count each player made, and not the clock."""
        own: dict[int, int] = {}
        for roll in self.rolls:
            if not roll.is_open and not roll.is_annulled:
                for player, choice in roll.played.items():
                    own[player] = own.get(player, 0) + (not choice.is_automatic)
        return dict(sorted(own.items()))

    def is_playing(self, player: int, roll: FieldRoll) -> bool:
        """Return whether a roll asks this player for a choice."""
        return player in roll.present and not solo.is_finished(self.sheet_of(player))

    def list_awaited(self) -> tuple[int, ...]:
        """Return who has still to choose from the open roll."""
        roll = self.open_roll
        if roll is None:
            return ()
        return tuple(sorted(roll.awaiting))

    def has_missed(self, player: int) -> bool:
        """Return whether the player was not there for a roll that counts, before their end."""
        return player in self.missed or (player not in self.sheets and self.counted > 0)

    def needs_roll(self, present: Iterable[int]) -> bool:
        """
        Return whether the game goes on after the last roll.

        It goes on for those who played all of its rolls. If none of them is left, neither
        present nor finished, it goes on for everybody who is present.
        """
        here = [player for player in present if self.players is None or player in self.players]
        waiting = {player for player in here if not solo.is_finished(self.sheet_of(player))}
        whole = {player for player in {*here, *self.sheets} if not self.has_missed(player)}
        if any(solo.is_finished(self.sheet_of(player)) for player in whole) or whole & waiting:
            return bool(whole & waiting)
        return bool(waiting)

    def open(self, faces: str, source: Source, until_ms: int, present: frozenset[int]) -> None:
        here = present if self.players is None else present & self.players
        number = len(self.rolls) + 1
        roll = FieldRoll(number, faces, faces, source, until_ms, here)
        roll.awaiting = {player for player in here if self.is_playing(player, roll)}
        self.rolls.append(roll)
        self._after, self._dealt = {}, {}

    def deal(self, player: int) -> GameState:
        """
        Return a player's position with the dice of the open roll.

        After a Terminator it has the dice of the reserve roll, or waits for them.
        """
        if player not in self._dealt:
            roll = self.rolls[-1]
            self._dealt[player] = self._deal(self.sheet_of(player), roll, player)
        return self._dealt[player]

    def try_choice(self, player: int, do: Actions) -> GameState:
        """Return the position after a choice from the open roll, or IllegalActionError."""
        return solo.play_actions(self.deal(player), do)

    def choose(self, player: int, do: Actions) -> None:
        """Record a choice from the open roll; IllegalActionError if it is not legal."""
        self._after[player] = self.try_choice(player, do)
        roll = self.rolls[-1]
        roll.choices[player] = do
        roll.awaiting.discard(player)

    def ask_reserve(self, player: int) -> None:
        """Record that a player plays the Terminator; IllegalActionError if they have none."""
        self._dealt[player] = solo.ask_reserve(self.deal(player))
        self.rolls[-1].asked.add(player)

    def open_reserve(self, faces: str, source: Source, until_ms: int) -> None:
        roll = self.rolls[-1]
        roll.reserve = ReserveRoll(faces, faces, source, until_ms)
        for player in roll.asked:
            self._dealt.pop(player, None)

    def close_roll(self) -> None:
        """Close the open roll; who has not chosen gets the first legal choice."""
        roll = self.rolls[-1]
        roll.is_open = False
        self._count(roll, self._after)
        self._after, self._dealt = {}, {}

    def change_faces(self, number: int, faces: str, until_ms: int, *, is_reserve: bool) -> None:
        """Give a roll, or its reserve roll, other faces, by a ruling."""
        roll = self.rolls[number - 1]
        if is_reserve:
            assert roll.reserve is not None, "the ruling was checked"
            roll.reserve.faces = faces
            affected = {*roll.asked}
        else:
            roll.faces = faces
            affected = set(roll.present)
        if roll.is_open:
            self._reopen(roll, affected, until_ms, is_reserve=is_reserve)
        else:
            self._replay()

    def annul(self, number: int) -> None:
        roll = self.rolls[number - 1]
        roll.was_open = roll.is_open
        roll.is_annulled, roll.is_open = True, False
        roll.played = {}
        self._replay()

    def restore(self, number: int, until_ms: int) -> None:
        """Let an annulled roll count again; one that was open takes choices until `until_ms`."""
        roll = self.rolls[number - 1]
        roll.is_annulled, roll.is_open = False, roll.was_open
        if roll.is_open:
            roll.until_ms = until_ms
            if roll.reserve:
                roll.reserve.until_ms = until_ms
        self._replay()

    def _reopen(
        self, roll: FieldRoll, affected: set[int], until_ms: int, *, is_reserve: bool
    ) -> None:
        for player in affected:
            if roll.choices.pop(player, None) is not None:
                roll.awaiting.add(player)
            self._after.pop(player, None)
            self._dealt.pop(player, None)
        if is_reserve:
            assert roll.reserve is not None
            roll.reserve.until_ms = until_ms
        else:
            roll.until_ms = until_ms

    def _replay(self) -> None:
        """Play all closed rolls again, and check the choices from the open one."""
        self.sheets, self.totals, self._curves = {}, {}, {}
        self._after, self._dealt = {}, {}
        self.missed, self.counted = {}, 0
        for roll in self.rolls:
            if not roll.is_open and not roll.is_annulled:
                roll.played = {}
                self._count(roll, {})
        if self.open_roll is not None:
            self._repeat_choices(self.open_roll)

    def _repeat_choices(self, roll: FieldRoll) -> None:
        """Choose again from the open roll as before; what is not legal any more is void."""
        made, asked = dict(roll.choices), set(roll.asked)
        roll.choices, roll.asked = {}, set()
        roll.awaiting = {player for player in roll.present if self.is_playing(player, roll)}
        for player in sorted({*made, *asked}):
            if not self.is_playing(player, roll):
                continue
            with suppress(IllegalActionError):
                if player in asked:
                    self.ask_reserve(player)
                    if roll.reserve:
                        self._dealt.pop(player)
                if player in made:
                    self.choose(player, made[player])

    def _count(self, roll: FieldRoll, known: Mapping[int, GameState]) -> None:
        """Mark a closed roll on all sheets; `known` are positions that choices led to already."""
        self._note_missing(roll)
        for player in sorted(roll.present):
            sheet = self.sheet_of(player)
            if not solo.is_finished(sheet):
                made = roll.choices.get(player, ())
                after = known.get(player)
                do = made
                if after is None:
                    do, after = self._replay_choice(sheet, roll, player, made)
                roll.played[player] = _remember_choice(do, made)
                self.sheets[player] = after
                self.totals[player] = solo.count_total(after)
        for player, total in self.totals.items():
            self._curves.setdefault(player, array("i")).append(total)
        self.counted += 1

    def _note_missing(self, roll: FieldRoll) -> None:
        for player, sheet in self.sheets.items():
            if player not in roll.present and not solo.is_finished(sheet):
                self.missed.setdefault(player, self.counted)
        if self.counted:
            for player in roll.present - self.sheets.keys():
                self.missed[player] = 0

    def _replay_choice(
        self, sheet: GameState, roll: FieldRoll, player: int, made: Actions
    ) -> tuple[Actions, GameState]:
        dealt = self._deal(sheet, roll, player)
        if solo.is_waiting(dealt):
            # The reserve roll never came, so the joker is given back.
            dealt = solo.give_roll(sheet, roll.faces)
        if made:
            try:
                return made, solo.play_actions(dealt, made)
            except IllegalActionError:
                pass
        first = solo.find_first_choice(dealt)
        return first, solo.play_actions(dealt, first)

    def _deal(self, sheet: GameState, roll: FieldRoll, player: int) -> GameState:
        dealt = solo.give_roll(sheet, roll.faces)
        if player not in roll.asked:
            return dealt
        try:
            waiting = solo.ask_reserve(dealt)
        except IllegalActionError:
            # Only in a replay: another roll counts as the one on which the joker was used.
            return dealt
        return solo.give_roll(waiting, roll.reserve.faces) if roll.reserve else waiting


_CHOICES: dict[tuple[Actions, Actions], PlayedChoice] = {}


def _remember_choice(do: Actions, made: Actions) -> PlayedChoice:
    """Return one value for equal choices: thousands of players choose from a few."""
    key = (do, made)
    return _CHOICES.setdefault(key, PlayedChoice(do, made))
