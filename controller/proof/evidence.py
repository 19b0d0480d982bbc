# SPDX-License-Identifier: MIT
"""
The pictures that were read, stored under their SHA-256.

A picture is complete on the disk before the entry that names it is written: it is
written under another name, fsynced and renamed, so that no cut of power leaves half
a picture under a digest.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from controller.proof.disk import fsync_folder

PICTURES_FOLDER = "pictures"


def digest_of(picture: bytes) -> str:
    """Return the name under which these bytes are stored."""
    return hashlib.sha256(picture).hexdigest()


class Evidence:
    """The pictures of one data folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / PICTURES_FOLDER

    def path_of(self, digest: str) -> Path:
        """Where the picture of this digest lies, or would lie."""
        return self._folder / digest[:2] / f"{digest}.jpg"

    def keep(self, picture: bytes) -> str:
        """
        Store a JPEG and return its digest once it is on the disk.

        Raises:
            OSError: It could not be written, such as on a full disk.
        """
        digest = digest_of(picture)
        path = self.path_of(digest)
        if path.exists():
            return digest
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        try:
            with open(part, "wb") as file:
                file.write(picture)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        except OSError:
            part.unlink(missing_ok=True)
            raise
        fsync_folder(path.parent)
        return digest
