# SPDX-License-Identifier: MIT
"""
Signed notes of C2SP: a text, an empty line, and a line for each signature.

A signature line holds the signer's name and, in base64, the first four bytes that identify the
key, and 64 bytes of Ed25519 over the text with its last newline. See c2sp.org/signed-note.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from controller.base.errors import InputError

ED25519 = b"\x01"  # The type of the keys of notes and of their signatures.
MAX_NOTE_BYTES = 1_000_000
MAX_SIGNATURES = 100
_DASH = "\N{EM DASH} "
_KEY_ID_BYTES, _SIGNATURE_BYTES, _KEY_BYTES = 4, 64, 32
_NAME = re.compile(r"[^\s+]+")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_EXPECTED = "a signed note: a text, an empty line and its signatures"


@dataclass(frozen=True, slots=True)
class NoteSignature:
    """A signature of a note; `name` and `key_id`, 4 bytes, identify the signer."""

    name: str
    key_id: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class SignedNote:
    """A note; `text` ends with a newline."""

    text: str
    signatures: tuple[NoteSignature, ...]


def compute_key_id(name: str, public: bytes, kind: bytes = ED25519) -> bytes:
    """Return the four bytes that identify a key of this type with this name."""
    return hashlib.sha256(name.encode() + b"\n" + kind + public).digest()[:_KEY_ID_BYTES]


def encode_verifier_key(name: str, public: bytes) -> str:
    """Return a name and a public key, 32 bytes, as tools for signed notes take them."""
    key = base64.b64encode(ED25519 + public).decode("ascii")
    return f"{name}+{compute_key_id(name, public).hex()}+{key}"


def parse_verifier_key(text: str) -> tuple[str, bytes]:
    """Return name and public key, 32 bytes, of a verifier key; InputError if it is none."""
    parts = text.strip().split("+", 2)
    key = decode_padded(parts[2]) if len(parts) == 3 else None
    if (
        not _NAME.fullmatch(parts[0])
        or key is None
        or len(key) != 1 + _KEY_BYTES
        or not key.startswith(ED25519)
        or parts[1] != compute_key_id(parts[0], key[1:]).hex()
    ):
        expected = "a verifier key NAME+ID+KEY of type Ed25519"
        raise InputError(expected=expected, found=repr(text), where="key")
    return parts[0], key[1:]


def encode_note(note: SignedNote) -> str:
    """Return a note as it is written to a file."""
    lines = (
        f"{_DASH}{each.name} {base64.b64encode(each.key_id + each.signature).decode('ascii')}\n"
        for each in note.signatures
    )
    return f"{note.text}\n{''.join(lines)}"


def parse_note(content: bytes) -> SignedNote:
    """Read a note, and verify nothing; InputError if it is none."""
    if len(content) > MAX_NOTE_BYTES:
        raise _note_error(f"{len(content)} bytes")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _note_error("no UTF-8") from error
    # Signatures follow the last empty line, so the text itself may hold empty lines.
    end = text.rfind("\n\n")
    if end < 0 or not text.endswith("\n"):
        raise _note_error("no empty line before signatures" if end < 0 else "no newline at its end")
    if _CONTROL.search(text):
        raise _note_error("a control character")
    signatures = tuple(_parse_signatures(text[end + 2 :]))
    if not 1 <= len(signatures) <= MAX_SIGNATURES:
        raise _note_error(f"{len(signatures)} signatures")
    return SignedNote(text[: end + 1], signatures)


def _parse_signatures(text: str) -> Iterator[NoteSignature]:
    for line in text.split("\n")[:-1]:
        name, _, data = line.removeprefix(_DASH).partition(" ")
        decoded = decode_padded(data)
        is_signature = line.startswith(_DASH) and _NAME.fullmatch(name)
        if not is_signature or decoded is None or len(decoded) <= _KEY_ID_BYTES:
            raise _note_error(f"{line[:100]!r} among the signatures")
        yield NoteSignature(name, decoded[:_KEY_ID_BYTES], decoded[_KEY_ID_BYTES:])


def decode_padded(text: str) -> bytes | None:
    """Return the bytes in base64 with padding; `None` for any other text."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode("ascii") == text else None


def _note_error(found: str) -> InputError:
    return InputError(expected=_EXPECTED, found=found, where="note")
