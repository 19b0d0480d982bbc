# SPDX-License-Identifier: MIT
"""
The chain, line by line, also after a break.

What fits the line before it makes a run with that line. A sound journal is one run;
a broken one falls into several, with lines between them that are no entries any more.
Nothing is decided where the break is seen: only when all runs are known, their numbers
and links tell whether something was changed, taken out, put in, moved, or comes from
another journal. That is done in `breaks`.
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

MAX_PIECES = 1000
"""More of them are only counted: a file in so many pieces has nothing more to say."""

# One byte more than is searched for a flipped bit: what was cut never passes for a whole line.
_STORED_BYTES = 2 * MAX_BYTES + 1


@dataclass(frozen=True, slots=True)
class BadLine:
    """
    A line that is no entry, or one that its own link does not fit.

    Attributes:
        line: Its number, from 1.
        raw: What stands there; of a line too long to be searched only the beginning.
        trouble: What is wrong with it.
        entry: What it holds; none where that is no entry.
        game: Which game is under way, from 1.
    """

    line: int
    raw: bytes
    trouble: str
    entry: Entry | None
    game: int


@dataclass(frozen=True, slots=True)
class EntryRef:
    """What an entry at the end of a run says of itself."""

    line: int
    seq: int
    prev: str
    link: str


@dataclass(slots=True)
class ValidRun:
    """Lines that fit each other, from the first to the last, and what is broken before them."""

    first: EntryRef
    last: EntryRef
    game: int
    bad_lines: list[BadLine] = field(default_factory=list)


class Chain:
    """
    The lines of a journal as they come.

    Attributes:
        lines: How many there were.
        runs: What fits, in the order of the file.
        trailing: What is broken after the last run.
        uncounted: Breaks after so many that no more are looked into.
    """

    def __init__(self) -> None:
        self.lines = 0
        self.runs: list[ValidRun] = []
        self.trailing: list[BadLine] = []
        self.uncounted = 0
        self._pieces = 0
        self._before: Entry | None = None

    def add_line(self, raw: bytes, *, game: int) -> tuple[Entry | None, bool]:
        """
        Take the next line, without its end.

        Args:
            raw: The line.
            game: Which game is under way, from 1.

        Returns:
            The entry as it stands, also where its link is wrong, and none where there is none;
            and whether it follows soundly on the line before.
        """
        self.lines += 1
        if len(raw) > MAX_LINE_BYTES:
            self._add_bad_line(raw, f"more than {MAX_LINE_BYTES} bytes", None, game)
            return None, False
        if self._before is not None or self.lines == 1:
            try:
                return self._add_following(parse_entry(raw, self._before), game), True
            except BrokenEntryError:
                pass  # What is wrong with it is looked at more closely.
        try:
            entry = decode_entry(raw)
        except BrokenEntryError as error:
            self._add_bad_line(raw, error.what, None, game)
            return None, False
        right = compute_link(entry)
        if right == entry.link:
            self._start_run(entry, game)
        else:
            what = f"what it says amounts to link {right}, found {entry.link}"
            self._add_bad_line(raw, what, entry, game)
        return entry, False

    @property
    def is_whole(self) -> bool:
        """Whether nothing is broken: one run from the very first entry on."""
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
