# SPDX-License-Identifier: MIT
"""
A backup as it is made, for a browser that takes it away.

It goes through a pipe and lies nowhere: a card that is nearly full, the very time for a
backup, has no room for another copy. A browser that goes away closes the pipe, and that
ends the making too.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from controller.app.backup.making import write_backup
from controller.errors import InputError

CHUNK_BYTES = 256 * 1024


def backup_bytes(
    data: Path, config: Path | None, *, now: datetime, with_pictures: bool
) -> Iterator[bytes]:
    """
    Yield the bytes of a backup while it is made; the table may run on.

    Args:
        data: The data folder.
        config: The settings file; none where there is none.
        now: When it is made.
        with_pictures: Whether the pictures of the rolls go along.

    Raises:
        InputError: It could not be made whole, which shows in the middle of it.
    """
    source_fd, target_fd = os.pipe()
    failed: list[Exception] = []

    def make() -> None:
        try:
            with open(target_fd, "wb") as target:
                write_backup(target, data, config, now=now, with_pictures=with_pictures)
        except (OSError, InputError) as error:
            failed.append(error)

    thread = threading.Thread(target=make, name="backup", daemon=True)
    thread.start()
    try:
        with open(source_fd, "rb", buffering=0) as source:
            while chunk := source.read(CHUNK_BYTES):
                yield chunk
    finally:
        thread.join()
    if failed:
        found = str(failed[0])
        raise InputError(expected="a whole backup", found=found, where=str(data)) from failed[0]
