# SPDX-License-Identifier: MIT
"""Provide time as a parameter, so that no other code reads the machine's clock."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class Clock(Protocol):
    """A monotonic clock with a wait."""

    def now_s(self) -> float:
        """Return seconds since a fixed moment; never decreasing."""
        ...

    def wait_s(self, seconds: float) -> None:
        """Wait; zero or less returns at once."""
        ...


class MonotonicClock:
    """The machine's own clock."""

    def now_s(self) -> float:
        """Return seconds since a fixed moment; never decreasing."""
        return time.monotonic()

    def wait_s(self, seconds: float) -> None:
        """Wait; zero or less returns at once."""
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
