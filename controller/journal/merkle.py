# SPDX-License-Identifier: MIT
"""
One digest for the first so many entries: the Merkle tree hash of RFC 6962.

Whoever keeps the root of a tree can tell later whether the entries below it are still
the same ones in the same order. The tree is grown a leaf at a time, and of what is
complete only the roots are kept: as many digests as the size has bits that are set.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

_LEAF, _NODE = b"\x00", b"\x01"
"""What stands before a leaf and before two joined digests, so that neither passes for the other."""


class MerkleTree:
    """A tree that lines are appended to."""

    def __init__(self) -> None:
        self._size = 0
        self._complete: list[bytes] = []

    @property
    def size(self) -> int:
        """How many leaves it has."""
        return self._size

    def append(self, line: bytes) -> None:
        """Add a leaf: the bytes of a line without its end."""
        digest = hashlib.sha256(_LEAF + line).digest()
        # Every bit that carries over is a complete tree as large as the one that was added.
        carried = self._size
        while carried & 1:
            digest = _join(self._complete.pop(), digest)
            carried >>= 1
        self._complete.append(digest)
        self._size += 1

    def root(self) -> bytes:
        """Return the digest of all leaves so far, 32 bytes; that of nothing for an empty tree."""
        if not self._complete:
            return hashlib.sha256().digest()
        *larger, digest = self._complete
        for left in reversed(larger):
            digest = _join(left, digest)
        return digest


def compute_root(lines: Iterable[bytes]) -> bytes:
    """Return the root of the tree over these lines."""
    tree = MerkleTree()
    for line in lines:
        tree.append(line)
    return tree.root()


def _join(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(_NODE + left + right).digest()
