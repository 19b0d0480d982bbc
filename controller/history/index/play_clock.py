# SPDX-License-Identifier: MIT
"""
How long a game was played, and how long each turn took, from the times of its entries.

Time counts while players can play: not in a pause or a fault, not while the game is parked or
the table is off. A change of the clock that the journal names is taken out. A turn is everything
that a player does from one fresh roll to the next. Its time is the wait for their rolls, and the
time from a roll to each of their choices; so all who choose from one roll may think at once.
"""

from __future__ import annotations

from controller.games.contract import GameState
from controller.journal.hashchain import Entry

_BEGINNINGS = {"pause": "pause", "review": "review", "parked": "parked", "closed": "closed"}
_ENDINGS = {"resume": "pause", "reviewed": "review"}
_PLAY = frozenset({"roll", "action", "counted", "continued"})
"""Kinds of entries that only a table in play writes."""


class PlayClock:
    """The clock of one game, driven by its entries."""

    def __init__(self, at_ms: int) -> None:
        self.played_ms = 0
        # Each turn's seat and its time in milliseconds, in order.
        self.turns: dict[tuple[int, int], int] = {}
        self._last_ms = at_ms
        self._stops: set[str] = set()
        self._number = 0
        self._roller = -1
        self._has_round_ended = True
        self._rolled_ms = 0
        self._acted_ms = 0
        self._own_ms: dict[int, int] = {}

    def advance(self, entry: Entry) -> None:
        """Add the time up to this entry; it also begins or ends an interruption."""
        passed_ms, self._last_ms = entry.at_ms - self._last_ms, entry.at_ms
        if entry.kind == "clock":
            jump_ms = entry.body.get("jump_ms")
            passed_ms -= jump_ms if isinstance(jump_ms, int) else 0
        if entry.kind == "restart":
            # It ends a pause, a review and a fault; how long the table was off is unknown.
            self._stops &= {"parked", "closed"}
        elif not self._stops:
            self.played_ms += max(0, passed_ms)
        if entry.kind in _PLAY:
            self._stops.clear()
        elif entry.kind in _BEGINNINGS:
            self._stops.add(_BEGINNINGS[entry.kind])
        elif entry.kind in ("fault", "back"):
            device = f"fault {entry.body.get('device')}"
            self._stops.add(device) if entry.kind == "fault" else self._stops.discard(device)
        else:
            self._stops.discard(_ENDINGS.get(entry.kind, ""))

    def add_roll(self, seat: int, before: GameState, held: str) -> None:
        """Count a roll of this seat, from the position before it and with the hold in its entry."""
        is_again = seat == self._roller and not self._has_round_ended
        is_again = is_again and bool(held or seat in self._own_ms)
        if not before.faces and not is_again:
            self._number += 1
            self._roller, self._has_round_ended = seat, False
        self._add_time(seat, self.played_ms - self._acted_ms)
        self._rolled_ms = self._acted_ms = self.played_ms
        self._own_ms.clear()

    def add_action(self, seat: int) -> None:
        since_ms = self._own_ms.get(seat, self._rolled_ms)
        self._add_time(seat, self.played_ms - since_ms)
        self._own_ms[seat] = self._acted_ms = self.played_ms

    def note_progress(self, before: GameState, after: GameState) -> None:
        """Note whether a round ended between two positions."""
        self._has_round_ended = self._has_round_ended or after.has_round_ended(before)

    def _add_time(self, seat: int, ms: int) -> None:
        turn = (self._number, seat)
        self.turns[turn] = self.turns.get(turn, 0) + ms
