# SPDX-License-Identifier: MIT
"""Change bytes at random, blindly and as text: both find other mistakes."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

MOST_BYTES = 1 << 20
"""Longer results are cut: a slow input is no find."""

NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
WORD = re.compile(rb"[A-Za-z_]{2,}")
ODD_BYTES = (0, 10, 13, 34, 92, 91, 93, 123, 125, 127, 128, 255)
ODD_NUMBERS = (
    *(b"0", b"-1", b"1", b"255", b"256", b"65535", b"2147483647", b"-2147483648"),
    *(b"4294967296", b"9223372036854775808", b"1e400", b"-0.0", b"NaN", b"Infinity", b"0.1"),
    *(b"9" * 400, b"9" * 5000, b"1e-320", b"true", b"null", b'""', b"[]", b"{}"),
)
ODD_TEXTS = (
    *(b"", b"null", b"[" * 5000, b"{" * 3000, b'{"a":' * 3000, b"\xff\xfe", b"\xed\xa0\x80"),
    *(b"\\ud800", b"\\u0000", b"\0", b"../../etc/passwd", b"A" * 3000, "Ädä\u202e".encode()),
    *(b"%s%n", b"\r\n\r\n", b"[[[", b"]]]", b'"', b"'''", b'"""', b"#", b"=", b":"),
)

Mutation = Callable[[bytes, random.Random], bytes]


def mutate(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Return the data after a few random changes; parts of `others` may be put in."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        if others and chance.random() < 0.1:
            data = splice(data, chance.choice(others), chance)
        else:
            data = chance.choice(MUTATIONS)(data, chance)
    return data[:MOST_BYTES]


def splice(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Return the beginning of one and the end of the other."""
    return data[: _any_index(data, chance)] + other[_any_index(other, chance) :]


def _flip_bit(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data or b"\0")
    changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _set_bytes(data: bytes, chance: random.Random) -> bytes:
    at, odd = _any_index(data, chance), bytes([chance.choice(ODD_BYTES)])
    count = chance.choice((1, 1, 2, 4, 8))
    return data[:at] + odd * count + data[at + count :]


def _insert_text(data: bytes, chance: random.Random) -> bytes:
    at = _any_index(data, chance)
    return data[:at] + chance.choice(ODD_TEXTS) + data[at:]


def _remove_part(data: bytes, chance: random.Random) -> bytes:
    at = _any_index(data, chance)
    return data[:at] + data[at + chance.choice((1, 2, 4, 16, 200)) :]


def _repeat_part(data: bytes, chance: random.Random) -> bytes:
    at, length = _any_index(data, chance), chance.choice((1, 4, 40, 400))
    return data[:at] + data[at : at + length] * chance.choice((2, 3, 50)) + data[at + length :]


def _truncate(data: bytes, chance: random.Random) -> bytes:
    return data[: _any_index(data, chance)]


def _swap_lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _change_number(data: bytes, chance: random.Random) -> bytes:
    return _replace_match(NUMBER, chance.choice(ODD_NUMBERS), data, chance)


def _change_word(data: bytes, chance: random.Random) -> bytes:
    words = WORD.findall(data) or [b""]
    return _replace_match(WORD, chance.choice((*words, *ODD_TEXTS)), data, chance)


def _replace_match(form: re.Pattern[bytes], by: bytes, data: bytes, chance: random.Random) -> bytes:
    places = list(form.finditer(data))
    if not places:
        return data + by
    place = chance.choice(places)
    return data[: place.start()] + by + data[place.end() :]


def _any_index(data: bytes, chance: random.Random) -> int:
    # Headers decide most, so the beginning is changed as often as all the rest.
    end = min(len(data), 64) if chance.random() < 0.5 else len(data)
    return chance.randint(0, end)


MUTATIONS: tuple[Mutation, ...] = (
    *(_flip_bit, _set_bytes, _insert_text, _remove_part, _repeat_part, _truncate, _swap_lines),
    *(_change_number, _change_number, _change_word, _change_word),
)
