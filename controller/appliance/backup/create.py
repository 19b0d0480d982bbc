# SPDX-License-Identifier: MIT
"""
Write a backup, also while the table runs.

Journals only grow, and a picture is on the disk before the entry that names it. So journals are
copied first, up to the last complete line, and pictures afterwards. All other files are replaced
atomically, so an open one does not change.
"""

from __future__ import annotations

import hashlib
import os
import stat
import threading
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, BinaryIO

from controller.appliance.backup.archive import (
    DATA_PREFIX,
    MANIFEST_NAME,
    ArchivedFile,
    Manifest,
    manifest_text,
)
from controller.appliance.backup.data_files import SETTINGS_NAME, is_archived
from controller.base.durable_files import create_file, open_private
from controller.base.errors import InputError
from controller.base.version import program_version
from controller.journal.picture_store import PICTURES_FOLDER
from controller.journal.signing_key import PRIVATE_FILE, TableKey

JOURNALS = ".jsonl"
PACKED_ALREADY = frozenset({".jpg", ".jpeg", ".png", ".avi", ".zip"})
CHUNK_BYTES = 1024 * 1024
PIPE_CHUNK_BYTES = 256 * 1024
LARGE_BYTES = 2**30
SECRET_KEYS = ("password_file", "key_file", "cert_file")
"""Keys of [mqtt] that name files which a lost backup must not reveal."""


@dataclass(frozen=True, slots=True)
class BackupSummary:
    """The number of files in a backup, and their bytes."""

    files: int
    bytes: int


def make_backup(
    data: Path, config: Path | None, target: Path, *, now: datetime, with_pictures: bool = True
) -> BackupSummary:
    """
    Write a backup to a file, which is complete or missing; a table may be running on `data`.

    InputError if there is nothing to back up, the target exists, or the disk refuses.
    """
    with create_file(target, "room for the backup", open_private) as file:
        return write_backup(file, data, config, now=now, with_pictures=with_pictures)


def write_backup(
    file: BinaryIO, data: Path, config: Path | None, *, now: datetime, with_pictures: bool
) -> BackupSummary:
    """Write a backup to an open file, such as to a browser; InputError without data, OSError."""
    if not data.is_dir():
        found = "nothing" if not data.exists() else "no folder"
        raise InputError(expected="a data folder", found=found, where=str(data))
    items: dict[str, ArchivedFile] = {}
    secret, key = find_secret_files(config), load_key(data)
    with zipfile.ZipFile(file, "w") as archive:
        for path in list_files(data, with_pictures=with_pictures):
            if path.resolve() in secret:
                continue
            _add(archive, path, DATA_PREFIX + path.relative_to(data).as_posix(), now, items)
        if config is not None and config.is_file():
            _add(archive, config, SETTINGS_NAME, now, items)
        manifest = Manifest(program_version(), now.astimezone(UTC).isoformat(), items)
        if key is not None:
            manifest = manifest.sign(key)
        archive.writestr(_entry(MANIFEST_NAME, now), manifest_text(manifest))
    return BackupSummary(files=len(items), bytes=sum(item.size for item in items.values()))


def load_key(data: Path) -> TableKey | None:
    """Return the key of a data folder; None if there is none that can be used."""
    try:
        return TableKey.load_or_generate(data) if (data / PRIVATE_FILE).exists() else None
    except InputError:
        return None


def find_secret_files(config: Path | None) -> frozenset[Path]:
    """Return the files with secrets that the settings name, also if other keys are wrong."""
    try:
        mqtt = tomllib.loads(config.read_text()).get("mqtt") if config else None
    except (OSError, ValueError, RecursionError):
        return frozenset()
    named = [mqtt.get(key) for key in SECRET_KEYS] if isinstance(mqtt, dict) else []
    return frozenset(Path(each).expanduser().resolve() for each in named if isinstance(each, str))


def list_files(data: Path, *, with_pictures: bool) -> Iterator[Path]:
    """Yield the files to back up, journals before the pictures that they name."""
    others: list[Path] = []
    for folder, folders, names in os.walk(data):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if Path(folder) == data and not with_pictures:
            folders[:] = [name for name in folders if name != PICTURES_FOLDER]
        for path in (Path(folder) / name for name in sorted(names)):
            if not is_archived(path.relative_to(data).as_posix()):
                continue
            if path.suffix == JOURNALS:
                yield path
            else:
                others.append(path)
    yield from others


def _add(
    archive: zipfile.ZipFile, path: Path, name: str, now: datetime, items: dict[str, ArchivedFile]
) -> None:
    """Copy one file, if `open_plain_file` opens it."""
    file = open_plain_file(path)
    if file is None:
        return
    with file:
        size = os.fstat(file.fileno()).st_size
        if path.suffix == JOURNALS:
            size = _find_last_line_end(file, size)
        entry = _entry(name, now)
        with archive.open(entry, "w", force_zip64=size > LARGE_BYTES) as copy:
            items[name] = _copy(file, copy, size)


def open_plain_file(path: Path) -> BinaryIO | None:
    """Open a file; None if it has been deleted meanwhile, is a link or is no regular file."""
    try:
        file_fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError:
        if path.is_symlink():
            return None
        raise
    if not stat.S_ISREG(os.fstat(file_fd).st_mode):
        os.close(file_fd)
        return None
    return open(file_fd, "rb")


def _entry(name: str, now: datetime) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, now.timetuple()[:6])
    is_packed = Path(name).suffix.lower() in PACKED_ALREADY
    entry.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry


def _find_last_line_end(file: BinaryIO, size: int) -> int:
    end = size
    while end > 0:
        begin = max(0, end - CHUNK_BYTES)
        file.seek(begin)
        found = file.read(end - begin).rfind(b"\n")
        if found >= 0:
            file.seek(0)
            return begin + found + 1
        end = begin
    file.seek(0)
    return 0


def _copy(file: BinaryIO, copy: IO[bytes], size: int) -> ArchivedFile:
    """Copy at most this many bytes; return their size and digest."""
    digest, left = hashlib.sha256(), size
    while left and (chunk := file.read(min(left, CHUNK_BYTES))):
        copy.write(chunk)
        digest.update(chunk)
        left -= len(chunk)
    return ArchivedFile(size - left, digest.hexdigest())


@dataclass(frozen=True, slots=True)
class BackupSource:
    """The data folder and the settings file of a table, as a download."""

    data: Path
    config: Path | None

    def stream(self, *, with_pictures: bool) -> tuple[str, Iterator[bytes]]:
        """Return a file name with the time, and the bytes of a backup as they are made."""
        now = datetime.now().astimezone()
        made = backup_bytes(self.data, self.config, now=now, with_pictures=with_pictures)
        return f"dicebell-{now:%Y%m%d-%H%M%S}.zip", made


# The backup goes through a pipe and is not stored: a card that is almost full has no room for a
# copy. If the browser leaves, the pipe closes, and that ends the backup.
def backup_bytes(
    data: Path, config: Path | None, *, now: datetime, with_pictures: bool
) -> Iterator[bytes]:
    """Yield the bytes of a backup while it is made; InputError, also after some, if that fails."""
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
            while chunk := source.read(PIPE_CHUNK_BYTES):
                yield chunk
    finally:
        thread.join()
    if failed:
        found = str(failed[0])
        raise InputError(expected="a complete backup", found=found, where=str(data)) from failed[0]
