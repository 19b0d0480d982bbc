# SPDX-License-Identifier: MIT
"""
Open an archive that may come from anyone.

Only files that belong into an archive are taken, each up to a limit. So nothing is ever written
outside the folder that it is unpacked to. Pictures are not unpacked at all: one that an entry
names is read from the archive, so no small file fills a disk.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.base.errors import InputError
from controller.base.untrusted_zip import UntrustedZip, open_zip
from controller.journal.journal import JOURNAL_FILE
from controller.journal.picture_store import PICTURES_FOLDER
from controller.tournament.archive.layout import (
    EVENT_FOLDER,
    MANIFEST_NAME,
    ArchiveManifest,
    is_archive_name,
    parse_manifest,
    table_folder,
)
from controller.verify.untrusted_files import MAX_FILE_BYTES

MOST_JOURNAL_BYTES = 1 << 30
"""As `report` and `export` read them; 500 times what a table writes on an evening."""
MOST_BYTES = 1 << 36
MOST_FILES = 10_000_000
_EXPECTED = "an archive of `dicebell archive`"


class ArchiveReader:
    """The files of an open archive by their folders; InputError if it is none, or has others."""

    def __init__(self, files: UntrustedZip) -> None:
        self._files = files
        where = str(files.path)
        for name, entry in files.entries.items():
            _require_possible(name, entry.file_size, where)
        sizes = [entry.file_size for entry in files.entries.values()]
        if sum(sizes) > MOST_BYTES or len(sizes) > MOST_FILES:
            expected = f"files of {MOST_BYTES >> 30} GiB at most"
            raise InputError(expected=expected, found="more", where=where)
        content = self.read(MANIFEST_NAME)
        if content is None:
            raise InputError(expected=_EXPECTED, found=f"no {MANIFEST_NAME}", where=where)
        # What it says of itself; nothing of it was checked.
        self.manifest: ArchiveManifest = parse_manifest(content)
        known = {EVENT_FOLDER, *(table_folder(table.key) for table in self.manifest.tables)}
        for name in files.entries:
            folder = name[: len(table_folder("0" * 64))] if "tables/" in name else EVENT_FOLDER
            if "/" in name and folder not in known:
                expected = f"only tables that {MANIFEST_NAME} lists"
                raise InputError(expected=expected, found=name, where=where)

    def read(self, name: str) -> bytes | None:
        """Return a file, None if the archive lacks it; InputError if it is damaged."""
        if name not in self._files.entries:
            return None
        return self._files.read(name, MOST_JOURNAL_BYTES)

    def read_picture(self, path: Path) -> bytes:
        """Return a picture by its path in the archive; OSError if it is missing or damaged."""
        try:
            content = self.read(path.as_posix())
        except InputError as error:
            raise OSError(str(error)) from error
        if content is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        return content

    def unpack(self, folder: str, target: Path) -> None:
        """Unpack a folder without its pictures; InputError if a file is damaged, or an OSError."""
        for name in self._files.entries:
            if name.startswith(folder) and not name.startswith(f"{folder}{PICTURES_FOLDER}/"):
                with open(target / name.removeprefix(folder), "wb") as file:
                    for chunk in self._files.iter_chunks(name):
                        file.write(chunk)


def _require_possible(name: str, size: int, where: str) -> None:
    if not is_archive_name(name):
        expected = "only files that belong into an archive"
        raise InputError(expected=expected, found=ascii(name)[:200], where=where)
    most = MOST_JOURNAL_BYTES if name.endswith(JOURNAL_FILE) else MAX_FILE_BYTES
    if size > most:
        expected = f"{name} of at most {most >> 20} MiB"
        raise InputError(expected=expected, found=f"{size >> 20} MiB", where=where)


@contextmanager
def open_archive(path: Path) -> Iterator[ArchiveReader]:
    """Open an archive; InputError if it cannot be read or is none."""
    expected = f"the data folder of a table, or {_EXPECTED}"
    with open_zip(path, expected, "an undamaged archive") as files:
        yield ArchiveReader(files)
