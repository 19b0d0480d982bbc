# SPDX-License-Identifier: MIT
"""
Answer requests in as many threads as are busy, up to a limit.

Each stream keeps a thread for the whole evening, so a port needs many threads when many phones are
there, and few otherwise. Waitress alone starts all of them at once.
"""

from __future__ import annotations

import threading
import time

from waitress.channel import HTTPChannel
from waitress.task import ThreadedTaskDispatcher

LEAST_THREADS = 4
IDLE_S = 60.0


class GrowingDispatcher(ThreadedTaskDispatcher):
    """A pool that starts a thread, up to `most`, when none is idle, and ends it after `idle_s`."""

    def __init__(self, most: int, *, idle_s: float = IDLE_S) -> None:
        super().__init__()
        self._most = most
        self._idle_s = idle_s
        self._sizing = threading.Lock()  # Held to change the number of threads.
        self._needed = 0
        self._shrunk_s = time.monotonic()
        self._is_closing = False
        self.set_thread_count(min(LEAST_THREADS, most))

    def add_task(self, task: HTTPChannel) -> None:
        with self._sizing:
            with self.lock:
                self.queue.append(task)
                self.queue_cv.notify()
                needed = min(self._count_needed(), self._most)
                running = len(self.threads) - self.stop_count
            self._needed = max(self._needed, needed)
            if needed > running and not self._is_closing:
                self.set_thread_count(needed)

    def shrink(self) -> None:
        """End the threads that were not needed lately; call it now and then."""
        now_s = time.monotonic()
        if now_s < self._shrunk_s + self._idle_s:
            return
        self._shrunk_s = now_s
        with self._sizing:
            with self.lock:
                needed, running = self._count_needed(), len(self.threads) - self.stop_count
            lately, self._needed = max(self._needed, needed), needed
            self.set_thread_count(min(running, max(lately, LEAST_THREADS)))

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5.0) -> bool:
        with self._sizing:
            self._is_closing = True
        return bool(super().shutdown(cancel_pending, timeout))

    def _count_needed(self) -> int:
        """Return the number of busy threads and of waiting tasks; `lock` must be held."""
        return int(self.active_count) + len(self.queue)
