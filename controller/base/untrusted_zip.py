# SPDX-License-Identifier: MIT
"""
Read a zip file that may come from anyone: an archive of an event, or a backup.

The library raises a dozen kinds of errors for damaged files, each compression its own. Here each
becomes one line that names the file. What the list of files says is not trusted: a file has
exactly the size in it, and is never compressed more than real ones are.
"""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from controller.base.durable_files import open_regular_file
from controller.base.errors import InputError, refuse_os_errors

CHUNK_BYTES = 1 << 20
MAX_PACKING = 200
"""The highest compression of a file of more than `SPARE_BYTES`. Journals are full of digests, which
hardly compress; zeros compress to a thousandth."""
SPARE_BYTES = 1 << 24
_BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""With these, a chunk is no larger than asked for. All others unpack whatever they were given, so
they are given little at a time."""
_LITTLE_BYTES = 1 << 12
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, MemoryError),
    # An unknown or encrypted file, positions beyond the file, and damage that bzip2 finds.
    *(RuntimeError, ValueError, OverflowError, OSError),
)


class UntrustedZip:
    """
    The files in an open zip file; InputError if one is in it twice.

    `whole` is what it should be, such as "a complete backup"; `entries` is its list of files.
    """

    def __init__(self, archive: zipfile.ZipFile, path: Path, whole: str) -> None:
        self._archive = archive
        self._whole = whole
        self._size = path.stat().st_size
        self.path = path
        entries: dict[str, zipfile.ZipInfo] = {}
        for entry in archive.infolist():
            if entry.filename in entries:
                found = f"{ascii(entry.filename)[:200]} twice"
                raise InputError(expected="each file once", found=found, where=str(path))
            entries[entry.filename] = entry
        self.entries: Mapping[str, zipfile.ZipInfo] = entries

    def read(self, name: str, most_bytes: int) -> bytes:
        """Return a file; InputError if it is damaged, or has more than `most_bytes`."""
        self.require_size(name, most_bytes)
        return b"".join(self.iter_chunks(name))

    def require_size(self, name: str, most_bytes: int) -> None:
        """Refuse a file that has more than `most_bytes`; InputError if it has."""
        if (size := self.entries[name].file_size) > most_bytes:
            where = self._locate(name)
            raise InputError(expected=f"{most_bytes} bytes at most", found=f"{size}", where=where)

    def iter_chunks(self, name: str) -> Iterator[bytes]:
        """Yield a file as long as listed; InputError if damaged or compressed too much."""
        entry = self.entries[name]
        packed_size = min(entry.compress_size, self._size)
        if entry.file_size > max(SPARE_BYTES, MAX_PACKING * packed_size):
            expected = f"files compressed at most {MAX_PACKING} times"
            found = f"{entry.file_size} bytes compressed to {packed_size}"
            raise InputError(expected=expected, found=found, where=self._locate(name))
        step = CHUNK_BYTES if entry.compress_type in _BOUNDED else _LITTLE_BYTES
        size = 0
        try:
            with self._archive.open(entry) as packed:
                while chunk := packed.read(step):
                    size += len(chunk)
                    yield chunk
        except _DAMAGE as error:
            raise self._damage(name, _describe(error)) from error
        if size != entry.file_size:
            raise self._damage(name, f"{size} bytes instead of {entry.file_size}")

    def _damage(self, name: str, reason: str) -> InputError:
        found = f"a damaged file ({reason})"
        return InputError(expected=self._whole, found=found, where=self._locate(name))

    def _locate(self, name: str) -> str:
        return f"{self.path}, {ascii(name)[1:-1][:200]}"


@contextmanager
def open_zip(path: Path, expected: str, whole: str) -> Iterator[UntrustedZip]:
    """Open a zip file; InputError says what was `expected`, or what a `whole` one should be."""
    with refuse_os_errors(expected, path):
        # A pipe or an endless device has no end, where the list of files is.
        file = open(open_regular_file(path), "rb")
    with file:
        try:
            archive = zipfile.ZipFile(file)
        except _DAMAGE as error:
            found = f"a file that is torn, or no zip file ({_describe(error)})"
            raise InputError(expected=expected, found=found, where=str(path)) from error
        with archive:
            yield UntrustedZip(archive, path, whole)


def _describe(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
