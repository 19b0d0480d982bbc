# SPDX-License-Identifier: MIT
"""A file that a server holds compressed in memory, and the tag by which a browser knows it."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass

_LEVEL = 6


@dataclass(frozen=True, slots=True)
class PackedFile:
    """A file, compressed: a server may hold many earlier ones."""

    media_type: str
    packed: bytes  # Its content by gzip.
    tag: str  # Follows from its content.

    @property
    def content(self) -> bytes:
        return gzip.decompress(self.packed)


def pack_file(media_type: str, content: bytes) -> PackedFile:
    digest = hashlib.sha256(content).hexdigest()[:32]
    return PackedFile(media_type, gzip.compress(content, _LEVEL, mtime=0), digest)
