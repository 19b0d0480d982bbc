# SPDX-License-Identifier: MIT
"""Simulate a panel: calls from any thread press its buttons."""

from __future__ import annotations

import queue
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from hardware.clock import Clock
from hardware.panel import HELD_APART, Button, Freed, Hold, PanelEvent, Press, Stuck


class SimulatedPanel:
    """Four simulated buttons and lamps."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._events: queue.SimpleQueue[PanelEvent | None] = queue.SimpleQueue()
        self.lit: frozenset[Button] = frozenset()
        self._down: frozenset[Button] = frozenset()

    def press(self, button: Button) -> None:
        self._events.put(Press(button, self._clock.now_s()))

    def hold(self, button: Button) -> None:
        """Press a button and keep it down for the hold time."""
        if button not in HELD_APART:
            self.press(button)
        self._events.put(Hold(button, self._clock.now_s()))

    def stick(self, button: Button) -> None:
        """Make a button stuck, as if something leaned on it."""
        self._down |= {button}
        self._events.put(Stuck(button, self._clock.now_s()))

    def free(self, button: Button) -> None:
        self._down -= {button}
        self._events.put(Freed(button, self._clock.now_s()))

    def event(self, timeout_s: float) -> PanelEvent | None:
        try:
            return self._events.get(timeout=max(timeout_s, 0.0))
        except queue.Empty:
            return None

    def buttons(self) -> Mapping[Button, bool]:
        return {button: button in self._down for button in Button}

    def lamps(self) -> frozenset[Button]:
        return frozenset(Button)

    def show_lamps(self, lit: AbstractSet[Button]) -> None:
        self.lit = frozenset(lit)

    def close(self) -> None:
        self.lit = frozenset()
        self._events.put(None)
