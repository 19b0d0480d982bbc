# SPDX-License-Identifier: MIT
"""The standings of a running event as files, made once for all who ask."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from controller.base.packed_file import PackedFile
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.state.state import EventState

ViewT = TypeVar("ViewT")


class LiveFile(Generic[ViewT]):
    """One file, which is made again only after the event has changed; for any thread."""

    def __init__(
        self,
        runner: EventRunner,
        read: Callable[[EventState], ViewT],
        pack: Callable[[ViewT], PackedFile],
    ) -> None:
        self._runner = runner
        self._read = read
        self._pack = pack
        self._lock = threading.Lock()
        self._revision = -1
        self._file: PackedFile | None = None

    def find(self) -> PackedFile:
        with self._lock:
            revision = self._runner.revisions.shared
            if self._file is None or revision != self._revision:
                self._file = self._pack(self._runner.read(self._read))
                self._revision = revision
            return self._file
