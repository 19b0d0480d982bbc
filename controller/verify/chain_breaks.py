# SPDX-License-Identifier: MIT
"""
Explain what broke the chain, from its runs.

The entries beside a break are evidence. Their numbers show how many entries belong between
them, and the later one names the link of its predecessor. If that link is elsewhere in the
file, an entry was moved or repeated; if it is nowhere, its entry is gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from controller.journal.hashchain import GENESIS_PREV, Entry, compute_link
from controller.verify.bit_flips import (
    BitFlip,
    find_bit_flip,
    find_lost_newline,
    find_spurious_newline,
)
from controller.verify.chain import BadLine, Chain, EntryRef, ValidRun
from controller.verify.findings import Finding, FindingKind

MAX_SEARCHED = 20  # Most lines that are searched for a flipped bit; each takes up to half a second.

Located = Mapping[str, Sequence[int]]  # Line numbers by the link of their entry.


def collect_wanted_links(chain: Chain) -> set[str]:
    """Return the links to locate in the file before the breaks can be explained."""
    later = chain.runs[1:]
    return {link for run in later for link in (run.first.prev, run.first.link)}


class ChainBreaks:
    """The breaks of a chain and their causes, from where the collected links are."""

    def __init__(self, chain: Chain, located: Located) -> None:
        self._chain = chain
        self._located = located
        self._searched = 0

    def explain(self) -> Iterator[Finding]:
        """Yield a finding for each break, in the order of the file."""
        before: EntryRef | None = None
        for run in self._chain.runs:
            if run.bad_lines:
                yield from self._explain_bad_lines(before, run.bad_lines, run)
            else:
                yield from self._explain_gap(before, run)
            before = run.last
        yield from self._explain_bad_lines(before, self._chain.trailing, None)
        if self._chain.uncounted:
            what = f"{self._chain.uncounted} more breaks of the chain were not examined"
            yield Finding(FindingKind.NO_ENTRY, what)

    def _explain_gap(self, before: EntryRef | None, after: ValidRun) -> Iterator[Finding]:
        """Explain why a sound entry does not follow the sound entry right before it."""
        first = after.first
        if before is None:
            if (first.seq, first.prev) != (0, GENESIS_PREV):
                yield _late_start_finding(after)
            return
        expected = f"entry {before.seq + 1} written after link {before.link}"
        cause, beside = self._find_cause(before, first), _describe_pair(before, first)
        yield _find_at(after, *cause, expected, _describe_found(first), beside)

    def _find_cause(self, before: EntryRef, first: EntryRef) -> tuple[FindingKind, str]:
        copies = [line for line in self._located.get(first.link, ()) if line < first.line]
        if copies:
            return FindingKind.REPEATED, f"the entry of line {copies[0]} is repeated here"
        if places := self._located.get(first.prev):
            return (
                FindingKind.OUT_OF_ORDER,
                f"this entry was written right after the entry of line {places[0]}",
            )
        if first.seq == 0:
            return FindingKind.FOREIGN, "another journal begins here"
        if first.seq > before.seq + 1:
            return FindingKind.MISSING, _describe_missing(before.seq + 1, first.seq - 1)
        if first.seq == before.seq + 1:
            what = "the numbers match and the links do not: the entries before were rewritten, or"
            return FindingKind.FOREIGN, f"{what} the entries from here on are from another journal"
        what = (
            "this entry follows no entry of this journal: it is from another one or an older copy"
        )
        return FindingKind.FOREIGN, what

    def _explain_bad_lines(
        self, before: EntryRef | None, bad_lines: Sequence[BadLine], after: ValidRun | None
    ) -> Iterator[Finding]:
        """Explain bad lines, and whether entries are missing among them."""
        last = after.first if after else None
        place, entries = 0, 0
        while place < len(bad_lines):
            rest = bad_lines[place:]
            finding, lines, held = self._explain_bad_line(before, rest, last)
            yield finding
            place, entries = place + lines, entries + held
        if before and after and after.first.seq - before.seq - 1 > entries and bad_lines:
            gone = after.first.seq - before.seq - 1 - entries
            what = f"entries are missing among the broken lines before this one: {gone}"
            beside = _describe_pair(before, after.first)
            yield _find_at(after, FindingKind.MISSING, what, "", "", beside)

    def _explain_bad_line(
        self, before: EntryRef | None, lines: Sequence[BadLine], after: EntryRef | None
    ) -> tuple[Finding, int, int]:
        """Explain the first line; return how many lines and entries that covers."""
        line = lines[0]
        # The next entry holds the link of the line right before it only.
        next_prev = after.prev if after and len(lines) == 1 else ""
        beside = _describe_neighbours(before, after)
        self._searched += 1
        if self._searched <= MAX_SEARCHED:
            if len(lines) > 1 and (joined := find_spurious_newline(line.raw, lines[1].raw)):
                return _flip_finding(line, *joined, beside), 2, 1
            if parted := find_lost_newline(line.raw):
                return _flip_finding(line, parted[0], parted[1], beside), 1, 2
            if turned := find_bit_flip(line.raw, next_prev):
                return _flip_finding(line, *turned, beside), 1, 1
        if line.entry is None:
            what = "this line is not an entry"
            found = f"{line.trouble}: {_shorten(line.raw)}"
            kind, expected = FindingKind.NO_ENTRY, "an entry in canonical JSON"
        else:
            kind, what = FindingKind.CHANGED, "this entry was changed after it was written"
            expected, found = f"link {compute_link(line.entry)} for its content", line.entry.link
            beside = f"{beside} {_describe_change(line.entry, next_prev)}".strip()
        seq = line.entry.seq if line.entry else None
        finding = Finding(kind, what, line.line, seq, line.game, expected, found, beside)
        return finding, 1, 1


def _late_start_finding(after: ValidRun) -> Finding:
    first = after.first
    kind, what = FindingKind.FOREIGN, "the first entry follows another entry"
    if first.seq:
        kind, what = FindingKind.MISSING, _describe_missing(0, first.seq - 1)
    expected, beside = f"entry 0 written after link {GENESIS_PREV}", "No line is before it."
    return _find_at(after, kind, what, expected, _describe_found(first), beside)


def _find_at(
    run: ValidRun, kind: FindingKind, what: str, expected: str, found: str, beside: str
) -> Finding:
    """Return a finding at the first entry of a run."""
    first = run.first
    return Finding(kind, what, first.line, first.seq, run.game, expected, found, beside)


def _flip_finding(line: BadLine, flip: BitFlip, entry: Entry, beside: str) -> Finding:
    what, at = "one bit of this line was flipped; the rest is unchanged", (line.line, entry.seq)
    texts = (flip.written_text, flip.found_text, beside)
    return Finding(FindingKind.FLIPPED_BIT, what, *at, line.game, *texts)


def _describe_found(first: EntryRef) -> str:
    return f"entry {first.seq} written after link {first.prev}"


def _describe_missing(first: int, last: int) -> str:
    return (
        f"entry {first} is missing" if first == last else f"entries {first} to {last} are missing"
    )


def _describe_pair(before: EntryRef, after: EntryRef) -> str:
    return (
        f"Line {before.line} is entry {before.seq}, intact; line {after.line} is entry {after.seq},"
        f" intact; the links {'match' if after.prev == before.link else 'do not match'}."
    )


def _describe_neighbours(before: EntryRef | None, after: EntryRef | None) -> str:
    if before is None and after is None:
        return "No entry beside it is intact."
    if before is None or after is None:
        one = before or after
        assert one is not None
        side, other = ("after", "before") if before is None else ("before", "after")
        intact = f"The entry {side} it, {one.seq} in line {one.line}, is intact"
        return f"{intact}; no entry {other} it is intact."
    if after.prev == before.link:
        return f"{_describe_pair(before, after)} So this was inserted between them."
    room = after.seq - before.seq - 1
    number = "one entry belongs" if room == 1 else f"{max(room, 0)} entries belong"
    return f"{_describe_pair(before, after)} By their numbers {number} between them."


def _describe_change(entry: Entry, next_prev: str) -> str:
    if next_prev == entry.link:
        return "The next entry confirms this link: the content was changed."
    if next_prev and next_prev == compute_link(entry):
        return "The next entry confirms this content: only the link was changed."
    return ""


def _shorten(raw: bytes) -> str:
    text = raw.decode("utf-8", "backslashreplace")
    return text if len(text) <= 60 else f"{text[:60]}..."
