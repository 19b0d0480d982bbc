# SPDX-License-Identifier: MIT
"""The whole chain and the root of lines, which the program only computes line by line."""

from __future__ import annotations

from collections.abc import Iterable

from controller.journal.hashchain import BrokenEntryError, Entry, parse_entry
from controller.journal.merkle import MerkleTree


def parse_entries(lines: Iterable[bytes]) -> tuple[tuple[Entry, ...], str]:
    """Return the entries up to the first broken line, and what is wrong there; empty if nothing."""
    entries: list[Entry] = []
    for line in lines:
        try:
            entries.append(parse_entry(line, entries[-1] if entries else None))
        except BrokenEntryError as error:
            return tuple(entries), error.what
    return tuple(entries), ""


def compute_root(lines: Iterable[bytes]) -> bytes:
    return MerkleTree(lines).root()
