# SPDX-License-Identifier: MIT
"""
Which bit of a broken line is the wrong one.

A memory card that forgets a bit is no forger, and the two can be told apart: turning just
one bit of the line back gives an entry whose link is right. For anything but that very bit
somebody would have had to break SHA-256.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from controller.journal.hashchain import BrokenEntryError, Entry, compute_link, decode_entry

MAX_BYTES = 8192
"""A longer line is not searched: trying its bits would take longer than all else."""

_LINE_END = 0x0A
_MOST_LINKS = 2
_MOST_DIGESTS = 8
_LINK = re.compile(rb'"link":"(.{64})",', re.DOTALL)
_DIGEST = re.compile(rb"[0-9a-f]{64}")
_TOUCHING = re.compile(rb"\}(?=(.)\{)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BitFlip:
    """
    A bit that was turned.

    Attributes:
        at: Index of its byte in the line; the line's length where its end was hit.
        found: The byte that stands there.
        written: The byte that was written.
    """

    at: int
    found: int
    written: int

    @property
    def found_text(self) -> str:
        """What stands there, for people."""
        return f"byte {self.at} is {_byte_text(self.found)}"

    @property
    def written_text(self) -> str:
        """What was written, for people."""
        return _byte_text(self.written)


def parse_sound_entry(line: bytes) -> Entry | None:
    """Return the entry in a line whose link is right; none where there is no such entry."""
    try:
        entry = decode_entry(line)
    except BrokenEntryError:
        return None
    return entry if compute_link(entry) == entry.link else None


def find_bit_flip(line: bytes, next_prev: str = "") -> tuple[BitFlip, Entry] | None:
    """
    Find the one bit that makes a line a sound entry again.

    Args:
        line: Without its end.
        next_prev: What the line after it holds for the link of this one; empty for none.

    Returns:
        The bit, and the entry as it was written; none where one bit is not all.
    """
    if len(line) > MAX_BYTES:
        return None
    for at, mended in _candidates(line, next_prev.encode()):
        entry = parse_sound_entry(mended)
        if entry is not None:
            return BitFlip(at, line[at], mended[at]), entry
    return None


def find_lost_newline(line: bytes) -> tuple[BitFlip, Entry, Entry] | None:
    """Find the line end that was turned to something else, and the entries on both sides of it."""
    if len(line) > 2 * MAX_BYTES:
        return None
    for match in _TOUCHING.finditer(line):
        at = match.end()
        if not _is_one_bit(line[at], _LINE_END):
            continue
        before, after = parse_sound_entry(line[:at]), parse_sound_entry(line[at + 1 :])
        if before and after:
            return BitFlip(at, line[at], _LINE_END), before, after
    return None


def find_spurious_newline(line: bytes, following: bytes) -> tuple[BitFlip, Entry] | None:
    """Find out whether two broken lines are one entry of which a byte was turned to a line end."""
    if len(line) + len(following) > MAX_BYTES:
        return None
    for written in _one_bit_off(_LINE_END):
        entry = parse_sound_entry(line + bytes([written]) + following)
        if entry is not None:
            return BitFlip(len(line), _LINE_END, written), entry
    return None


def find_flipped_newline(tail: bytes) -> tuple[BitFlip, Entry] | None:
    """Find out whether the file ends with a whole entry of which only the line end was turned."""
    entry = parse_sound_entry(tail[:-1])
    if entry is None or not _is_one_bit(tail[-1], _LINE_END):
        return None
    return BitFlip(len(tail) - 1, tail[-1], _LINE_END), entry


def _candidates(line: bytes, next_prev: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield places, and the line with one bit turned there: the right one, if any is."""
    # What counts stands early in a line; one that is full of them was made to take long.
    for match in islice(_LINK.finditer(line), _MOST_LINKS):
        start, member = match.start(), match.group()
        rest = line[:start] + line[match.end() :]
        right = hashlib.sha256(rest).hexdigest().encode()
        yield from _where_one_bit_off(line, start, b'"link":"' + right + b'",')
        for at, turned in _turned_to(rest, {match.group(1), next_prev}):
            place = at if at < start else at + len(member)
            yield place, turned[:start] + member + turned[start:]
    # The bit may be in what makes the link a link: then only its digest tells where that was.
    digests = (match.group() for match in islice(_DIGEST.finditer(line), _MOST_DIGESTS))
    for digest in {next_prev, *digests} - {b""}:
        member = b'"link":"' + digest + b'",'
        for start in range(len(line) - len(member) + 1):
            yield from _where_one_bit_off(line, start, member)


def _turned_to(rest: bytes, links: set[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the bit that makes one of these links the digest of an entry's other bytes."""
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
    """Yield the line with these bytes from `start` on, where they differ by just one bit."""
    there = line[start : start + len(wanted)]
    differing = int.from_bytes(there, "big") ^ int.from_bytes(wanted, "big")
    if len(there) == len(wanted) and differing.bit_count() == 1:
        at = len(wanted) - 1 - (differing.bit_length() - 1) // 8
        yield start + at, line[:start] + wanted + line[start + len(wanted) :]


def _one_bit_off(byte: int) -> Iterator[int]:
    return (byte ^ (1 << bit) for bit in range(8))


def _is_one_bit(byte: int, other: int) -> bool:
    return (byte ^ other).bit_count() == 1


def _byte_text(byte: int) -> str:
    sign = repr(chr(byte)) if 0x20 <= byte < 0x7F else "no sign of ASCII"
    return f"0x{byte:02x} ({'a line end' if byte == _LINE_END else sign})"
