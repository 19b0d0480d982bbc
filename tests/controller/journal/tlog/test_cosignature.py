# SPDX-License-Identifier: MIT
"""Cosignatures are as c2sp.org/tlog-cosignature says, and cover time and checkpoint."""

from __future__ import annotations

import base64
import hashlib
import struct
from pathlib import Path

import pytest

from controller.journal.signing_key import TableKey, verify_signature
from controller.journal.tlog.checkpoint_note import is_signed_by, parse_tree_head
from controller.journal.tlog.cosignature import (
    COSIGNATURE,
    cosign_note,
    find_cosignature,
    verify_cosignature,
)
from controller.journal.tlog.proof_file import ConsistencyProof, encode_proof, parse_proof
from controller.journal.tlog.signed_note import (
    SignedNote,
    compute_key_id,
    encode_note,
    parse_note,
    parse_verifier_key,
)

TEXT = "dicebell/0123\n3\nPB65mnt1766u0JUObtp2Pv8UhbOS+WttSNu73AlUdqY=\n"
NAME, AT_S = "dicebell/4567", 1_795_000_000

# A checkpoint that a public log signed and a public witness cosigned, with their keys.
LOG_KEY = (
    "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f"
)
WITNESS, WITNESS_KEY = "remora.n621.de", "BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"
PUBLISHED = (
    "arche2025h1.staging.ct.transparency.dev\n"
    "1432088532\n"
    "U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=\n"
    "\n"
    "\N{EM DASH} arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQ"
    "Qabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=\n"
    "\N{EM DASH} remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiX"
    "Cg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==\n"
)
# The example of c2sp.org/tlog-cosignature, whose keys are not published.
SPECIFIED = (
    "example.com/behind-the-sofa\n"
    "20852163\n"
    "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    "\n"
    "\N{EM DASH} example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeO"
    "oRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
    "\N{EM DASH} witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5"
    "OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
)
# The digests of the example of c2sp.org/tlog-witness.
DIGESTS = """\
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=
"""


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


def test_a_published_checkpoint_and_its_cosignature_verify() -> None:
    note = parse_note(PUBLISHED.encode())
    assert encode_note(note) == PUBLISHED
    assert parse_tree_head(note).size == 1_432_088_532
    assert is_signed_by(note, *parse_verifier_key(LOG_KEY))
    public = base64.b64decode(WITNESS_KEY)[1:]
    assert compute_key_id(WITNESS, public, COSIGNATURE).hex() == "da77ade7"
    found = find_cosignature(note, WITNESS, public)
    assert found is not None
    assert found[0] == 1_779_573_024
    changed = SignedNote(note.text.replace("1432088532", "1432088533"), note.signatures)
    assert find_cosignature(changed, WITNESS, public) is None


def test_the_examples_of_the_specifications_are_read() -> None:
    note = parse_note(SPECIFIED.encode())
    assert encode_note(note) == SPECIFIED
    (_, cosigned) = note.signatures
    assert (cosigned.name, cosigned.key_id.hex()) == ("witness.example.com/w1", "8d66cf3f")
    assert struct.unpack(">Q", cosigned.signature[:8]) == (1_679_315_147,)
    assert verify_cosignature(note.text, cosigned.signature, bytes(32)) is None
    body = f"old 20852014\n{DIGESTS}\n{SPECIFIED}"
    proof = parse_proof(body.encode())
    assert isinstance(proof, ConsistencyProof)
    assert (proof.old_size, len(proof.hashes)) == (20_852_014, 4)
    assert encode_proof(proof) == body
