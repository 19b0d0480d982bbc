# SPDX-License-Identifier: MIT
"""End a request for dice without an answer, and clear an answer that was shown long enough."""

from __future__ import annotations

from collections.abc import Callable

from controller.runtime.event_loop import LoopObserver
from controller.table.events import DiceRequested, Event, RequestEnded
from controller.table.state import TableState
from hardware.clock import Clock

SHOWN_S = 15.0  # How long an answer stays on the screens.


class RequestTimer(LoopObserver):
    """Ends each request for dice after its time, which begins again with the table."""

    def __init__(self, clock: Clock, limit_s: float) -> None:
        self._clock = clock
        self._limit_s = limit_s
        self._send: Callable[[Event], None] = lambda event: None
        self._request: DiceRequested | None = None
        self._since_s = 0.0

    def connect(self, send: Callable[[Event], None]) -> None:
        """Send the ends of requests there from now on."""
        self._send = send

    def on_state(self, state: TableState) -> None:
        """Start the time when a request comes, and again when it is answered."""
        if state.play.request is not self._request:
            self._request, self._since_s = state.play.request, self._clock.now_s()

    def on_idle(self) -> None:
        """End what has had its time; a table with a fault refuses, and is asked again."""
        if self._request is None:
            return
        passed_s = self._clock.now_s() - self._since_s
        if self._request.is_answered and passed_s >= SHOWN_S:
            self._send(RequestEnded("answered"))
        elif not self._request.is_answered and passed_s >= self._limit_s:
            self._send(RequestEnded("expired"))
