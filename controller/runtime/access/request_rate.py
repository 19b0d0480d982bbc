# SPDX-License-Identifier: MIT
"""Limit how often a client may ask: a bucket of free requests that fills again steadily."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from controller.base.logs import Log
from hardware.clock import Clock, MonotonicClock

MOST_CLIENTS = 1000
"""
The clients that are remembered if nothing else is said. The one that asked longest ago is forgotten
first, and may then ask as if it had never asked.
"""


@dataclass(frozen=True, slots=True)
class RateLimit:
    """How often a client may ask."""

    burst: int  # Requests at once, after a pause.
    per_s: float  # Requests a second for ever.


class RequestRate:
    """Counts the requests of clients by a monotonic clock; may be used from any thread."""

    def __init__(self, clock: Clock, limit: RateLimit, most_clients: int = MOST_CLIENTS) -> None:
        self._clock = clock
        self._limit = limit
        self._most_clients = most_clients
        self._lock = threading.Lock()
        self._buckets: dict[str, tuple[float, float]] = {}

    def wait_s(self, client: str) -> float:
        """Count a request; return 0, or how long this client must wait if it is refused."""
        now_s = self._clock.now_s()
        with self._lock:
            left, since_s = self._buckets.pop(client, (float(self._limit.burst), now_s))
            left = min(self._limit.burst, left + (now_s - since_s) * self._limit.per_s)
            wait_s = max(0.0, (1.0 - left) / self._limit.per_s)
            self._buckets[client] = (left - 1.0 if not wait_s else left, now_s)
            while len(self._buckets) > self._most_clients:
                del self._buckets[next(iter(self._buckets))]
        return wait_s


LOG_RATE = RateLimit(burst=100, per_s=1)  # Refused pages that get a line in the log.
MOST_NAMES = 100  # Foreign names that do.
LONGEST_FIELD = 80
_SERVER_ERROR = 500


class RefusalLog:
    """The refusals of one server; may be used from any thread."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._rate = RequestRate(MonotonicClock(), LOG_RATE)
        self._names: set[str] = set()

    def note_page(self, *, status: int, host: str, path: str, client: str) -> None:
        """Log a refused page; a server's own failure has its traceback in the log already."""
        if status == _SERVER_ERROR or self._rate.wait_s(""):
            return
        where = {"host": host[:LONGEST_FIELD], "path": path[:LONGEST_FIELD], "client": client}
        self._log.info("a page was refused", status=status, **where)

    def note_name(self, *, host: str, client: str) -> None:
        """Log that a program asked by a foreign name: the first time only, it may ask for ever."""
        name = host[:LONGEST_FIELD]
        if name in self._names or len(self._names) >= MOST_NAMES:
            return
        self._names.add(name)
        self._log.info("a foreign name was refused", host=name, client=client)
