# SPDX-License-Identifier: MIT
"""
Provide time as a parameter, so that no other code reads the machine's clock.

The wall clock may show anything: an empty battery, a wrong answer of the network, a joke. Python's
own `time.time` raises an error after the year 2262, in the middle of any library, and a thread that
ends there stops the table. So a program reads the clock here, and lets libraries read it here.
"""

from __future__ import annotations

import threading
import time
from typing import Protocol

FIRST_YEAR, LAST_YEAR = 2025, 2099  # Years that a clock may show; any other is wrong.
_LATEST_S = 253_402_214_400.0  # The last day of the year 9999: libraries can write no later date.


def read_wall_clock_s() -> float:
    """Return seconds since 1970 in UTC, from 1970 to 9999 whatever the clock shows."""
    return min(max(time.clock_gettime(time.CLOCK_REALTIME), 0.0), _LATEST_S)


def find_wrong_year() -> int | None:
    """Return the year that the wall clock shows if it cannot be right."""
    year = time.gmtime(read_wall_clock_s()).tm_year
    return None if FIRST_YEAR <= year <= LAST_YEAR else year


def let_libraries_read_any_clock() -> None:
    """Replace `time.time` and `time.time_ns`; call it before libraries are imported."""
    time.time = read_wall_clock_s
    time.time_ns = lambda: int(read_wall_clock_s() * 1e9)


class Clock(Protocol):
    """A monotonic clock with a wait."""

    def now_s(self) -> float:
        """Return seconds since a fixed moment; never decreasing."""

    def wait_s(self, seconds: float) -> None:
        """Wait; zero or less returns at once."""


class MonotonicClock:
    def now_s(self) -> float:
        return time.monotonic()

    def wait_s(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)


class SteppedClock:
    """A clock that advances only by waits, which take no real time."""

    def __init__(self, start_s: float = 0.0) -> None:
        self._now_s = start_s
        self._lock = threading.Lock()

    def now_s(self) -> float:
        """Return the sum of all waits."""
        with self._lock:
            return self._now_s

    def wait_s(self, seconds: float) -> None:
        """Advance at once."""
        with self._lock:
            self._now_s += max(0.0, seconds)
