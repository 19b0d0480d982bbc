# SPDX-License-Identifier: MIT
"""
A checkpoint: the table's signature over every entry so far.

Keep one, as a photo or by its words, and you can check later that no entry before it changed.
The code on the screen holds all of it. The words can be read out, but they hold fewer bits of
the root. Stretching makes it too slow to search for a second past with words already shown.
The words do not stop someone who prepares two pasts before they are shown; the code does.
"""

from __future__ import annotations

import base64
import difflib
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from controller.base.errors import InputError
from controller.journal.hashchain import Body, Value, encode_canonical
from controller.journal.wordlist import WORDS

CHECKPOINT = "checkpoint"  # The kind of its entry.
WHAT = "dicebell checkpoint 1"
WORD_COUNT = 6
_MOST_BASE64 = 200  # Characters of a key or a signature, and of what claims to be one.

_PREFIX = "dicebell1"
_ROOT_BYTES, _SIGNATURE_BYTES, _KEY_BYTES = 32, 64, 32
_STRETCH_ROUNDS = 20_000
"""Rounds of SHA-256: milliseconds for one checkpoint, too long for a search of 2**48 pasts."""
_EXPECTED = f"{_PREFIX}:SIZE:TIME:ROOT:SIGNATURE or SIZE and {WORD_COUNT} words"
_SIZE = re.compile(r"[1-9][0-9]{0,8}")
"""From 1, since a started journal has an entry; no disk holds more entries than nine digits."""
_TIME = re.compile(r"0|[1-9][0-9]{0,17}")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a table signs."""

    size: int  # Number of entries it covers: those from 0 to `size - 1`.
    root: bytes  # Root of the tree over their lines, 32 bytes.
    at_ms: int  # Wall clock, milliseconds since 1970 in UTC.
    signature: bytes  # 64 bytes over `encode_for_signing`, by the table's key.


@dataclass(frozen=True, slots=True)
class CheckpointWords:
    """A checkpoint as a person wrote it down: its size and its words."""

    size: int
    words: tuple[str, ...]


def encode_for_signing(*, size: int, root: bytes, at_ms: int) -> bytes:
    """Return the bytes that are signed: a canonical object that cannot be mistaken for an entry."""
    return encode_canonical({"at_ms": at_ms, "root": root.hex(), "size": size, "what": WHAT})


def derive_words(size: int, root: bytes) -> tuple[str, ...]:
    """Return the six words of a size and a root; slow on purpose, some milliseconds."""
    drawn = hashlib.pbkdf2_hmac("sha256", root, f"{WHAT} {size}".encode(), _STRETCH_ROUNDS)
    return tuple(WORDS[byte] for byte in drawn[:WORD_COUNT])


def format_words(size: int, root: bytes) -> str:
    """Return size and words in one line, as they are shown."""
    return " ".join((str(size), *derive_words(size, root)))


def encode_checkpoint(checkpoint: Checkpoint) -> str:
    """Return the text of the code on the screen."""
    root, signature = encode_base64(checkpoint.root), encode_base64(checkpoint.signature)
    return f"{_PREFIX}:{checkpoint.size}:{checkpoint.at_ms}:{root}:{signature}"


def parse_checkpoint(text: str) -> Checkpoint | CheckpointWords:
    """Parse a code, or words with any capitals, commas and spaces; InputError if it is neither."""
    parts = text.strip().split(":")
    if parts[0] == _PREFIX:
        return _parse_code(parts)
    found = text.lower().replace(",", " ").split()
    if len(found) != WORD_COUNT + 1:
        raise InputError(expected=_EXPECTED, found=repr(text), where="checkpoint")
    size, *words = found
    return CheckpointWords(_parse_size(size), tuple(_parse_word(word) for word in words))


def build_checkpoint_body(
    checkpoint: Checkpoint, *, key_hex: str, note_signature: bytes | None = None
) -> Body:
    """Return the fields of a checkpoint's entry, without its time; older ones have no note."""
    note: Body = {"note": encode_base64(note_signature)} if note_signature else {}
    return {
        "size": checkpoint.size,
        "root": checkpoint.root.hex(),
        "signature": encode_base64(checkpoint.signature),
        "key": key_hex,
        **note,
    }


def decode_checkpoint(body: Body, *, at_ms: int) -> tuple[Checkpoint, bytes]:
    """Return the checkpoint in a body, and the 32 bytes of its key; InputError if malformed."""
    size = body.get("size")
    if type(size) is not int or size < 0:
        raise InputError(expected="size as a number from 0", found=repr(size), where="size")
    root = _decode_hex(body, "root", _ROOT_BYTES)
    signature = _decode_exact(str(body.get("signature")), "signature", _SIGNATURE_BYTES)
    return Checkpoint(size, root, at_ms, signature), decode_key(body)


def decode_note_signature(body: Body) -> bytes | None:
    """Return the signature of the checkpoint's note, None without one; InputError if malformed."""
    if "note" not in body:
        return None
    return _decode_exact(str(body["note"]), "note", _SIGNATURE_BYTES)


def decode_key(body: Body) -> bytes:
    """Return the 32 bytes of the public key that an entry names; InputError if it names no key."""
    return _decode_hex(body, "key", _KEY_BYTES)


def _parse_code(parts: list[str]) -> Checkpoint:
    if len(parts) != 5:
        found = f"{len(parts)} parts between colons"
        raise InputError(expected=_EXPECTED, found=found, where="checkpoint")
    _, size, at_ms, root, signature = parts
    return Checkpoint(
        size=_parse_size(size),
        root=_decode_exact(root, "root", _ROOT_BYTES),
        at_ms=_parse_number(at_ms, _TIME, "time as a whole number"),
        signature=_decode_exact(signature, "signature", _SIGNATURE_BYTES),
    )


def _parse_size(text: str) -> int:
    return _parse_number(text, _SIZE, "size as a whole number from 1 to 999999999")


def _parse_number(text: str, form: re.Pattern[str], expected: str) -> int:
    if not form.fullmatch(text):
        raise InputError(expected=expected, found=repr(text), where="checkpoint")
    return int(text)


def _parse_word(word: str) -> str:
    if word in WORDS:
        return word
    near = difflib.get_close_matches(word, WORDS, n=3)
    hint = f", such as {' or '.join(near)}" if near else ""
    raise InputError(
        expected=f"one of the {len(WORDS)} words of checkpoints{hint}",
        found=repr(word),
        where="checkpoint",
    )


def encode_base64(data: bytes) -> str:
    """Return bytes in base64url without padding, as entries hold them."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode_base64(text: object) -> bytes:
    """Return the bytes of a short text in base64url without padding; no byte for anything else."""
    if not isinstance(text, str) or len(text) > _MOST_BASE64:
        return b""
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return b""


def _decode_exact(text: str, name: str, length: int) -> bytes:
    data = decode_base64(text)
    # One value has one spelling; ignored characters or leftover bits would make a second one.
    if len(data) != length or encode_base64(data) != text:
        expected = f"{name} as {length} bytes in base64url without padding"
        raise InputError(expected=expected, found=repr(text), where="checkpoint")
    return data


def _decode_hex(body: Mapping[str, Value], name: str, length: int) -> bytes:
    text = body.get(name)
    if not isinstance(text, str) or not re.fullmatch(f"[0-9a-f]{{{2 * length}}}", text):
        expected = f"{name} as {2 * length} hexadecimal digits"
        raise InputError(expected=expected, found=repr(text), where=name)
    return bytes.fromhex(text)
