# SPDX-License-Identifier: MIT
"""Begin the demonstration after some minutes without a press or a motion."""

from __future__ import annotations

from collections.abc import Callable

from controller.base.settings import Settings
from controller.runtime.event_loop import LoopObserver
from controller.table.events import Event, ScreenIdled
from controller.table.state import Phase, TableState
from hardware.clock import Clock

SECONDS_PER_MINUTE = 60


class IdleTimer(LoopObserver):
    """
    Follows the table's loop; everything that happens at the table starts the time again.

    Args:
        clock: A monotonic one.
        settings: Of the table; `change` replaces them.
    """

    def __init__(self, clock: Clock, settings: Settings) -> None:
        self.settings = settings
        self._clock = clock
        self._send: Callable[[Event], None] = lambda event: None
        self._is_awake_in_lobby = False
        self._since_s = clock.now_s()

    def connect(self, send: Callable[[Event], None]) -> None:
        """Send the ends of the time there from now on."""
        self._send = send

    def change(self, settings: Settings) -> None:
        """Use other settings from now on."""
        self.settings = settings

    def on_event(self, event: Event) -> None:
        """Start the time again."""
        self._since_s = self._clock.now_s()

    def on_state(self, state: TableState) -> None:
        """Note whether the screen may become idle."""
        self._is_awake_in_lobby = state.phase is Phase.LOBBY and not state.is_idle

    def on_idle(self) -> None:
        """End the time; a table that must show something else refuses, and is asked again later."""
        limit_s = self.settings.idle.minutes * SECONDS_PER_MINUTE
        if limit_s and self._is_awake_in_lobby and self._clock.now_s() - self._since_s >= limit_s:
            self._since_s = self._clock.now_s()
            self._send(ScreenIdled())
