# SPDX-License-Identifier: MIT
"""
The chain, line by line, across breaks.

Lines that follow each other form a run. A sound journal is one run; a broken one has several,
with bad lines between them. The cause of a break is only known from all runs: their numbers
and links show what was changed, removed, inserted or moved. `chain_breaks` explains that.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.journal.hashchain import (
    GENESIS_PREV,
    BrokenEntryError,
    Entry,
    compute_link,
    decode_entry,
    parse_entry,
)
from controller.verify.bit_flips import MAX_BYTES
from controller.verify.untrusted_files import MAX_LINE_BYTES

MAX_PIECES = 1000  # Pieces beyond this are only counted, since they reveal nothing more.

# One byte more than the search for flipped bits accepts, so a cut line is never searched.
_STORED_BYTES = 2 * MAX_BYTES + 1


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no entry, or whose link does not match it."""

    line: int  # Its number, from 1.
    raw: bytes  # Its bytes; only the beginning if it is too long to be searched.
    trouble: str  # What is wrong with it.
    entry: Entry | None  # The entry in it; `None` if there is none.
    game: int  # Which game is under way, from 1.


@dataclass(frozen=True, slots=True)
class EntryRef:
    """The position and the links of the first or last entry of a run."""

    line: int
    seq: int
    prev: str
    link: str


@dataclass(slots=True)
class ValidRun:
    """Lines that follow each other, and the bad lines before them."""

    first: EntryRef
    last: EntryRef
    game: int
    bad_lines: list[BadLine] = field(default_factory=list)


class Chain:
    """The lines of a journal as they come."""

    def __init__(self) -> None:
        self.lines = 0  # Number of lines so far.
        self.runs: list[ValidRun] = []  # Runs of sound lines, in the order of the file.
        self.trailing: list[BadLine] = []  # Bad lines after the last run.
        self.uncounted = 0  # Number of pieces beyond `MAX_PIECES`.
        self._pieces = 0
        self._before: Entry | None = None

    def add_line(self, raw: bytes, *, game: int) -> tuple[Entry | None, bool]:
        """Add the next line; return its entry, if any, and whether it follows the line before."""
        self.lines += 1
        if len(raw) > MAX_LINE_BYTES:
            self._add_bad_line(raw, f"more than {MAX_LINE_BYTES} bytes", None, game)
            return None, False
        if self._before is not None or self.lines == 1:
            try:
                return self._add_following(parse_entry(raw, self._before), game), True
            except BrokenEntryError:
                pass  # The reason is found below.
        try:
            entry = decode_entry(raw)
        except BrokenEntryError as error:
            self._add_bad_line(raw, error.what, None, game)
            return None, False
        right = compute_link(entry)
        if right == entry.link:
            self._start_run(entry, game)
        else:
            what = f"its content has the link {right}, found {entry.link}"
            self._add_bad_line(raw, what, entry, game)
        return entry, False

    @property
    def is_whole(self) -> bool:
        """Whether nothing is broken: a single run from the first entry on."""
        if self._pieces == 0:
            return True
        if self._pieces > 1 or not self.runs:
            return False
        first = self.runs[0].first
        return (first.seq, first.prev) == (0, GENESIS_PREV)

    def _add_following(self, entry: Entry, game: int) -> Entry:
        if self._before is None:
            self._start_run(entry, game)
        elif not self.uncounted:
            self.runs[-1].last = self._refer_to(entry)
        self._before = entry
        return entry

    def _start_run(self, entry: Entry, game: int) -> None:
        self._before = entry
        if self._count_piece():
            ends = self._refer_to(entry)
            self.runs.append(ValidRun(ends, ends, game, self.trailing))
            self.trailing = []

    def _add_bad_line(self, raw: bytes, trouble: str, entry: Entry | None, game: int) -> None:
        self._before = None
        if self._count_piece():
            self.trailing.append(BadLine(self.lines, raw[:_STORED_BYTES], trouble, entry, game))

    def _count_piece(self) -> bool:
        self._pieces += 1
        self.uncounted = max(0, self._pieces - MAX_PIECES)
        return not self.uncounted

    def _refer_to(self, entry: Entry) -> EntryRef:
        return EntryRef(self.lines, entry.seq, entry.prev, entry.link)
