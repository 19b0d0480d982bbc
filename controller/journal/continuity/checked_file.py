# SPDX-License-Identifier: MIT
"""
Check a journal file at the start of its table, in the memory that a single entry needs.

A table that has played for years must start within seconds. Every line is hashed. If the first
lines are byte for byte what the table remembers signing, it checked them before it signed, so only
the lines after them are checked one by one. Without that memory all are.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from controller.errors import InputError
from controller.journal.continuity.signing_memory import SigningMemory
from controller.journal.hashchain import BrokenEntryError, Entry, decode_checked, parse_entry
from controller.journal.merkle import MerkleTree


@dataclass(frozen=True, slots=True)
class CheckedEntries:
    """
    The entries of a checked file, read from it again each time.

    Attributes:
        path: The journal file.
        count: How many there are.
        signed: How many of them the table signed and remembers.
    """

    path: Path
    count: int = 0
    signed: int = 0

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Entry]:
        """
        Yield the entries.

        Raises:
            InputError: A signed line is no entry, so the memory of the signature is forged too.
        """
        if not self.count:
            return
        with open(self.path, "rb") as file:
            for number, line in enumerate(islice(file, self.count), start=1):
                yield _decode_signed(line[:-1], self.path, number)


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """
    A file that was read to its end.

    Attributes:
        entries: Its entries.
        tree: The tree over them.
        last: The newest; None for an empty file.
        size_bytes: The bytes of all whole lines.
        torn: What stands after them.
        contradiction: How they contradict what the table signed; empty if they do not.
    """

    entries: CheckedEntries
    tree: MerkleTree
    last: Entry | None
    size_bytes: int
    torn: bytes
    contradiction: str


def check_file(file_fd: int | None, path: Path, memory: SigningMemory | None) -> CheckedFile:
    """
    Read a journal file to its end.

    Args:
        file_fd: The open file; None for one that a full disk had no room for.
        path: Its path, for errors and for reading it again.
        memory: What the table signed last; None if it does not know.

    Raises:
        InputError: An entry is broken.
    """
    if file_fd is None:
        contradiction = memory.find_contradiction(MerkleTree()) if memory else ""
        return CheckedFile(CheckedEntries(path), MerkleTree(), None, 0, b"", contradiction)
    with open(os.dup(file_fd), "rb") as file:
        tree, line, size = _hash_lines(file, memory.checkpoint.size if memory else 0)
        contradiction = memory.find_contradiction(tree) if memory else ""
        if contradiction:
            tree, line, size = MerkleTree(), b"", 0
        signed, torn = tree.size, b""
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
            size += len(line)
    entries = CheckedEntries(path, tree.size, signed)
    return CheckedFile(entries, tree, last, size, torn, contradiction)


def _hash_lines(file: BinaryIO, most: int) -> tuple[MerkleTree, bytes, int]:
    """Return the tree of the first lines, the last of them without newline, and their bytes."""
    tree, line, size = MerkleTree(), b"", 0
    file.seek(0)
    for found in islice(file, most):
        if found.endswith(b"\n"):
            line, size = found[:-1], size + len(found)
            tree.append(line)
    return tree, line, size


def _decode_signed(line: bytes, path: Path, number: int) -> Entry:
    try:
        return decode_checked(line)
    except BrokenEntryError as error:
        raise _broken(path, number, error) from error


def _broken(path: Path, number: int, error: BrokenEntryError) -> InputError:
    where = f"{path}, line {number}"
    return InputError(expected="an unbroken journal", found=error.what, where=where)
