# SPDX-License-Identifier: MIT
"""
Cosignatures of checkpoints by others (c2sp.org/tlog-cosignature, `cosignature/v1`, Ed25519).

Who cosigns states that it has seen a continuous log of this size and root, and when. The
signature line holds the time in seconds, 8 bytes, before the 64 bytes of the signature. A running
table shows its newest checkpoint with those that are in its journal.
"""

from __future__ import annotations

import struct
from itertools import islice

from controller.base.errors import InputError
from controller.journal.checkpoint import decode_base64
from controller.journal.entry_reader import EntryReader
from controller.journal.hashchain import Entry
from controller.journal.signing_key import TableKey, verify_signature
from controller.journal.tlog.checkpoint_note import derive_origin, parse_tree_head, read_entry_note
from controller.journal.tlog.signed_note import NoteSignature, SignedNote, compute_key_id

COSIGNATURE = b"\x04"  # The type of the keys of Ed25519 cosignatures.
_TIME_BYTES, _SIGNATURE_BYTES = 8, 64


def cosign_note(note: SignedNote, name: str, key: TableKey, at_s: int) -> SignedNote:
    """Return a checkpoint's note with a cosignature of this time, in seconds since 1970."""
    return _add_cosignature(note, name, key.public, compute_cosignature(note.text, key, at_s))


def compute_cosignature(text: str, key: TableKey, at_s: int) -> bytes:
    """Return the time and the signature, 72 bytes, for the text of a checkpoint."""
    return struct.pack(">Q", at_s) + key.sign(encode_cosigned(text, at_s))


def attach_cosignature(note: SignedNote, public: bytes, cosignature: bytes) -> SignedNote:
    """Return a note with the cosignature, 72 bytes, of the table or event with this key."""
    return _add_cosignature(note, derive_origin(public), public, cosignature)


def _add_cosignature(note: SignedNote, name: str, public: bytes, cosignature: bytes) -> SignedNote:
    signed = NoteSignature(name, compute_key_id(name, public, COSIGNATURE), cosignature)
    return SignedNote(note.text, (*note.signatures, signed))


def find_cosignature(note: SignedNote, name: str, public: bytes) -> tuple[int, bytes] | None:
    """Return time and 72 bytes of a valid cosignature by this key, 32 bytes; None without."""
    key_id = compute_key_id(name, public, COSIGNATURE)
    for signed in note.signatures:
        if (signed.name, signed.key_id) == (name, key_id):
            at_s = verify_cosignature(note.text, signed.signature, public)
            if at_s is not None:
                return at_s, signed.signature
    return None


def verify_cosignature(text: str, cosignature: bytes, public: bytes) -> int | None:
    """Return the time of a cosignature, 72 bytes, of a note's text; `None` if it is not valid."""
    if len(cosignature) != _TIME_BYTES + _SIGNATURE_BYTES:
        return None
    at_s: int = struct.unpack(">Q", cosignature[:_TIME_BYTES])[0]
    is_valid = verify_signature(public, cosignature[_TIME_BYTES:], encode_cosigned(text, at_s))
    return at_s if is_valid else None


def encode_cosigned(text: str, at_s: int) -> bytes:
    """Return the bytes that a cosigner signs for the text of a checkpoint."""
    return f"cosignature/v1\ntime {at_s}\n{text}".encode()


COSIGNED = "cosigned"
_MOST_BACK = 20_000  # A table writes a checkpoint every round, so it is far nearer than this.


def read_newest_note(entries: EntryReader) -> SignedNote | None:
    """Return the newest checkpoint with its valid cosignatures; None before the first."""
    cosigned: list[Entry] = []
    for entry in islice(entries.read_back(), _MOST_BACK):
        if entry.kind == COSIGNED:
            cosigned.append(entry)
        try:
            note = read_entry_note(entry)
        except InputError:
            continue
        if note is not None:
            return _attach_all(note, cosigned)
    return None


def _attach_all(note: SignedNote, cosigned: list[Entry]) -> SignedNote:
    head = parse_tree_head(note)
    for entry in reversed(cosigned):
        body = entry.body
        if (body.get("size"), body.get("root")) != (head.size, head.root.hex()):
            continue
        try:
            public = bytes.fromhex(str(body.get("key")))
        except ValueError:
            continue
        cosignature = decode_base64(body.get("cosignature"))
        if verify_cosignature(note.text, cosignature, public) is not None:
            note = attach_cosignature(note, public, cosignature)
    return note
