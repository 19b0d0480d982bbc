# SPDX-License-Identifier: MIT
"""Write files that survive a power cut, and read only regular files of a limited size."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from controller.base.errors import InputError, refuse_os_errors
from controller.base.strict_json import parse_json

Opener: TypeAlias = Callable[[str, int], int]
UNFINISHED = ".part"  # How the name of a file ends until it is complete.

PRIVATE = 0o600
PRIVATE_FOLDER = 0o700
PUBLIC = 0o644
BAD_JSON = (
    *(OSError, ValueError, RecursionError),
    *(TypeError, LookupError, AttributeError, ArithmeticError),
)
"""The errors of `read_json`, and of taking from its answer what a damaged file does not have."""
_MOST_JSON_BYTES = 16 << 20  # More than any file of JSON in a data folder has.


def open_regular_file(path: Path, flags: int = os.O_RDONLY) -> int:
    """Open a regular file and return its file descriptor; OSError for anything else."""
    # Without O_NONBLOCK, opening a pipe would wait for a writer.
    file_fd = os.open(path, flags | os.O_NONBLOCK, PUBLIC)
    if not stat.S_ISREG(os.fstat(file_fd).st_mode):
        os.close(file_fd)
        raise OSError(errno.EINVAL, "Not a regular file", str(path))
    return file_fd


def read_regular_file(path: Path, most_bytes: int) -> bytes:
    """Return a regular file that may come from anyone; OSError if larger than `most_bytes`."""
    with open(open_regular_file(path), "rb") as file:
        # Not by the size of the file alone: it may grow, and those in `/proc` have none.
        content = file.read(most_bytes + 1)
    if content is None:
        # Some in `/proc` look regular and wait like a pipe.
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN), str(path))
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return content


def create_data_folder(folder: Path) -> None:
    """Create a data folder that only its owner may enter, unless it is there; or OSError."""
    folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)


def tighten(path: Path, mode: int = PRIVATE) -> None:
    """Remove the permissions of a file beyond `mode`, if it is there and this process may."""
    with contextlib.suppress(FileNotFoundError, PermissionError):
        found = stat.S_IMODE(path.stat().st_mode)
        if found & ~mode:
            path.chmod(found & mode)


def open_private(path: str, flags: int) -> int:
    """Open a file for `open`; a new one can be read by its owner alone."""
    return os.open(path, flags, PRIVATE)


def read_json(path: Path) -> Any:
    """Return the JSON of a file in a data folder; `BAD_JSON` for whatever else became of it."""
    return parse_json(read_regular_file(path, _MOST_JSON_BYTES))


def is_full_disk(error: BaseException | None) -> bool:
    """Return whether an error says that a disk, a quota or a limit of files is full."""
    full = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    return isinstance(error, OSError) and error.errno in full


def fsync_folder(folder: Path) -> None:
    """Wait until a folder's names are on the disk, as a new file needs; OSError if refused."""
    folder_fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder_fd)
    finally:
        os.close(folder_fd)


def atomic_write(path: Path, content: bytes, *, mode: int = PUBLIC) -> None:
    """
    Replace a file so that after a power cut it holds the old content or the new one.

    It keeps its owner, and a new one belongs to the owner of the folder: a service must be able
    to read what root writes for it. OSError if the folder cannot be written, or the disk
    refuses.
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


def write_json(path: Path, value: object, *, mode: int = PUBLIC) -> None:
    """Replace a file by a value as JSON; the rest is as `atomic_write` does it."""
    atomic_write(path, f"{json.dumps(value, indent=1)}\n".encode(), mode=mode)


@contextmanager
def create_file(path: Path, expected: str, opener: Opener | None = None) -> Iterator[BinaryIO]:
    """
    Give a new file to write, which is complete or missing, whatever the block raises.

    Args:
        expected: What the disk must have, such as "room for the backup".

    Raises:
        InputError: The file exists, or the disk refuses.
    """
    if path.exists():
        raise InputError(expected="the name of a new file", found="one", where=str(path))
    part = path.with_name(f".{path.name}{UNFINISHED}")
    try:
        with refuse_os_errors(expected, path):
            part.unlink(missing_ok=True)
            with open(part, "xb", opener=opener) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
            fsync_folder(path.parent)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def match_owner(file: int | Path, of: Path) -> None:
    """Give an open file or a folder the owner of another one, if this process may."""
    owned = of.stat()
    with contextlib.suppress(PermissionError):
        os.chown(file, owned.st_uid, owned.st_gid)
