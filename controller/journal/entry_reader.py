# SPDX-License-Identifier: MIT
"""
Read single entries of a journal that another thread writes.

The table's thread appends; any other thread reads what is on the disk already. Lines have no
fixed length, but their numbers rise, so an entry is found by halving the file. Nothing is held
in memory, so a journal of any size costs the same.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from controller.journal.hashchain import Entry, decode_entry

BLOCK_BYTES = 64 * 1024


class EntryReader:
    """
    The entries of one journal file; every method may be called from any thread.

    Args:
        path: The file. It may be missing as long as its size is 0.
        size: Returns the bytes of all entries that are on the disk. A line beyond them is being
            written, and may still be removed.
    """

    def __init__(self, path: Path, size: Callable[[], int]) -> None:
        self._path = path
        self._size = size

    def read(self, seq: int) -> Entry | None:
        """Return the entry with this number; None if there is none."""
        return next(self.read_from(seq), None) if seq >= 0 else None

    def read_from(self, seq: int) -> Iterator[Entry]:
        """Yield the entries from this number on, up to the newest of now."""
        for line, _ in self._lines_from(self.find_offset(seq)):
            yield decode_entry(line)

    def read_back(self, before: int | None = None) -> Iterator[Entry]:
        """Yield the entries below this number, the newest first; all if it is None."""
        end = self._size() if before is None else self.find_offset(before)
        return (decode_entry(line) for line in self._lines_back(end))

    def newest(self) -> Entry | None:
        """Return the newest entry; None if the journal is empty."""
        return next(self.read_back(), None)

    def follow(self, seq: int) -> EntryCursor:
        """Return a cursor before the entry with this number, which may be the next one."""
        return EntryCursor(self, self.find_offset(seq))

    def find_offset(self, seq: int) -> int:
        """Return where the entry with this number begins; the end of the file if it is beyond."""
        low, high = 0, self._size()
        while low < high:
            middle = (low + high) // 2
            # The first line that begins at or after the middle, else the one at `low`.
            start = self._next_line(middle, high) if middle > low else low
            if start >= high:
                start = low
            line, after = next(self._lines_from(start), (b"", high))
            if not line:
                return high
            number = json.loads(line)["seq"]
            if number == seq:
                return start
            low, high = (after, high) if number < seq else (low, start)
        return high

    def read_lines(
        self, offset: int, *, most: int = sys.maxsize, most_bytes: int = sys.maxsize
    ) -> tuple[list[bytes], int]:
        """Return lines from an offset, at least one if there is any, and the offset after them."""
        lines: list[bytes] = []
        size = 0
        for line, after in self._lines_from(offset):
            size += len(line) + 1
            if lines and size > most_bytes:
                break
            lines.append(line)
            offset = after
            if len(lines) == most:
                break
        return lines, offset

    def has_more(self, offset: int) -> bool:
        """Return whether there are entries from an offset on; this opens no file."""
        return offset < self._size()

    def _next_line(self, offset: int, high: int) -> int:
        """Return where the first line begins at or after an offset; `high` if none does."""
        with open(self._path, "rb") as file:
            file.seek(offset - 1)
            while offset < high:
                block = file.readline(BLOCK_BYTES)
                offset = file.tell()
                if not block or block.endswith(b"\n"):
                    return offset
        return high

    def _lines_from(self, offset: int) -> Iterator[tuple[bytes, int]]:
        """Yield every line from an offset on, without its newline, and the offset after it."""
        end = self._size()
        if offset >= end:
            return
        with open(self._path, "rb") as file:
            file.seek(offset)
            while offset < end and (line := file.readline()).endswith(b"\n"):
                offset += len(line)
                yield line[:-1], offset

    def _lines_back(self, end: int) -> Iterator[bytes]:
        if not end:
            return
        with open(self._path, "rb") as file:
            rest = b""
            while end:
                start = max(0, end - BLOCK_BYTES)
                lines = (os.pread(file.fileno(), end - start, start) + rest).split(b"\n")
                end, rest = start, lines[0]
                yield from (line for line in reversed(lines[1:]) if line)
            yield rest


class EntryCursor:
    """A place in a journal, which moves on with every reading; for one thread."""

    def __init__(self, reader: EntryReader, offset: int) -> None:
        self._reader = reader
        self._offset = offset

    def read_more(self, most: int) -> tuple[Entry, ...]:
        """Return the next entries, `most` of them; an empty tuple at the end."""
        if not self._reader.has_more(self._offset):
            return ()
        lines, self._offset = self._reader.read_lines(self._offset, most=most)
        return tuple(decode_entry(line) for line in lines)
