# SPDX-License-Identifier: MIT
"""
The wall clock of an event, which does not jump while a roll is open.

A machine without a network gets the right time late, and its clock jumps, perhaps by hours. A roll
would be over at once for everybody, or open for as long. So time goes on as it did until the roll
is closed, and only then follows the wall clock.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from controller.base.logs import log_event, logger
from controller.journal.journal import wall_clock_ms
from hardware.clock import Clock, MonotonicClock

JUMP_MS = 2000
_LOG = logger("tournament")


class SteadyClock:
    """
    Milliseconds since 1970; any thread may ask.

    Args:
        wall_ms: The wall clock, which may jump.
        clock: A monotonic one.
    """

    def __init__(
        self, wall_ms: Callable[[], int] = wall_clock_ms, clock: Clock | None = None
    ) -> None:
        self._wall_ms = wall_ms
        self._clock = clock or MonotonicClock()
        self._offset_ms = self._find_offset_ms()

    def now_ms(self) -> int:
        """Return the time, which goes on steadily between two calls of `follow`."""
        return round(1000 * self._clock.now_s()) + self._offset_ms

    def follow(self) -> None:
        """Set the time to that of the wall clock; nothing may rest on the old time."""
        offset_ms = self._find_offset_ms()
        jump_ms = offset_ms - self._offset_ms
        self._offset_ms = offset_ms
        if abs(jump_ms) > JUMP_MS:
            log_event(_LOG, logging.WARNING, "the clock has jumped", seconds=jump_ms / 1000)

    def _find_offset_ms(self) -> int:
        return self._wall_ms() - round(1000 * self._clock.now_s())
