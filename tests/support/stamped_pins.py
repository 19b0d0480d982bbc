# SPDX-License-Identifier: MIT
"""Pins whose edges have the time of a clock, and may be reported late, as the kernel's are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

from hardware.clock import Clock


class StampedPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    def _call_when_changed(self) -> None:
        report = partial(PiPin._call_when_changed, self, self.factory.ticks(), self._state)
        if self.factory.is_busy:
            self.factory.unreported.append(report)
        else:
            report()


class StampedPins(MockFactory):  # type: ignore[misc]
    """Mock pins on a clock; while it `is_busy`, edges wait until they are reported."""

    def __init__(self, clock: Clock, pin_class: type[MockPin] = StampedPin) -> None:
        super().__init__(pin_class=pin_class)
        self.ticks = clock.now_s
        self.is_busy = False
        self.unreported: list[Callable[[], None]] = []

    def report(self, count: int | None = None) -> None:
        """Report edges that had to wait, the first ones or all."""
        for report in self.unreported[:count]:
            report()
        del self.unreported[:count]
