# SPDX-License-Identifier: MIT
"""Proofs are those of the published vectors, and nothing else is proven by them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.journal.merkle import hash_leaf
from controller.journal.tlog.merkle_proofs import LeafTree, verify_consistency, verify_inclusion
from tests.controller.journal.test_merkle import LEAVES, ROOTS
from tests.support.chains import compute_root

HASHES = tuple(map(hash_leaf, LEAVES))

# The proofs with which implementations of RFC 6962 and RFC 9162 are tested.
INCLUSION = {
    (0, 1): (),
    (0, 8): (
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ),
    (5, 8): (
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
    (2, 3): ("fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",),
    (1, 5): (
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ),
}
CONSISTENCY = {
    (1, 1): (),
    (1, 8): INCLUSION[0, 8],
    (6, 8): (
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
    (2, 5): (
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ),
}


@pytest.mark.parametrize(("index", "size"), INCLUSION)
def test_inclusion_proofs_are_the_published_ones(index: int, size: int) -> None:
    proof = LeafTree(HASHES[:size]).prove_inclusion(index, size)
    assert tuple(each.hex() for each in proof) == INCLUSION[index, size]
    root = bytes.fromhex(ROOTS[size])
    assert verify_inclusion(HASHES[index], index, size, proof, root)


@pytest.mark.parametrize(("old", "new"), CONSISTENCY)
def test_consistency_proofs_are_the_published_ones(old: int, new: int) -> None:
    proof = LeafTree(HASHES[:new]).prove_consistency(old, new)
    assert tuple(each.hex() for each in proof) == CONSISTENCY[old, new]
    roots = bytes.fromhex(ROOTS[old]), bytes.fromhex(ROOTS[new])
    assert verify_consistency(old, new, proof, *roots)


sizes = st.integers(1, 40)


@given(st.data(), sizes)
def test_every_leaf_is_proven_and_no_other_one(data: st.DataObject, size: int) -> None:
    index = data.draw(st.integers(0, size - 1))
    leaves = [hash_leaf(b"%d" % number) for number in range(size)]
    root = compute_root(b"%d" % number for number in range(size))
    tree = LeafTree(leaves)
    proof = tree.prove_inclusion(index, size)
    assert tree.root(size) == root
    assert verify_inclusion(leaves[index], index, size, proof, root)
    for other in {*range(-1, size + 1)} - {index}:
        assert not verify_inclusion(leaves[index], other, size, proof, root)
    assert not verify_inclusion(hash_leaf(b"x"), index, size, proof, root)
    assert not verify_inclusion(leaves[index], index, size, (*proof, root), root)
    if proof:
        assert not verify_inclusion(leaves[index], index, size, proof[:-1], root)


@given(st.data(), sizes)
def test_a_continuation_is_proven_and_no_other_one(data: st.DataObject, size: int) -> None:
    old = data.draw(st.integers(1, size))
    leaves = [hash_leaf(b"%d" % number) for number in range(size)]
    tree = LeafTree(leaves)
    proof = tree.prove_consistency(old, size)
    before, root = tree.root(old), tree.root(size)
    assert verify_consistency(old, size, proof, before, root)
    changed = LeafTree([hash_leaf(b"x"), *leaves[1:old]]).root(old)
    assert not verify_consistency(old, size, proof, changed, root)
    assert not verify_consistency(old, size, (*proof, root), before, root)
    assert not verify_consistency(0, size, proof, before, root)
    assert not verify_consistency(size + 1, size, proof, before, root)
    if proof:
        assert not verify_consistency(old, size, proof[:-1], before, root)
        assert not verify_consistency(old, size, proof, before, changed)
