# SPDX-License-Identifier: MIT
"""The tree gives the roots that Certificate Transparency gives, and keeps next to nothing."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.journal.merkle import MerkleTree
from tests.support.chains import compute_root

# The leaves and roots with which implementations of RFC 6962 are tested.
LEAVES = tuple(
    bytes.fromhex(leaf)
    for leaf in (
        *("", "00", "10", "2021", "3031", "40414243"),
        *("5051525354555657", "606162636465666768696a6b6c6d6e6f"),
    )
)
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)


def root_as_the_rfc_writes_it(leaves: list[bytes]) -> bytes:
    """Split at the largest power of two below the size, as section 2.1 says."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    left, right = (root_as_the_rfc_writes_it(part) for part in (leaves[:split], leaves[split:]))
    return hashlib.sha256(b"\x01" + left + right).digest()


@pytest.mark.parametrize("size", range(9))
def test_the_published_leaves_have_the_published_roots(size: int) -> None:
    assert compute_root(LEAVES[:size]).hex() == ROOTS[size]


@given(st.lists(st.binary(max_size=4), max_size=70))
def test_a_tree_grown_leaf_by_leaf_is_the_tree_of_the_rfc(leaves: list[bytes]) -> None:
    tree = MerkleTree()
    for size, leaf in enumerate(leaves, start=1):
        tree.append(leaf)
        assert (tree.size, tree.root()) == (size, root_as_the_rfc_writes_it(leaves[:size]))


def test_a_tree_stores_one_digest_for_each_bit_of_its_size() -> None:
    tree = MerkleTree()
    for number in range(100_000):
        tree.append(b"%d" % number)
    assert len(tree._complete) == (100_000).bit_count()


def test_a_tree_continues_from_its_complete_subtrees() -> None:
    lines = [b"%d" % number for number in range(23)]
    tree = MerkleTree()
    for size, line in enumerate(lines):
        again = MerkleTree.restore(size, tree.subtrees)
        assert again.root() == compute_root(lines[:size])
        tree = again
        tree.append(line)
    with pytest.raises(ValueError, match="expected 1 subtrees"):
        MerkleTree.restore(8, tree.subtrees)
