# SPDX-License-Identifier: MIT
"""
The Merkle tree hash of RFC 6962: one digest for the first n entries.

Keep a root, and you can check later that the entries below it are the same, in the same order.
The tree grows leaf by leaf and stores only the roots of its complete subtrees: as many digests
as its size has one bits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

_LEAF, _NODE = b"\x00", b"\x01"
"""Prefixes of leaves and of nodes, so that neither can be passed off as the other."""


class MerkleTree:
    """A tree that lines are appended to; it begins with these."""

    def __init__(self, lines: Iterable[bytes] = ()) -> None:
        self.size = 0
        self._complete: list[bytes] = []
        for line in lines:
            self.append(line)

    @classmethod
    def restore(cls, size: int, subtrees: Sequence[bytes]) -> MerkleTree:
        """Return the tree of this size with these `subtrees`; ValueError for a wrong number."""
        if len(subtrees) != size.bit_count():
            raise ValueError(f"expected {size.bit_count()} subtrees, found {len(subtrees)}")
        tree = cls()
        tree.size, tree._complete = size, list(subtrees)
        return tree

    @property
    def subtrees(self) -> tuple[bytes, ...]:
        """The roots of its complete subtrees, the largest first: all that it stores."""
        return tuple(self._complete)

    def append(self, line: bytes) -> None:
        """Add a leaf: a line without its newline."""
        digest = hash_leaf(line)
        # Each carried bit is a complete subtree of the same size as the new one.
        carried = self.size
        while carried & 1:
            digest = hash_node(self._complete.pop(), digest)
            carried >>= 1
        self._complete.append(digest)
        self.size += 1

    def root(self) -> bytes:
        """Return the digest of all leaves, 32 bytes; of an empty tree, the digest of no bytes."""
        if not self._complete:
            return hashlib.sha256().digest()
        *larger, digest = self._complete
        for left in reversed(larger):
            digest = hash_node(left, digest)
        return digest


def hash_leaf(line: bytes) -> bytes:
    """Return the digest of a leaf: a line without its newline."""
    return hashlib.sha256(_LEAF + line).digest()


def hash_node(left: bytes, right: bytes) -> bytes:
    """Return the digest of a node with these two below it."""
    return hashlib.sha256(_NODE + left + right).digest()
