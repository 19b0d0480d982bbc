# SPDX-License-Identifier: MIT
"""
Checkpoints as C2SP defines them (c2sp.org/tlog-checkpoint): origin, size, root in a signed note.

The origin names the log. Here it names the table, by its public key. So a table that signs two
histories signs them under one name, and others can detect that.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass

from controller.base.errors import InputError
from controller.journal.checkpoint import (
    CHECKPOINT,
    Checkpoint,
    build_checkpoint_body,
    decode_checkpoint,
    decode_note_signature,
    encode_for_signing,
)
from controller.journal.hashchain import Body, Entry
from controller.journal.signing_key import TableKey, verify_signature
from controller.journal.tlog.signed_note import (
    NoteSignature,
    SignedNote,
    compute_key_id,
    decode_padded,
)

_ORIGIN_DIGITS = 32
_ROOT_BYTES = 32
_SIZE = re.compile(r"0|[1-9][0-9]{0,17}")


@dataclass(frozen=True, slots=True)
class TreeHead:
    """The size and the root, 32 bytes, that the text of a checkpoint names for an origin."""

    origin: str
    size: int
    root: bytes


def derive_origin(public: bytes) -> str:
    """Return the origin of the table with this public key, 32 bytes."""
    return f"dicebell/{hashlib.sha256(public).hexdigest()[:_ORIGIN_DIGITS]}"


def encode_tree_head(public: bytes, size: int, root: bytes) -> str:
    """Return the text that the table with this public key signs for a note."""
    return f"{derive_origin(public)}\n{size}\n{base64.b64encode(root).decode('ascii')}\n"


def sign_checkpoint(key: TableKey, size: int, root: bytes, at_ms: int) -> tuple[Checkpoint, Body]:
    """Return a checkpoint of this time, and the fields of its entry, with the note's signature."""
    signed = key.sign(encode_for_signing(size=size, root=root, at_ms=at_ms))
    note = key.sign(encode_tree_head(key.public, size, root).encode())
    made = Checkpoint(size, root, at_ms, signed)
    return made, build_checkpoint_body(made, key_hex=key.public_hex, note_signature=note)


def build_note(public: bytes, size: int, root: bytes, signature: bytes) -> SignedNote:
    """Return the note of a checkpoint; `signature` is over `encode_tree_head`."""
    origin = derive_origin(public)
    signed = NoteSignature(origin, compute_key_id(origin, public), signature)
    return SignedNote(encode_tree_head(public, size, root), (signed,))


def read_entry_note(entry: Entry) -> SignedNote | None:
    """Return the note in a checkpoint's entry, unchecked, or None; InputError if malformed."""
    signature = decode_note_signature(entry.body) if entry.kind == CHECKPOINT else None
    if signature is None:
        return None
    checkpoint, key = decode_checkpoint(entry.body, at_ms=entry.at_ms)
    if checkpoint.size != entry.seq or not checkpoint.size:
        return None
    return build_note(key, checkpoint.size, checkpoint.root, signature)


def parse_tree_head(note: SignedNote) -> TreeHead:
    """Return what a checkpoint's note is about, without extensions; InputError if it is none."""
    origin, size, root, *_ = [*note.text.split("\n"), "", "", ""]
    if not origin or not _SIZE.fullmatch(size):
        raise InputError(
            expected="a checkpoint: lines with origin, size and root",
            found=repr(note.text[:100]),
            where="note",
        )
    return TreeHead(origin, int(size), decode_hash(root))


def decode_hash(text: str) -> bytes:
    """Return the 32 bytes of a digest in base64; InputError if it is not a digest."""
    data = decode_padded(text)
    if data is None or len(data) != _ROOT_BYTES:
        expected = f"a digest of {_ROOT_BYTES} bytes in base64"
        raise InputError(expected=expected, found=repr(text[:100]), where="proof")
    return data


def is_signed_by(note: SignedNote, name: str, public: bytes) -> bool:
    """Return whether this key signed the note under this name; others may have signed it too."""
    key_id = compute_key_id(name, public)
    return any(
        verify_signature(public, signed.signature, note.text.encode())
        for signed in note.signatures
        if (signed.name, signed.key_id) == (name, key_id)
    )
