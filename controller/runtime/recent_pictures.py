# SPDX-License-Identifier: MIT
"""The last pictures that were read, until the table decides to keep one."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from controller.journal.picture_store import PictureStore, compute_digest

RECENT_LIMIT = 8


@dataclass(frozen=True, slots=True)
class _RecentPicture:
    picture: bytes
    clip: bytes


class RecentPictures:
    """The pictures in memory, each with the clip of its throw; from any thread."""

    def __init__(self) -> None:
        self._pictures: OrderedDict[str, _RecentPicture] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, picture: bytes, clip: bytes = b"") -> str:
        """
        Hold a picture and return its digest; the oldest one falls off.

        Args:
            picture: A JPEG.
            clip: That of the throw that led to it; empty for none.
        """
        digest = compute_digest(picture)
        with self._lock:
            self._pictures[digest] = _RecentPicture(picture, clip)
            while len(self._pictures) > RECENT_LIMIT:
                self._pictures.popitem(last=False)
        return digest

    def store(self, digest: str, pictures: PictureStore) -> None:
        """
        Put the picture of this digest on the disk, and its clip.

        Raises:
            OSError: One could not be written.
            KeyError: It fell off the shelf.
        """
        with self._lock:
            held = self._pictures[digest]
        pictures.store(held.picture)
        if held.clip:
            pictures.store_clip(held.clip)
