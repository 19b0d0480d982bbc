# SPDX-License-Identifier: MIT
"""
Read a backup that may come from anybody.

Names, sizes and digests are claims of its maker. So they are compared with each other before a
file is read.
"""

from __future__ import annotations

import contextlib
import hashlib
import zipfile
from collections.abc import Iterator
from pathlib import Path

from controller.appliance.backup.archive import (
    DATA_PREFIX,
    MANIFEST_NAME,
    Manifest,
    parse_manifest,
)
from controller.base.errors import InputError
from controller.base.untrusted_zip import MAX_PACKING, SPARE_BYTES, UntrustedZip, open_zip
from controller.journal.journal import JOURNAL_FILE, MAX_READ_BYTES

_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_WHOLE = "a complete backup of dicebell"


class BackupReader:
    """An open backup whose files are those of its manifest; InputError if it is none."""

    def __init__(self, files: UntrustedZip) -> None:
        self.source = files.path
        self._files = files
        self.manifest = self._read_manifest()

    def check_sizes(self) -> None:
        """Refuse sizes that no backup has; InputError if a small archive holds many gigabytes."""
        where = str(self.source)
        # Files of an archive may overlap, so their sum is compared with the size of the archive.
        size = sum(item.size for item in self.manifest.items.values())
        packed = self.source.stat().st_size
        if size > max(SPARE_BYTES, MAX_PACKING * packed):
            expected = f"files compressed at most {MAX_PACKING} times"
            found = f"all files: {size} bytes compressed to {packed}"
            raise InputError(expected=expected, found=found, where=where)
        journal = self.manifest.items.get(DATA_PREFIX + JOURNAL_FILE)
        if journal is not None and journal.size > MAX_READ_BYTES:
            expected = f"a journal of {MAX_READ_BYTES} bytes at most"
            raise InputError(expected=expected, found=f"{journal.size} bytes", where=where)

    def read(self, name: str, most_bytes: int) -> bytes:
        """Return a file of the manifest; InputError if damaged or larger than `most_bytes`."""
        self._files.require_size(name, most_bytes)
        return b"".join(self.iter_chunks(name))

    def iter_chunks(self, name: str) -> Iterator[bytes]:
        """Yield a file, never more than the manifest says; InputError at last if damaged."""
        digest, left = hashlib.sha256(), self.manifest.items[name].size
        for chunk in self._files.iter_chunks(name):
            digest.update(chunk)
            left -= len(chunk)
            if left < 0:
                break
            yield chunk
        if left or digest.hexdigest() != self.manifest.items[name].sha256:
            expected = f"{name} as the manifest says"
            raise InputError(expected=expected, found="other bytes", where=str(self.source))

    def _read_manifest(self) -> Manifest:
        """Read the manifest, and compare the archive's list of files with it."""
        entries, where = self._files.entries, str(self.source)
        for name, entry in entries.items():
            if entry.compress_type not in _PACKINGS:
                found = f"{name!a} in a compression that no backup uses"
                raise InputError(expected=_WHOLE, found=found, where=where)
        if MANIFEST_NAME not in entries:
            expected = "a backup that `dicebell backup` made"
            raise InputError(expected=expected, found="another zip", where=where)
        # A manifest has the name, the size and the digest of each file, in ASCII.
        most = 4096 + sum(512 + 12 * len(name) for name in entries)
        content = self._files.read(MANIFEST_NAME, most)
        try:
            manifest = parse_manifest(content.decode("utf-8"))
        except UnicodeDecodeError as error:
            expected, found = "a manifest in UTF-8", f"none ({error})"
            raise InputError(expected=expected, found=found, where=where) from error
        except InputError as error:
            raise error.at(f"{self.source}, {error.where}") from error
        if other := entries.keys() ^ {*manifest.items, MANIFEST_NAME}:
            expected = "exactly the files of its manifest"
            raise InputError(expected=expected, found=ascii(min(other)), where=where)
        return manifest


@contextlib.contextmanager
def open_backup(source: Path) -> Iterator[BackupReader]:
    """Open a backup; InputError if it is not complete."""
    with open_zip(source, _WHOLE, _WHOLE) as files:
        yield BackupReader(files)
