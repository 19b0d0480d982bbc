# SPDX-License-Identifier: MIT
"""Hide the result of a round after a while."""

from __future__ import annotations

from collections.abc import Callable

from controller.runtime.event_loop import LoopObserver
from controller.table.choosing import find_ended_round
from controller.table.events import Event, RoundSeen
from controller.table.state import TableState
from hardware.clock import Clock


class RoundTimer(LoopObserver):
    """Follows the loop: a result stays `shown_s`, again after a restart; 0 until a confirm."""

    def __init__(self, clock: Clock, shown_s: float) -> None:
        self._clock = clock
        self._shown_s = shown_s
        self._send: Callable[[Event], None] = lambda event: None
        self._number = 0
        self._since_s = 0.0

    def connect(self, send: Callable[[Event], None]) -> None:
        """Send the ends there from now on."""
        self._send = send

    def on_state(self, state: TableState) -> None:
        ended = find_ended_round(state)
        number = ended["number"] if ended else 0
        if number != self._number:
            self._number, self._since_s = number, self._clock.now_s()

    def on_idle(self) -> None:
        if self._number and 0 < self._shown_s <= self._clock.now_s() - self._since_s:
            self._send(RoundSeen(self._number))
