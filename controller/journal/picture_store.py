# SPDX-License-Identifier: MIT
"""
The pictures that were read and the clips of throws, stored under their SHA-256.

A file is complete on the disk before the entry that refers to it is written. It is written
under another name, fsynced and renamed, so a power cut never leaves half a picture.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.base.durable_files import fsync_folder
from controller.base.errors import InputError
from controller.journal.picture_refs import is_digest

PICTURES_FOLDER = "pictures"
PICTURE, CLIP, UNFINISHED = ".jpg", ".avi", ".part"
ROLL_BYTES = 2_000_000  # More than a roll's picture, its clip and its entries take together.
_NAME = re.compile(r"([0-9a-f]{64})(\.jpg|\.avi|\.part)")


def compute_digest(content: bytes) -> str:
    """Return the digest under which these bytes are stored."""
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class StoredFile:
    path: Path
    digest: str  # The digest in its name, not checked against the content.
    size_bytes: int
    is_whole: bool  # Whether it was written to its end.


class PictureStore:
    """The pictures and clips of one data folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / PICTURES_FOLDER

    def check_folder(self) -> None:
        """Check that the folder can hold pictures or can be created; InputError if not."""
        if not os.path.lexists(self._folder):
            return
        is_folder = self._folder.is_dir()
        if not is_folder or not os.access(self._folder, os.W_OK | os.X_OK):
            raise InputError(
                expected="a folder for pictures that can be written",
                found="one that cannot" if is_folder else "something else",
                where=str(self._folder),
            )

    def picture_path(self, digest: str) -> Path:
        """Return the path for a picture; ValueError if it is no digest and could lead anywhere."""
        if not is_digest(digest):
            raise ValueError(f"expected a digest, 64 hexadecimal digits, found {digest!r}")
        return self._folder / digest[:2] / f"{digest}{PICTURE}"

    def clip_path(self, digest: str) -> Path:
        """Return the path for a clip; ValueError as in `picture_path`."""
        return self.picture_path(digest).with_suffix(CLIP)

    def read(self, digest: str) -> bytes | None:
        """Return a stored picture; `None` if it is gone."""
        try:
            return self.picture_path(digest).read_bytes()
        except (OSError, ValueError):
            return None

    def store(self, picture: bytes) -> str:
        """Store a JPEG and return its digest once it is on the disk; OSError if it is not."""
        return self._store(picture, self.picture_path(compute_digest(picture)))

    def store_clip(self, clip: bytes) -> str:
        """Store an AVI and return its digest once it is on the disk; OSError if it is not."""
        return self._store(clip, self.clip_path(compute_digest(clip)))

    def check_free_space(self) -> None:
        """Check that there is room for a roll by writing as much; OSError if there is none."""
        self._make_folder(self._folder)
        probe = self._folder / f"room{UNFINISHED}"
        try:
            _write(probe, bytes(ROLL_BYTES))
        finally:
            probe.unlink(missing_ok=True)

    def stored_size(self, digest: str) -> int:
        """Return the bytes stored under a digest; 0 if there are none or the disk fails."""
        size = 0
        for path in (self.picture_path(digest), self.clip_path(digest)):
            try:
                size += path.stat().st_size
            except OSError:
                continue
        return size

    def delete(self, digest: str) -> None:
        """Delete the picture and the clip of a digest, if any; OSError if the disk refuses."""
        for path in (self.picture_path(digest), self.clip_path(digest)):
            path.unlink(missing_ok=True)

    def files(self) -> Iterator[StoredFile]:
        """Yield the files named by a digest, no others; OSError if the folder is unreadable."""
        for path in self._folder.glob("??/*"):
            name = _NAME.fullmatch(path.name)
            if name is None or name[1][:2] != path.parent.name or not path.is_file():
                continue
            yield StoredFile(
                path=path,
                digest=name[1],
                size_bytes=path.stat().st_size,
                is_whole=name[2] != UNFINISHED,
            )

    def _store(self, content: bytes, path: Path) -> str:
        if path.exists():
            # A failed fsync may have left its name off the disk.
            fsync_folder(path.parent)
            return path.stem
        self._make_folder(path.parent)
        part = path.with_suffix(UNFINISHED)
        try:
            _write(part, content)
            os.replace(part, path)
        except OSError:
            part.unlink(missing_ok=True)
            raise
        fsync_folder(path.parent)
        return path.stem

    def _make_folder(self, folder: Path) -> None:
        """Create a folder durably: its name must survive a power cut."""
        folder.mkdir(parents=True, exist_ok=True)
        # An empty folder may be left over from an attempt whose fsync failed.
        if any(folder.iterdir()):
            return
        for above in (self._folder, self._folder.parent):
            fsync_folder(above)


def _write(path: Path, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
