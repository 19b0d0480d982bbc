# SPDX-License-Identifier: MIT
"""
Inclusion and consistency proofs of RFC 6962, section 2.1, checked as RFC 9162 describes it.

A proof is a list of digests, 32 bytes each, at most one for each level of the tree. So it is
short for any journal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from controller.journal.merkle import hash_node

MAX_HASHES = 128  # More than a proof in any tree has whose size fits in 63 bits.


class LeafTree:
    """A tree that keeps all complete subtrees, so that a proof costs a few digests."""

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        # The digests of the subtrees with 1, 2, 4, ... leaves, each one after the other.
        self._levels: list[list[bytes]] = [[]]
        for leaf in leaves:
            self.append(leaf)

    @property
    def size(self) -> int:
        return len(self._levels[0])

    def append(self, leaf: bytes) -> None:
        """Add the digest of a leaf, as `hash_leaf` makes it."""
        digest = leaf
        for level in self._levels:
            level.append(digest)
            if len(level) % 2:
                return
            digest = hash_node(level[-2], digest)
        self._levels.append([digest])

    def root(self, size: int) -> bytes:
        """Return the root over the first leaves, at least one."""
        return self._hash_range(0, size)

    def prove_inclusion(self, index: int, size: int) -> tuple[bytes, ...]:
        """Return the audit path of a leaf, counted from 0, in the tree of this size."""
        return self._list_path(index, 0, size)

    def prove_consistency(self, old_size: int, size: int) -> tuple[bytes, ...]:
        """Return the proof that the tree of this size continues an older one, from 1 leaf on."""
        return self._prove_range(old_size, 0, size, is_complete=True)

    def _hash_range(self, start: int, end: int) -> bytes:
        """Return the root over some leaves; `start` is where a subtree of this size begins."""
        size = end - start
        if size & (size - 1) == 0:
            return self._levels[size.bit_length() - 1][start // size]
        split = start + _find_split(size)
        return hash_node(self._hash_range(start, split), self._hash_range(split, end))

    def _list_path(self, index: int, start: int, end: int) -> tuple[bytes, ...]:
        if end - start == 1:
            return ()
        split = start + _find_split(end - start)
        if index < split:
            return (*self._list_path(index, start, split), self._hash_range(split, end))
        return (*self._list_path(index, split, end), self._hash_range(start, split))

    def _prove_range(
        self, old_end: int, start: int, end: int, *, is_complete: bool
    ) -> tuple[bytes, ...]:
        """Return SUBPROOF of RFC 6962; `is_complete` if this subtree was a tree of its own."""
        if old_end == end:
            return () if is_complete else (self._hash_range(start, end),)
        split = start + _find_split(end - start)
        if old_end <= split:
            path = self._prove_range(old_end, start, split, is_complete=is_complete)
            return (*path, self._hash_range(split, end))
        path = self._prove_range(old_end, split, end, is_complete=False)
        return (*path, self._hash_range(start, split))


def verify_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> bool:
    """Return whether a leaf is at this index, as RFC 9162 describes it in section 2.1.3.2."""
    if not 0 <= index < size:
        return False
    first, last, digest = index, size - 1, leaf
    for beside in proof:
        if last == 0:
            return False
        if first & 1 or first == last:
            digest = hash_node(beside, digest)
            while not first & 1 and first:
                first, last = first >> 1, last >> 1
        else:
            digest = hash_node(digest, beside)
        first, last = first >> 1, last >> 1
    return last == 0 and digest == root


def verify_consistency(
    old_size: int, size: int, proof: Sequence[bytes], old_root: bytes, root: bytes
) -> bool:
    """Return whether a tree continues the smaller one, as RFC 9162, section 2.1.4.2, has it."""
    if not 1 <= old_size <= size:
        return False
    if old_size == size:
        return not proof and old_root == root
    # A complete old tree is the first node of its own proof, so it is left out there.
    path = [old_root, *proof] if old_size & (old_size - 1) == 0 else list(proof)
    if not path:
        return False
    first, last = old_size - 1, size - 1
    while first & 1:
        first, last = first >> 1, last >> 1
    old = new = path[0]
    for beside in path[1:]:
        if last == 0:
            return False
        if first & 1 or first == last:
            old, new = hash_node(beside, old), hash_node(beside, new)
            while not first & 1 and first:
                first, last = first >> 1, last >> 1
        else:
            new = hash_node(new, beside)
        first, last = first >> 1, last >> 1
    return last == 0 and (old, new) == (old_root, root)


def _find_split(size: int) -> int:
    """Return the largest power of two below a size of 2 or more."""
    return 1 << ((size - 1).bit_length() - 1)
