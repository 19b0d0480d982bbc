# SPDX-License-Identifier: MIT
"""
Find the wrong bit in a broken line.

If a memory card loses a bit, flipping it back restores an entry with a valid link. Nobody can
forge such an entry without breaking SHA-256.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from controller.journal.hashchain import Entry, decode_sound

MAX_BYTES = 8192  # Longer lines are not searched; that would take longer than all other checks.

_LINE_END = 0x0A
_MOST_LINKS = 2
_MOST_DIGESTS = 8
_LINK = re.compile(rb'"link":"(.{64})",', re.DOTALL)
_DIGEST = re.compile(rb"[0-9a-f]{64}")
_TOUCHING = re.compile(rb"\}(?=(.)\{)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BitFlip:
    at: int  # Index of its byte in the line; the line's length if it hit the newline.
    found: int
    written: int  # The byte that was written.

    @property
    def found_text(self) -> str:
        return f"byte {self.at} is {_byte_text(self.found)}"

    @property
    def written_text(self) -> str:
        return _byte_text(self.written)


def find_bit_flip(line: bytes, next_prev: str = "") -> tuple[BitFlip, Entry] | None:
    """Return the bit that makes a line sound, and its entry; `next_prev` is its link, if known."""
    if len(line) > MAX_BYTES:
        return None
    for at, mended in _candidates(line, next_prev.encode()):
        entry = decode_sound(mended)
        if entry is not None:
            return BitFlip(at, line[at], mended[at]), entry
    return None


def find_lost_newline(line: bytes) -> tuple[BitFlip, Entry, Entry] | None:
    """Find a newline that was flipped to another byte, and the entries on both sides."""
    if len(line) > 2 * MAX_BYTES:
        return None
    for match in _TOUCHING.finditer(line):
        at = match.end()
        if not _was_line_end(line[at]):
            continue
        before, after = decode_sound(line[:at]), decode_sound(line[at + 1 :])
        if before and after:
            return BitFlip(at, line[at], _LINE_END), before, after
    return None


def find_spurious_newline(line: bytes, following: bytes) -> tuple[BitFlip, Entry] | None:
    """Find a byte that was flipped to a newline and split one entry into two lines."""
    if len(line) + len(following) > MAX_BYTES:
        return None
    for written in _one_bit_off(_LINE_END):
        entry = decode_sound(line + bytes([written]) + following)
        if entry is not None:
            return BitFlip(len(line), _LINE_END, written), entry
    return None


def find_flipped_newline(tail: bytes) -> tuple[BitFlip, Entry] | None:
    """Find a flipped newline after the last entry of the file."""
    entry = decode_sound(tail[:-1])
    if entry is None or not _was_line_end(tail[-1]):
        return None
    return BitFlip(len(tail) - 1, tail[-1], _LINE_END), entry


def _candidates(line: bytes, next_prev: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield positions and the line with one bit flipped there; the right one is among them."""
    # The real link is early in a line; a line full of links was made to slow the search.
    for match in islice(_LINK.finditer(line), _MOST_LINKS):
        start, member = match.start(), match.group()
        rest = line[:start] + line[match.end() :]
        right = hashlib.sha256(rest).hexdigest().encode()
        yield from _where_one_bit_off(line, start, b'"link":"' + right + b'",')
        for at, turned in _turned_to(rest, {match.group(1), next_prev}):
            place = at if at < start else at + len(member)
            yield place, turned[:start] + member + turned[start:]
    # The bit may be in the syntax of the link; then only its digest marks its position.
    digests = (match.group() for match in islice(_DIGEST.finditer(line), _MOST_DIGESTS))
    for digest in {next_prev, *digests} - {b""}:
        member = b'"link":"' + digest + b'",'
        for start in range(len(line) - len(member) + 1):
            yield from _where_one_bit_off(line, start, member)


def _turned_to(rest: bytes, links: set[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the bit whose flip gives an entry's other bytes one of these links."""
    wanted = {bytes.fromhex(link.decode()) for link in links if _DIGEST.fullmatch(link)}
    so_far = hashlib.sha256()
    for at, byte in enumerate(rest):
        following = rest[at + 1 :]
        for turned in _one_bit_off(byte):
            trial = so_far.copy()
            trial.update(bytes([turned]) + following)
            if trial.digest() in wanted:
                yield at, rest[:at] + bytes([turned]) + following
        so_far.update(rest[at : at + 1])


def _where_one_bit_off(line: bytes, start: int, wanted: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the line with the wanted bytes at `start`, if one bit makes the difference."""
    there = line[start : start + len(wanted)]
    differing = int.from_bytes(there, "big") ^ int.from_bytes(wanted, "big")
    if len(there) == len(wanted) and differing.bit_count() == 1:
        at = len(wanted) - 1 - (differing.bit_length() - 1) // 8
        yield start + at, line[:start] + wanted + line[start + len(wanted) :]


def _one_bit_off(byte: int) -> Iterator[int]:
    return (byte ^ (1 << bit) for bit in range(8))


def _was_line_end(byte: int) -> bool:
    return (byte ^ _LINE_END).bit_count() == 1


def _byte_text(byte: int) -> str:
    sign = repr(chr(byte)) if 0x20 <= byte < 0x7F else "not an ASCII character"
    return f"0x{byte:02x} ({'a line end' if byte == _LINE_END else sign})"
