# SPDX-License-Identifier: MIT
"""The disk of a running table: its journal, the pictures of its rolls, and their retention."""

from __future__ import annotations

from dataclasses import dataclass

from controller.journal.checkpoint import Checkpoint
from controller.journal.hashchain import Body, Entry
from controller.journal.picture_store import PictureStore
from controller.journal.retention import PictureRetention
from controller.journal.writer import JournalWriter
from controller.runtime.recent_pictures import RecentPictures


@dataclass(frozen=True, slots=True)
class DiskStorage:
    """
    Implements `TableStorage`.

    Attributes:
        writer: Writes the entries.
        retention: Deletes old pictures.
        pictures: The pictures on the disk.
        recent: The pictures in memory.
    """

    writer: JournalWriter
    retention: PictureRetention
    pictures: PictureStore
    recent: RecentPictures

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
