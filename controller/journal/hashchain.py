# SPDX-License-Identifier: MIT
"""
Entries chained by SHA-256, as pure values.

An entry is an object in canonical JSON: sorted keys, no spaces, UTF-8, whole numbers only.
So one entry has one spelling and one digest. `prev` is the link of the entry before, `link`
the digest of the entry without `link`. Each entry, even the last, reveals a changed byte.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

Value: TypeAlias = bool | int | str | Sequence["Value"] | Mapping[str, "Value"] | None
Body: TypeAlias = Mapping[str, Value]
"""An entry's own fields. Whole numbers only, because floats have several spellings."""


GENESIS_PREV = "0" * 64  # `prev` of the first entry.

MAX_DEPTH = 32  # Far beyond any real entry; deeper nesting only serves to exhaust a reader's stack.

_FieldT = TypeVar("_FieldT", int, str)
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
_FRAME_KEYS = ("at_ms", "kind", "link", "prev", "seq")


class BrokenEntryError(ValueError):
    """A line is no entry, or not the expected one; `what` holds the reason."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(what)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a journal."""

    seq: int  # Counts up from 0.
    at_ms: int  # Wall clock, milliseconds since 1970 in UTC. For people; never used for order.
    kind: str  # What the entry is about.
    body: Body  # Everything else.
    prev: str  # Link of the entry before.
    link: str  # SHA-256 over all of the above, in hexadecimal.


def encode_canonical(value: Value) -> bytes:
    """Encode a value in its only spelling; TypeError for a float, or if it is nested too deep."""
    _require_exact(value)
    return _encode_exact(value)


def _encode_exact(value: Value) -> bytes:
    try:
        return _ENCODER.encode(value).encode()
    except UnicodeEncodeError as error:
        raise TypeError(
            f"entries are in UTF-8, which cannot encode {error.object[error.start]!r}"
        ) from error


def build_next_entry(before: Entry | None, *, at_ms: int, kind: str, body: Body) -> Entry:
    """Chain an entry to the one before, if any; ValueError if it uses a key of the frame."""
    taken = [key for key in _FRAME_KEYS if key in body]
    if taken:
        raise ValueError(f"the body of an entry may not use the key {taken[0]!r}")
    seq = 0 if before is None else before.seq + 1
    prev = GENESIS_PREV if before is None else before.link
    entry = Entry(seq=seq, at_ms=at_ms, kind=kind, body=dict(body), prev=prev, link="")
    return replace(entry, link=compute_link(entry))


def encode_entry(entry: Entry) -> bytes:
    """Encode an entry as its line, without the newline."""
    return encode_canonical({**_fields_without_link(entry), "link": entry.link})


def parse_entry(line: bytes, before: Entry | None) -> Entry:
    """Read a line as the entry that follows `before`; BrokenEntryError if it does not."""
    entry = decode_entry(line)
    expected = {
        "seq": 0 if before is None else before.seq + 1,
        "prev": GENESIS_PREV if before is None else before.link,
        # What was decoded is exact, so its fields need no second check.
        "link": hashlib.sha256(_encode_exact(_fields_without_link(entry))).hexdigest(),
    }
    for name, want in expected.items():
        if want != (found := getattr(entry, name)):
            raise BrokenEntryError(f"expected {name} {want}, found {found}")
    return entry


def decode_entry(line: bytes) -> Entry:
    """Decode a line alone and check no digest; BrokenEntryError if it is not canonical."""
    try:
        entry = _build_entry(_parse_object(line))
        is_canonical = encode_entry(entry) == line
    except (TypeError, RecursionError) as error:
        raise BrokenEntryError(str(error)) from error
    if not is_canonical:
        # Mail programs and some editors do this to every line without any bad intent.
        is_converted = line.endswith(b"\r")
        why = ": a carriage return ends it, as if the file had been converted"
        raise BrokenEntryError(f"the entry is not in canonical form{why if is_converted else ''}")
    return entry


def decode_checked(line: bytes) -> Entry:
    """Decode a line that was checked before, in a quarter of the time; or BrokenEntryError."""
    return _build_entry(_parse_object(line))


def decode_sound(line: bytes) -> Entry | None:
    """Return the entry in a line if its link is right, whatever it follows."""
    try:
        entry = decode_entry(line)
    except BrokenEntryError:
        return None
    return entry if compute_link(entry) == entry.link else None


def compute_link(entry: Entry) -> str:
    """Compute the link from the entry's other fields, whatever link it holds."""
    return hashlib.sha256(encode_canonical(_fields_without_link(entry))).hexdigest()


def _require_exact(value: Value | float, depth: int = 0) -> None:
    if isinstance(value, float):
        raise TypeError(f"entries hold whole numbers only, found {value!r}")
    if depth > MAX_DEPTH:
        raise TypeError(f"entries are nested {MAX_DEPTH} deep at most")
    if value is None or isinstance(value, str | int):
        # Most values end here; the questions below are ten times slower.
        return
    if isinstance(value, Mapping):
        for item in value.values():
            _require_exact(item, depth + 1)
    elif isinstance(value, Sequence):
        for item in value:
            _require_exact(item, depth + 1)


def _fields_without_link(entry: Entry) -> dict[str, Value]:
    return {
        **entry.body,
        "seq": entry.seq,
        "at_ms": entry.at_ms,
        "kind": entry.kind,
        "prev": entry.prev,
    }


def _parse_object(line: bytes) -> dict[str, Value]:
    if not line:
        raise BrokenEntryError("the line is empty")
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BrokenEntryError(f"the line is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise BrokenEntryError(f"expected an object, found {type(found).__name__}")
    return found


def _build_entry(found: dict[str, Value]) -> Entry:
    def require(key: str, kind: type[_FieldT]) -> _FieldT:
        value = found.pop(key, None)
        if type(value) is not kind:
            raise BrokenEntryError(f"expected {key} as {kind.__name__}, found {value!r}")
        return value

    seq, at_ms = require("seq", int), require("at_ms", int)
    kind, prev, link = require("kind", str), require("prev", str), require("link", str)
    return Entry(seq=seq, at_ms=at_ms, kind=kind, body=found, prev=prev, link=link)
