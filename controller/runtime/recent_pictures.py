# SPDX-License-Identifier: MIT
"""Recent pictures in memory, until the table stores one of them."""

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
    """Pictures with the clips of their throws; may be used from any thread."""

    def __init__(self) -> None:
        self._pictures: OrderedDict[str, _RecentPicture] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, picture: bytes, clip: bytes = b"") -> str:
        """Add a JPEG and the clip of its throw, if any; return its digest. The oldest goes."""
        digest = compute_digest(picture)
        with self._lock:
            self._pictures[digest] = _RecentPicture(picture, clip)
            while len(self._pictures) > RECENT_LIMIT:
                self._pictures.popitem(last=False)
        return digest

    def store(self, digest: str, pictures: PictureStore) -> None:
        """
        Write a picture and its clip to the disk.

        Raises:
            OSError: One could not be written.
            KeyError: It was dropped.
        """
        with self._lock:
            held = self._pictures[digest]
        pictures.store(held.picture)
        if held.clip:
            pictures.store_clip(held.clip)
