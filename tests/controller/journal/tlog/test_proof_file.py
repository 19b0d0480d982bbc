# SPDX-License-Identifier: MIT
"""A proof file holds for one table and one older checkpoint, and anything else is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.base.errors import InputError
from controller.journal.merkle import hash_leaf
from controller.journal.signing_key import TableKey
from controller.journal.tlog.checkpoint_note import TreeHead, derive_origin, parse_tree_head
from controller.journal.tlog.merkle_proofs import LeafTree
from controller.journal.tlog.proof_file import (
    ConsistencyProof,
    InclusionProof,
    encode_proof,
    find_fault,
    parse_proof,
)
from controller.journal.tlog.signed_note import SignedNote
from tests.controller.journal.test_merkle import LEAVES
from tests.support.chains import compute_root
from tests.support.signed_note import sign_note

TREE = LeafTree(map(hash_leaf, LEAVES))


@pytest.fixture
def key(tmp_path: Path) -> TableKey:
    return TableKey.load_or_create(tmp_path)


def sign(key: TableKey, size: int) -> SignedNote:
    return sign_note(key, size, compute_root(LEAVES[:size]))


def test_a_proof_continues_its_own_older_checkpoint_only(key: TableKey) -> None:
    proof = ConsistencyProof(6, TREE.prove_consistency(6, 8), sign(key, 8))
    assert parse_proof(encode_proof(proof).encode()) == proof

    def fault(older: TreeHead | None) -> str:
        return find_fault(proof, name=derive_origin(key.public), public=key.public, older=older)

    older = parse_tree_head(sign(key, 6))
    assert fault(older) == ""
    needs = "the proof continues a checkpoint of 6 entries, and "
    assert fault(None) == f"{needs}none was given"
    assert fault(parse_tree_head(sign(key, 5))) == f"{needs}that of 5 was given"
    assert "do not continue the 6" in fault(TreeHead(older.origin, 6, bytes(32)))


def test_an_entry_is_in_the_tree_at_its_own_place_only(key: TableKey) -> None:
    name = derive_origin(key.public)
    for index, expected in ((2, ""), (3, "this entry is not entry 3 of the 8 signed entries")):
        proof = InclusionProof(LEAVES[2], index, TREE.prove_inclusion(2, 8), sign(key, 8))
        assert find_fault(proof, name=name, public=key.public) == expected
    foreign = find_fault(proof, name="dicebell/00", public=key.public)
    assert foreign == f"the checkpoint is of {name}, not of dicebell/00"
    unsigned = find_fault(sign(key, 8), name=name, public=bytes(32))
    assert unsigned == f"the checkpoint is not signed by {name}"


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("extra ", "more ", "one without the entry"),
        ("extra ", "extra !", "extra data that is not base64"),
        ("index 2", "index 02", "'index 02' instead of index N"),
        ("index 2", "2", "'2' instead of index N"),
    ],
)
def test_a_line_of_a_proof_that_is_wrong_is_named(
    key: TableKey, old: str, new: str, found: str
) -> None:
    text = encode_proof(InclusionProof(LEAVES[2], 2, TREE.prove_inclusion(2, 8), sign(key, 8)))
    with pytest.raises(InputError, match=f"expected a proof of `dicebell prove`, found {found}"):
        parse_proof(text.replace(old, new, 1).encode())
