# SPDX-License-Identifier: MIT
"""
Hand the key of the box's own screen to the kiosk, by a file that no other account can read.

A browser's address does not prove that it is the box's own screen: a proxy on the box has the
same address and may send no header that reveals it. The kiosk's script reads the file and passes
the key to its browser. Under systemd the file is in the service's runtime folder, for the
service's group; otherwise it is in the data folder, for its owner.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

from controller.base.durable_files import PRIVATE, atomic_write, is_full_disk
from controller.base.errors import InputError
from controller.runtime.event_loop import LoopObserver

FILE_NAME = "kiosk.key"
FOR_GROUP = 0o640


class BoxKeyFile(LoopObserver):
    """The file of the key, in systemd's `RUNTIME_DIRECTORY`; on a full disk it is written later."""

    def __init__(self, data: Path, environment: Mapping[str, str]) -> None:
        runtime = environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
        self._path = Path(runtime or data) / FILE_NAME
        self._mode = FOR_GROUP if runtime else PRIVATE
        self._owed: bytes | None = None

    def write(self, key: str) -> None:
        """Write `AccessControl.box_key`; InputError if the disk refuses, but not for its room."""
        content = f"{key}\n".encode()
        try:
            self._write(content)
        except OSError as error:
            if not is_full_disk(error) and self._path.parent.exists():
                expected, found = "room for the kiosk's key", error.strerror or str(error)
                raise InputError(expected=expected, found=found, where=str(self._path)) from error
            self._owed = content

    def on_idle(self) -> None:
        if self._owed is not None:
            with contextlib.suppress(OSError):
                self._write(self._owed)
                self._owed = None

    def _write(self, content: bytes) -> None:
        # A restart on a full disk finds the same key there and needs no room.
        if not self._path.is_file() or self._path.read_bytes() != content:
            atomic_write(self._path, content, mode=self._mode)
