# SPDX-License-Identifier: MIT
"""
Open an archive that may come from anyone.

Only files that belong into an archive are taken, each once and up to a limit. So nothing is ever
written outside the folder that it is unpacked to, and no small file fills a disk.
"""

from __future__ import annotations

import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.durable_files import open_regular_file
from controller.errors import InputError
from controller.journal.journal import JOURNAL_FILE
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
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
_EXPECTED = "an archive of `dicebell archive`"


class ArchiveReader:
    """
    The files of an open archive, by their folders.

    Attributes:
        manifest: What it says of itself; nothing of it was checked.

    Raises:
        InputError: It has files that do not belong into an archive, or no list of its journals.
    """

    def __init__(self, archive: zipfile.ZipFile, path: Path) -> None:
        self._archive = archive
        self._path = path
        self._sizes: dict[str, int] = {}
        for entry in archive.infolist():
            self._add(entry)
        if sum(self._sizes.values()) > MOST_BYTES or len(self._sizes) > MOST_FILES:
            expected = f"files of {MOST_BYTES >> 30} GiB at most"
            raise InputError(expected=expected, found="more", where=str(path))
        content = self.read(MANIFEST_NAME)
        if content is None:
            raise InputError(expected=_EXPECTED, found=f"no {MANIFEST_NAME}", where=str(path))
        self.manifest: ArchiveManifest = parse_manifest(content)
        known = {EVENT_FOLDER, *(table_folder(table.key) for table in self.manifest.tables)}
        for name in self._sizes:
            folder = name[: len(table_folder("0" * 64))] if "tables/" in name else EVENT_FOLDER
            if "/" in name and folder not in known:
                expected = f"only tables that {MANIFEST_NAME} lists"
                raise InputError(expected=expected, found=name, where=str(path))

    def read(self, name: str) -> bytes | None:
        """
        Return a file; None if the archive has none with this name.

        Raises:
            InputError: The file is damaged.
        """
        if name not in self._sizes:
            return None
        try:
            return self._archive.read(name)
        except _DAMAGED as error:
            raise self._damage(name, error) from error

    def unpack(self, folder: str, target: Path) -> None:
        """
        Unpack the files of a folder of the archive.

        Raises:
            InputError: A file is damaged.
            OSError: The disk refuses.
        """
        for name in self._sizes:
            if not name.startswith(folder):
                continue
            path = target / name.removeprefix(folder)
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                with self._archive.open(name) as packed, open(path, "wb") as file:
                    shutil.copyfileobj(packed, file)
            except _DAMAGED as error:
                raise self._damage(name, error) from error

    def _add(self, entry: zipfile.ZipInfo) -> None:
        name = entry.filename
        if not is_archive_name(name) or name in self._sizes:
            expected = "only files that belong into an archive, each once"
            raise InputError(expected=expected, found=ascii(name)[:200], where=str(self._path))
        is_journal = name.endswith(JOURNAL_FILE)
        most = MOST_JOURNAL_BYTES if is_journal else MAX_FILE_BYTES
        if entry.file_size > most:
            expected = f"{name} of at most {most >> 20} MiB"
            found = f"{entry.file_size >> 20} MiB"
            raise InputError(expected=expected, found=found, where=str(self._path))
        self._sizes[name] = entry.file_size

    def _damage(self, name: str, error: Exception) -> InputError:
        found = " ".join(str(error).split()) or type(error).__name__
        where = f"{self._path}, {name}"
        return InputError(expected="a file that can be unpacked", found=found, where=where)


@contextmanager
def open_archive(path: Path) -> Iterator[ArchiveReader]:
    """
    Open an archive.

    Raises:
        InputError: It cannot be read, or is none.
    """
    try:
        file = open(open_regular_file(path), "rb")
    except OSError as error:
        found = error.strerror or str(error)
        raise InputError(expected=_EXPECTED, found=found, where=str(path)) from error
    with file:
        try:
            archive = zipfile.ZipFile(file)
        except (*_DAMAGED, OSError, ValueError) as error:
            expected = f"the data folder of a table, or {_EXPECTED}"
            found = "a file that is no zip file"
            raise InputError(expected=expected, found=found, where=str(path)) from error
        with archive:
            yield ArchiveReader(archive, path)
