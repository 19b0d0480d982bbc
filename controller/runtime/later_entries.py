# SPDX-License-Identifier: MIT
"""
Entries that other threads want in the journal, for the only thread that writes it.

They are no part of a game, so nobody waits for them. If the disk refuses, they stay for the next
time.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from controller.journal.hashchain import Body, Entry

MOST_WAITING = 100
"""A disk that refuses for hours must not fill the memory."""


class LaterEntries:
    """
    Entries that wait; any thread may add one.

    Args:
        append: Writes an entry; called by the thread that calls `write`.
    """

    def __init__(self, append: Callable[[str, Body], Entry]) -> None:
        self._append = append
        self._lock = threading.Lock()
        self._waiting: deque[tuple[str, Body]] = deque()

    def add(self, kind: str, body: Body) -> None:
        """Add an entry, unless far too many wait."""
        with self._lock:
            if len(self._waiting) < MOST_WAITING:
                self._waiting.append((kind, body))

    def write(self) -> None:
        """Write what waits, as far as the disk allows."""
        while self._waiting:
            try:
                self._append(*self._waiting[0])
            except OSError:
                return
            with self._lock:
                self._waiting.popleft()
