# SPDX-License-Identifier: MIT
"""Time as a part that is passed in, so that nothing else asks the machine what time it is."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class Clock(Protocol):
    """A monotonic clock that one can wait on."""

    def now_s(self) -> float:
        """Seconds since some fixed moment; never runs backwards."""
        ...

    def wait_s(self, seconds: float) -> None:
        """Let this many seconds pass; zero or less returns at once."""
        ...


class MonotonicClock:
    """The machine's own clock."""

    def now_s(self) -> float:
        """Seconds since some fixed moment; never runs backwards."""
        return time.monotonic()

    def wait_s(self, seconds: float) -> None:
        """Let this many seconds pass; zero or less returns at once."""
        if seconds > 0:
            time.sleep(seconds)


class SteppedClock:
    """A clock that stands still until somebody waits on it: waiting costs no time."""

    def __init__(self, start_s: float = 0.0) -> None:
        self._now_s = start_s
        self._lock = threading.Lock()

    def now_s(self) -> float:
        """Seconds that were waited for so far."""
        with self._lock:
            return self._now_s

    def wait_s(self, seconds: float) -> None:
        """Move on by this many seconds at once."""
        with self._lock:
            self._now_s += max(0.0, seconds)
