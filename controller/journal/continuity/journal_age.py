# SPDX-License-Identifier: MIT
"""
How much time has passed in a journal, whatever its clock was set to.

Wall clocks are set: by hand, by the network, by an empty battery. So a running table compares
its clock with a monotonic one and journals each jump as a `clock` entry. Only the wall clock
knows the time off; up to a month of it counts, and a longer gap counts as nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from controller.journal.entries import ROLLS, STARTS
from controller.journal.hashchain import Entry

CLOCK = "clock"  # The kind of the entries about a clock that was set while the table ran.
LEAST_JUMP_MS = 60_000  # Smaller steps are the network's corrections.
MOST_GAP_MS = 30 * 86_400_000
"""After a longer gap, the table was unused or its clock is wrong; it is unclear which."""


def uptime_s() -> float:
    """Return the seconds of a clock that cannot be set and also counts while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class ClockWatch:
    """Compares the wall clock, in milliseconds, with a monotonic one, in seconds."""

    def __init__(self, now_ms: Callable[[], int], now_s: Callable[[], float] = uptime_s) -> None:
        self._now_ms, self._now_s = now_ms, now_s
        self.reset()

    def reset(self) -> None:
        """Measure from now on."""
        self._since_ms, self._since_s = self._now_ms(), self._now_s()

    def measure_jump(self) -> int:
        """Return by how many milliseconds the clock was set since the reset; 0 for small steps."""
        passed_ms = round((self._now_s() - self._since_s) * 1000)
        jump_ms = self._now_ms() - self._since_ms - passed_ms
        return jump_ms if abs(jump_ms) >= LEAST_JUMP_MS else 0


class JournalAge:
    """The time that has passed since the first entry, in milliseconds; it never goes back."""

    def __init__(self) -> None:
        self.passed_ms = 0
        self._before_ms: int | None = None
        self._is_starting = False
        # Time off that a clock showed only after the start; the next start confirms it.
        self._unconfirmed_ms = 0

    def add_entry(self, entry: Entry) -> None:
        gap_ms = 0 if self._before_ms is None else entry.at_ms - self._before_ms
        self._before_ms = entry.at_ms
        if entry.kind == CLOCK:
            jump_ms = entry.body.get("jump_ms")
            gap_ms -= jump_ms if isinstance(jump_ms, int) else gap_ms
            self._add_jump(jump_ms if isinstance(jump_ms, int) else 0)
        elif gap_ms < 0:
            self._unconfirmed_ms = 0
        if entry.kind in STARTS:
            self.passed_ms += self._unconfirmed_ms
            self._unconfirmed_ms = 0
            self._is_starting = True
        elif entry.kind in ROLLS:
            self._is_starting = False
        self.passed_ms += _limit_gap(gap_ms)

    def _add_jump(self, jump_ms: int) -> None:
        """Add a jump: soon after a start it corrects the time off; later it adds no time."""
        if jump_ms < 0:
            self._unconfirmed_ms = 0
        elif self._is_starting:
            self._unconfirmed_ms = _limit_gap(self._unconfirmed_ms + jump_ms)


def _limit_gap(gap_ms: int) -> int:
    return gap_ms if 0 <= gap_ms <= MOST_GAP_MS else 0
