# SPDX-License-Identifier: MIT
"""
One thread that writes: it takes the requests that wait and commits them together.

An answer comes after the commit, so it is durable. Small requests go before large ones, so that
tables that were away for hours do not delay the others. If the database is away, every request
gets an error at once, and the thread tries to open the database again.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from controller.base.errors import RefusedError
from controller.tournament.server.store.transaction import GroupTransaction

MOST_GROUP_BYTES = 1_000_000
"""Lines that one transaction takes, so that no answer waits for very many."""
MOST_GROUP_JOBS = 500
GROUP_GAP_S = 0.05
"""
From one group to the next at least, so that what comes meanwhile shares a commit. A commit costs
as much as three choices, and people do not notice so short a wait.
"""
LIVE_BYTES = 16_000  # A request of at most this size is that of a table that keeps up.


@dataclass(eq=False, slots=True)
class WriteJob:
    """Work for the thread that writes."""

    # Does the work in a transaction; a `RefusedError` concerns this job alone.
    run: Callable[[GroupTransaction], Any]
    size_bytes: int = 0  # The lines that it brings.
    # The journal that it changes; empty for none. A group has one job of each journal of a table,
    # so that a job sees the lines of the one before.
    table: str = ""
    future: Future[Any] = field(default_factory=Future)

    def do(self, transaction: GroupTransaction) -> Callable[[], None]:
        """Do the work, and return what answers after the commit."""
        try:
            result = self.run(transaction)
        except RefusedError as error:
            return partial(self.future.set_exception, error)
        return partial(self.future.set_result, result)


class JobQueue:
    """Jobs that wait, small ones first; any thread may add one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._live: deque[WriteJob] = deque()
        self._bulk: deque[WriteJob] = deque()
        self.is_closed = False
        self._is_woken = False
        self._next_s = 0.0

    def add(self, job: WriteJob) -> bool:
        """Add a job; return false if the queue is closed."""
        with self._changed:
            if self.is_closed:
                return False
            (self._live if job.size_bytes <= LIVE_BYTES else self._bulk).append(job)
            self._changed.notify()
            return True

    def take_group(self, timeout_s: float) -> list[WriteJob]:
        """Return the next jobs, a large one too if any waits; none after a timeout or `wake`."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._live or self._bulk or self.is_closed or self._is_woken, timeout_s
            )
            self._is_woken = False
        time.sleep(max(0.0, self._next_s - time.monotonic()))
        self._next_s = time.monotonic() + GROUP_GAP_S
        with self._changed:
            group: list[WriteJob] = []
            tables: set[str] = set()
            size = self._move(self._live, group, tables, 0)
            if size < MOST_GROUP_BYTES or not group:
                self._move(self._bulk, group, tables, size)
            return group

    def wake(self) -> None:
        """End a wait for jobs."""
        with self._changed:
            self._is_woken = True
            self._changed.notify()

    def take_all(self) -> list[WriteJob]:
        with self._changed:
            waiting = [*self._live, *self._bulk]
            self._live.clear()
            self._bulk.clear()
            return waiting

    def close(self) -> None:
        """Take no further jobs; those that wait stay."""
        with self._changed:
            self.is_closed = True
            self._changed.notify_all()

    def __len__(self) -> int:
        return len(self._live) + len(self._bulk)

    def _move(
        self, waiting: deque[WriteJob], group: list[WriteJob], tables: set[str], size: int
    ) -> int:
        """Move jobs to a group until it is full; return its size."""
        later = []
        while waiting and len(group) < MOST_GROUP_JOBS and size < MOST_GROUP_BYTES:
            job = waiting.popleft()
            if job.table and job.table in tables:
                later.append(job)
                continue
            tables.add(job.table)
            group.append(job)
            size += job.size_bytes
        waiting.extendleft(reversed(later))
        return size
