# SPDX-License-Identifier: MIT
"""Notes are those of other programs, byte for byte, and what is no note is refused."""

from __future__ import annotations

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.base.errors import InputError
from controller.journal.tlog.checkpoint_note import (
    TreeHead,
    build_note,
    derive_origin,
    encode_tree_head,
    is_signed_by,
    parse_tree_head,
)
from controller.journal.tlog.signed_note import (
    NoteSignature,
    SignedNote,
    compute_key_id,
    encode_note,
    encode_verifier_key,
    parse_note,
    parse_verifier_key,
)

# The example of golang.org/x/mod/sumdb/note.
GO_VERIFIER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_SIGNER = "AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
GO_TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
GO_NOTE = (
    f"{GO_TEXT}\n\N{EM DASH} PeterNeumann "
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
# The second signer of its tests, whose key follows from a seed of zeros.
ENOCH_VERIFIER = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
ENOCH_LINE = (
    "\N{EM DASH} EnochRoot "
    "rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n"
)
# The example of c2sp.org/signed-note.
C2SP_VERIFIER = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
C2SP_NOTE = (
    "This is an example message.\n\n\N{EM DASH} example.com/foo "
    "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key().public_bytes_raw()


@pytest.mark.parametrize(("verifier", "text"), [(GO_VERIFIER, GO_NOTE), (C2SP_VERIFIER, C2SP_NOTE)])
def test_a_published_note_is_verified(verifier: str, text: str) -> None:
    name, public = parse_verifier_key(verifier)
    assert encode_verifier_key(name, public) == verifier
    note = parse_note(text.encode())
    assert encode_note(note) == text
    assert is_signed_by(note, name, public)
    assert not is_signed_by(note, f"{name}x", public)
    changed = parse_note(text.replace("is", "was", 1).encode())
    assert not is_signed_by(changed, name, public)


def test_a_published_note_is_signed_to_the_byte() -> None:
    name, public = parse_verifier_key(GO_VERIFIER)
    key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(GO_SIGNER)[1:])
    assert key.public_key().public_bytes_raw() == public
    signed = NoteSignature(name, compute_key_id(name, public), key.sign(GO_TEXT.encode()))
    assert encode_note(SignedNote(GO_TEXT, (signed,))) == GO_NOTE


def test_a_published_note_of_two_signers_is_verified_for_both() -> None:
    note = parse_note(f"{GO_NOTE}{ENOCH_LINE}".encode())
    for verifier in (GO_VERIFIER, ENOCH_VERIFIER):
        assert is_signed_by(note, *parse_verifier_key(verifier))
    name, public = parse_verifier_key(ENOCH_VERIFIER)
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    assert key.public_key().public_bytes_raw() == public
    assert encode_verifier_key(name, public) == ENOCH_VERIFIER
    twice = parse_note(f"{GO_NOTE}{ENOCH_LINE}{ENOCH_LINE}".encode())
    assert is_signed_by(twice, name, public)


def test_a_checkpoint_is_a_note_of_three_lines() -> None:
    head = encode_tree_head(PUBLIC, 7, bytes(32))
    note = build_note(PUBLIC, 7, bytes(32), KEY.sign(head.encode()))
    origin = derive_origin(PUBLIC)
    assert note.text == f"{origin}\n7\n{'A' * 43}=\n"
    assert is_signed_by(parse_note(encode_note(note).encode()), origin, PUBLIC)
    assert parse_tree_head(note) == TreeHead(origin, 7, bytes(32))


def test_signatures_of_witnesses_stand_beside_the_tables() -> None:
    head = encode_tree_head(PUBLIC, 7, bytes(32))
    note = build_note(PUBLIC, 7, bytes(32), KEY.sign(head.encode()))
    witness = NoteSignature("w.example", b"1234", bytes(72))
    text = encode_note(SignedNote(note.text, (witness, *note.signatures)))
    assert is_signed_by(parse_note(text.encode()), derive_origin(PUBLIC), PUBLIC)


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", "text\n", "text\n\n", "text\n\n— a AAAAAAAA", "text\n\na AAAAAAAA\n",
     "text\n\n— a\n", "text\n\n— a AAAA\n", "text\n\n— a+b AAAAAAAA\n", "text\n\n—  AAAAAAAA\n",
     "te\0xt\n\n— a AAAAAAAA\n", "text\n\n— a AAAAAAA!\n", "text\n\n" + "— a AAAAAAAA\n" * 101],
)  # fmt: skip
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected a signed note"):
        parse_note(text.encode())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("text\n", "no empty line before signatures"),
        ("text\n\n— a AAAAAAAA", "no newline at its end"),
    ],
)
def test_a_refused_note_names_the_line_that_is_missing(text: str, why: str) -> None:
    with pytest.raises(InputError, match=f"found {why}"):
        parse_note(text.encode())


@pytest.mark.parametrize("text", ["", "\n", "o\n-1\nAAAA\n", "o\n01\nAAAA\n", "o\n1\nAAAA\n"])
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_tree_head(SignedNote(text, ()))


@pytest.mark.parametrize(
    "text", ["", "a+b", "a+c74f20a3+", GO_VERIFIER[:-1], GO_VERIFIER.replace("c7", "c8"), "+" * 9]
)
def test_what_is_no_verifier_key_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected a verifier key"):
        parse_verifier_key(text)
