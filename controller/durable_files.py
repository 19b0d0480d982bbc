# SPDX-License-Identifier: MIT
"""What it takes until a file is really on the disk, and to open none that is no file."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from pathlib import Path

PRIVATE = 0o600
PUBLIC = 0o644


def open_regular_file(path: Path, flags: int = os.O_RDONLY) -> int:
    """
    Open a regular file, whoever put it there; return its file descriptor.

    Raises:
        OSError: It cannot be opened so, or something else has this name.
    """
    # Without O_NONBLOCK, opening a pipe would wait for somebody who writes.
    file_fd = os.open(path, flags | os.O_NONBLOCK, PUBLIC)
    if not stat.S_ISREG(os.fstat(file_fd).st_mode):
        os.close(file_fd)
        raise OSError(errno.EINVAL, "Not a regular file", str(path))
    return file_fd


def fsync_folder(folder: Path) -> None:
    """
    Wait until the names in a folder are on the disk; a new file is only there with its name.

    Raises:
        OSError: The folder is not there, or the disk refuses.
    """
    folder_fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder_fd)
    finally:
        os.close(folder_fd)


def atomic_write(path: Path, content: bytes, *, mode: int = PUBLIC) -> None:
    """
    Write a file so that after a power cut it holds either the old content or the new one.

    It stays its owner's, and a new one belongs to whoever owns the folder: what root writes
    for a service must not be closed to that service.

    Args:
        path: The file; its folder must allow new files, since a second one takes its place.
        content: All that it shall hold.
        mode: Who may read and write it.

    Raises:
        OSError: The folder is not there or closed, or the disk refuses.
    """
    new_fd, new = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(new_fd, "wb") as file:
            file.write(content)
            file.flush()
            match_owner(file.fileno(), path if path.exists() else path.parent)
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        os.replace(new, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(new)
        raise
    fsync_folder(path.parent)


def match_owner(file_fd: int, of: Path) -> None:
    """Give an open file to whoever owns another file or folder, where we may."""
    owned = of.stat()
    with contextlib.suppress(PermissionError):
        os.fchown(file_fd, owned.st_uid, owned.st_gid)
