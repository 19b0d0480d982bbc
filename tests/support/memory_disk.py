# SPDX-License-Identifier: MIT
"""The storage of a table in memory, which can be full."""

from __future__ import annotations

import errno
from dataclasses import dataclass, field

from controller.journal.checkpoint import Checkpoint
from controller.journal.hashchain import Body, Entry, build_next_entry
from controller.runtime.event_loop import LoopObserver
from controller.table.view.types import Snapshot


@dataclass
class Disk(LoopObserver):
    """
    A disk in memory that can be full; it notes what was written, and in which order.

    Attributes:
        room: For how much it has room; none for any.
        has_room_for_a_roll: Whether it has as much as the next roll takes.
        old_pictures: How many may be deleted, each as large as one more entry.
    """

    is_full: bool = False
    room: int | None = None
    has_room_for_a_roll: bool = True
    old_pictures: int = 0
    written: list[str] = field(default_factory=list)
    last: Entry | None = None
    signed: int = 0
    shown: list[Snapshot] = field(default_factory=list)

    def append(self, kind: str, body: Body) -> Entry:
        self._write(kind)
        self.last = build_next_entry(self.last, at_ms=0, kind=kind, body=body)
        return self.last

    def checkpoint(self) -> Checkpoint:
        self._write("checkpoint")
        self.signed += 1
        return Checkpoint(self.signed, bytes(32), 0, bytes(64))

    def keep_picture(self, digest: str) -> None:
        self._write(f"picture {digest}")

    def free_space(self) -> bool:
        if not self.old_pictures:
            return False
        self.old_pictures -= 1
        self.is_full = False
        self.room = None
        return True

    def check_free_space(self) -> None:
        if self.is_full or not self.has_room_for_a_roll:
            raise OSError(errno.ENOSPC, "No space left on device")

    def on_view(self, view: Snapshot) -> None:
        self.written.append(f"shown {view['phase']}")
        self.shown.append(view)

    def _write(self, what: str) -> None:
        if self.is_full or self.room == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        if self.room is not None:
            self.room -= 1
        self.written.append(what)
