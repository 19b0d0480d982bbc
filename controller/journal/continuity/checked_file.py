# SPDX-License-Identifier: MIT
"""
Check a journal file at the start of its table, in the memory that a single entry needs.

A table that has played for years must start within seconds. Every line is hashed. If the first
lines are byte for byte what the table remembers signing, it checked them before it signed, so only
the lines after them are checked one by one. Without that memory all are.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO, overload

from controller.base.errors import InputError
from controller.journal.continuity.signing_memory import SigningMemory
from controller.journal.hashchain import BrokenEntryError, Entry, decode_checked, parse_entry
from controller.journal.merkle import MerkleTree


class CheckedEntries(Sequence[Entry]):
    """
    The entries of a checked file, read from it again each time.

    Args:
        ends: Where each line ends in it, in bytes.
        signed: How many of them the table signed and remembers.

    Each access raises `InputError` if a signed line is no entry: then the memory is forged too.
    """

    def __init__(self, path: Path, ends: Sequence[int] = (), signed: int = 0) -> None:
        self.path = path
        self.signed = signed
        self._ends = ends

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, index: int) -> Entry: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Entry, ...]: ...

    def __getitem__(self, index: int | slice) -> Entry | tuple[Entry, ...]:
        if isinstance(index, slice):
            first, end, step = index.indices(len(self))
            return tuple(self._read(first, end))[::step] if step > 0 else tuple(self)[index]
        number = range(len(self))[index]
        return next(self._read(number, number + 1))

    def __iter__(self) -> Iterator[Entry]:
        return self._read(0, len(self))

    def read_from(self, number: int) -> Iterator[Entry]:
        """Yield the entries from this number on."""
        return self._read(number, len(self))

    def size_bytes(self, count: int) -> int:
        """Return the bytes of the first lines, with their newlines."""
        return self._ends[count - 1] if count else 0

    def _read(self, first: int, end: int) -> Iterator[Entry]:
        if first >= end:
            return
        with open(self.path, "rb") as file:
            file.seek(self._ends[first - 1] if first else 0)
            for number, line in enumerate(islice(file, end - first), start=first + 1):
                yield _decode_signed(line[:-1], self.path, number)


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that was read to its end."""

    entries: CheckedEntries
    tree: MerkleTree  # The tree over them.
    last: Entry | None  # The newest; None for an empty file.
    size_bytes: int  # The bytes of all whole lines.
    torn: bytes  # What stands after them.
    contradiction: str  # How they contradict what the table signed; empty if they do not.


def index_entries(path: Path, count: int) -> CheckedEntries:
    """Return the first entries of a file that somebody checked already."""
    with open(path, "rb") as file:
        _, ends, _ = _hash_lines(file, count)
    return CheckedEntries(path, ends)


def check_file(file_fd: int | None, path: Path, memory: SigningMemory | None) -> CheckedFile:
    """Read a file to its end, if a full disk had room for it; InputError if an entry is broken."""
    if file_fd is None:
        contradiction = memory.find_contradiction(MerkleTree()) if memory else ""
        return CheckedFile(CheckedEntries(path), MerkleTree(), None, 0, b"", contradiction)
    with open(os.dup(file_fd), "rb") as file:
        tree, ends, line = _hash_lines(file, memory.checkpoint.size if memory else 0)
        contradiction = memory.find_contradiction(tree) if memory else ""
        if contradiction:
            tree, ends = MerkleTree(), array("Q")
        signed, size, torn = len(ends), ends[-1] if ends else 0, b""
        last = _decode_signed(line, path, signed) if signed else None
        file.seek(size)
        for line in file:
            if not line.endswith(b"\n"):
                torn = line
                break
            try:
                last = parse_entry(line[:-1], last)
            except BrokenEntryError as error:
                raise _broken(path, tree.size + 1, error) from error
            tree.append(line[:-1])
            ends.append(size := size + len(line))
    return CheckedFile(CheckedEntries(path, ends, signed), tree, last, size, torn, contradiction)


def _hash_lines(file: BinaryIO, most: int) -> tuple[MerkleTree, array[int], bytes]:
    """Return the tree of the first lines, where they end, and the last without its newline."""
    tree, ends, size, line = MerkleTree(), array("Q"), 0, b""
    file.seek(0)
    for found in islice(file, most):
        if found.endswith(b"\n"):
            line = found[:-1]
            tree.append(line)
            ends.append(size := size + len(found))
    return tree, ends, line


def _decode_signed(line: bytes, path: Path, number: int) -> Entry:
    try:
        return decode_checked(line)
    except BrokenEntryError as error:
        raise _broken(path, number, error) from error


def _broken(path: Path, number: int, error: BrokenEntryError) -> InputError:
    where = f"{path}, line {number}"
    return InputError(expected="an unbroken journal", found=error.what, where=where)
