# SPDX-License-Identifier: MIT
"""Cosignatures are as c2sp.org/tlog-cosignature says, and cover time and checkpoint."""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path

import pytest

from controller.journal.signing_key import TableKey, verify_signature
from controller.journal.tlog.cosignature import cosign_note, find_cosignature
from controller.journal.tlog.signed_note import SignedNote, encode_note, parse_note

TEXT = "dicebell/0123\n3\nPB65mnt1766u0JUObtp2Pv8UhbOS+WttSNu73AlUdqY=\n"
NAME, AT_S = "dicebell/4567", 1_795_000_000


@pytest.fixture
def key(tmp_path: Path) -> TableKey:
    return TableKey.load_or_create(tmp_path)


def test_a_cosignature_is_built_as_the_specification_says(key: TableKey) -> None:
    (signed,) = cosign_note(SignedNote(TEXT, ()), NAME, key, AT_S).signatures
    expected_id = hashlib.sha256(NAME.encode() + b"\n\x04" + key.public).digest()[:4]
    assert (signed.name, signed.key_id) == (NAME, expected_id)
    assert signed.signature[:8] == struct.pack(">Q", AT_S)
    message = f"cosignature/v1\ntime {AT_S}\n{TEXT}".encode()
    assert verify_signature(key.public, signed.signature[8:], message)


def test_a_cosignature_is_found_in_a_note_that_was_read(key: TableKey) -> None:
    note = parse_note(encode_note(cosign_note(SignedNote(TEXT, ()), NAME, key, AT_S)).encode())
    found = find_cosignature(note, NAME, key.public)
    assert found is not None
    assert found[0] == AT_S
    assert find_cosignature(note, "other", key.public) is None
    assert find_cosignature(note, NAME, bytes(32)) is None
    changed = SignedNote(TEXT.replace("\n3\n", "\n4\n"), note.signatures)
    assert find_cosignature(changed, NAME, key.public) is None
