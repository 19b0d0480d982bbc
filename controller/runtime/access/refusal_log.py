# SPDX-License-Identifier: MIT
"""Log what the pages refuse: each refusal once, and a flood of them only in part."""

from __future__ import annotations

import logging

from controller.base.logs import log_event
from controller.runtime.access.request_rate import RateLimit, RequestRate
from hardware.clock import MonotonicClock

LOG_RATE = RateLimit(burst=100, per_s=1)  # Refused pages that get a line in the log.
MOST_NAMES = 100  # Foreign names that do.
LONGEST_FIELD = 80
_SERVER_ERROR = 500


class RefusalLog:
    """The refusals of one server; may be used from any thread."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._rate = RequestRate(MonotonicClock(), LOG_RATE)
        self._names: set[str] = set()

    def note_page(self, *, status: int, host: str, path: str, client: str) -> None:
        """Log a refused page; a server's own failure has its traceback in the log already."""
        if status == _SERVER_ERROR or self._rate.wait_s(""):
            return
        where = {"host": host[:LONGEST_FIELD], "path": path[:LONGEST_FIELD], "client": client}
        log_event(self._log, logging.INFO, "a page was refused", status=status, **where)

    def note_name(self, *, host: str, client: str) -> None:
        """Log that a program asked by a foreign name: the first time only, it may ask for ever."""
        name = host[:LONGEST_FIELD]
        if name in self._names or len(self._names) >= MOST_NAMES:
            return
        self._names.add(name)
        log_event(self._log, logging.INFO, "a foreign name was refused", host=name, client=client)
