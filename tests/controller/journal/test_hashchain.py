# SPDX-License-Identifier: MIT
"""Entries bind to the one before, have one spelling, and tell every changed byte."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.journal.hashchain import (
    GENESIS_PREV,
    Body,
    BrokenEntryError,
    Entry,
    Value,
    build_next_entry,
    encode_canonical,
    encode_entry,
    parse_entry,
)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
BODIES = st.dictionaries(st.text(min_size=6), VALUES, max_size=4)


def chain(*bodies: Body) -> list[Entry]:
    entries: list[Entry] = []
    for number, body in enumerate(bodies):
        before = entries[-1] if entries else None
        entries.append(build_next_entry(before, at_ms=1000 + number, kind="test", body=body))
    return entries


@given(BODIES)
def test_an_entry_reads_back_as_it_was_written(body: Body) -> None:
    entry = chain(body)[0]
    assert parse_entry(encode_entry(entry), None) == entry


def test_the_link_is_the_digest_of_the_line_without_the_link() -> None:
    line = encode_entry(chain({"roll": "13446"})[0])
    found = json.loads(line)
    link = found.pop("link")
    spelled = json.dumps(found, sort_keys=True, separators=(",", ":")).encode()
    assert hashlib.sha256(spelled).hexdigest() == link
    assert found["prev"] == GENESIS_PREV


def test_every_flipped_bit_of_an_entry_is_told() -> None:
    first, second = chain({"by": "Ada"}, {"roll": "13446", "by": "Bö"})
    line = encode_entry(second)
    for place in range(len(line)):
        for bit in range(8):
            changed = bytearray(line)
            changed[place] ^= 1 << bit
            with pytest.raises(BrokenEntryError):
                parse_entry(bytes(changed), first)


def test_an_entry_left_out_is_told_with_the_number_expected() -> None:
    first, _, third = chain({}, {}, {})
    with pytest.raises(BrokenEntryError, match="expected seq 1, found 2"):
        parse_entry(encode_entry(third), first)


def test_an_entry_of_another_chain_is_told() -> None:
    mine, other = chain({"table": "mine"}), chain({"table": "other"}, {})
    with pytest.raises(BrokenEntryError, match="expected prev"):
        parse_entry(encode_entry(other[1]), mine[0])


def test_another_spelling_of_the_same_entry_is_refused() -> None:
    spaced = json.dumps(json.loads(encode_entry(chain({})[0])), sort_keys=True).encode()
    with pytest.raises(BrokenEntryError, match="canonical"):
        parse_entry(spaced, None)


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"7", b"\xff\xfe", b'{"seq":0}', b"[" * 9999])
def test_what_is_no_entry_is_told(line: bytes) -> None:
    with pytest.raises(BrokenEntryError):
        parse_entry(line, None)


def test_a_line_that_was_converted_on_its_way_says_so() -> None:
    line = encode_entry(chain({})[0])
    with pytest.raises(BrokenEntryError, match="as if the file had been converted"):
        parse_entry(line + b"\r", None)
    with pytest.raises(BrokenEntryError, match="the line is empty"):
        parse_entry(b"", None)


def test_floats_have_no_spelling() -> None:
    with pytest.raises(TypeError, match="whole numbers"):
        encode_canonical({"mm": [1.5]})  # type: ignore[list-item]


def test_a_lone_surrogate_stands_in_no_entry() -> None:
    with pytest.raises(TypeError, match="UTF-8"):
        encode_canonical({"by": "\ud800"})
    line = encode_entry(chain({"by": "?"})[0])
    for half in ("\ud800".encode("utf-8", "surrogatepass"), b"\\ud800"):
        with pytest.raises(BrokenEntryError, match="UTF-8"):
            parse_entry(line.replace(b"?", half), None)


def test_a_body_may_not_write_over_the_frame() -> None:
    with pytest.raises(ValueError, match="'seq'"):
        build_next_entry(None, at_ms=0, kind="test", body={"seq": 7})


@pytest.mark.parametrize("depth", [40, 300, 900, 980, 100_000])
def test_a_deeply_nested_line_is_refused_without_recursion(depth: int) -> None:
    nested = b"[" * depth + b"]" * depth
    for name in (b"body", b"seq"):
        with pytest.raises(BrokenEntryError):
            parse_entry(b'{"%s":%s}' % (name, nested), None)
    deep: Value = []
    for _ in range(39):
        deep = [deep]
    with pytest.raises(TypeError, match="32 deep"):
        encode_canonical({"body": deep})
