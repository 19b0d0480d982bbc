# SPDX-License-Identifier: MIT
"""The disk of a running table: its journal, the pictures of its rolls, and their retention."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from controller.journal.checkpoint import Checkpoint
from controller.journal.hashchain import Body, Entry
from controller.journal.picture_store import PictureStore
from controller.journal.retention import PictureRetention
from controller.journal.writer import JournalWriter
from controller.runtime.picture_recorder import RecentPictures

MOST_WAITING = 100  # A disk that refuses for hours must not fill the memory.


@dataclass(frozen=True, slots=True)
class DiskStorage:
    """Implements `TableStorage`."""

    writer: JournalWriter  # Writes the entries.
    retention: PictureRetention  # Deletes old pictures.
    pictures: PictureStore  # The pictures on the disk.
    recent: RecentPictures  # The pictures in memory.

    def append(self, kind: str, body: Body) -> Entry:
        return self.writer.append(kind, body)

    def checkpoint(self) -> Checkpoint:
        return self.writer.checkpoint()

    def keep_picture(self, digest: str) -> None:
        self.recent.store(digest, self.pictures)

    def free_space(self) -> bool:
        return self.retention.make_room()

    def check_free_space(self) -> None:
        self.pictures.check_free_space()


class LaterEntries:
    """
    Entries of other threads for the journal, outside any game; kept while the disk refuses.

    Any thread may add one; `append` is called by the thread that calls `write`.
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
