# SPDX-License-Identifier: MIT
"""
What a check found: breaks, which no untampered journal has, and notes.

A finding holds the position, what is there, what was expected, and what the entries beside it
show, so that its reader can look at the line.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum

MAX_REPORTED = 200  # Most breaks, and most notes, that are listed; further ones are only counted.
_MOST_CHARACTERS = 2000  # A prepared journal may hold a megabyte where a name belongs.


_NOTE, _OF_EVENT = "note", "of an event"


class FindingKind(Enum):
    """What is wrong or worth a note; the value is its name in JSON. A note is no break."""

    def __new__(cls, name: str, *marks: str) -> FindingKind:
        kind = object.__new__(cls)
        kind._value_ = name
        kind.is_break, kind.is_of_event = _NOTE not in marks, _OF_EVENT in marks
        return kind

    is_break: bool
    is_of_event: bool

    FLIPPED_BIT = "flipped bit"
    CHANGED = "changed entry"
    NO_ENTRY = "no entry"
    MISSING = "missing entries"
    OUT_OF_ORDER = "out of order"
    REPEATED = "repeated entry"
    FOREIGN = "foreign entries"
    TRUNCATED = "truncated"
    REWRITTEN = "rewritten"
    CHECKPOINT = "checkpoint does not fit"
    SIGNATURE = "signature"
    KEY = "key"
    PICTURE_MISSING = "picture missing"
    PICTURE_CHANGED = "picture changed"
    PICTURE_SWAPPED = "picture swapped"
    PICTURE_TWICE = "picture twice"
    READ_OTHERWISE = "read otherwise"
    TABLE_MODEL = "table model"
    IMPOSSIBLE = "impossible reading"
    RULES = "rules"
    RESULT = "result"
    OPPONENT = "opponent"
    ROLLED_BACK = "rolled back"

    DAMAGED = "damaged file", _OF_EVENT
    FORK = "fork", _OF_EVENT
    SOURCE = "source", _OF_EVENT
    CAUSE = "cause", _OF_EVENT
    REFUSED = "refused entry", _OF_EVENT
    STANDINGS = "standings", _OF_EVENT
    COSTS = "costs", _OF_EVENT
    COSIGNATURE = "cosignature", _OF_EVENT

    TORN = "torn line", _NOTE
    CLOCK = "clock", _NOTE
    KEY_CHANGED = "key changed", _NOTE
    UNSIGNED = "unsigned", _NOTE
    RESTORED = "restored", _NOTE
    MEMORY_LOST = "memory lost", _NOTE
    PICTURE_UNNAMED = "no picture", _NOTE
    PICTURE_DELETED = "picture deleted", _NOTE
    UNSURE_NOW = "unsure now", _NOTE
    OTHER_LIFTS = "other lifts", _NOTE
    TABLE_UNCHECKED = "table not checked", _NOTE
    BY_HAND = "entered by hand", _NOTE
    NOT_REPLAYED = "not replayed", _NOTE
    OPPONENT_UNCHECKED = "opponent not checked", _NOTE
    UNKNOWN_KIND = "unknown kind", _NOTE
    UNKNOWN_KEY = "unknown key", _NOTE
    SIMULATED = "simulated camera", _NOTE
    CAMERA = "camera", _NOTE
    ORIGIN = "origin", _NOTE
    DOUBT_UNSEEN = "doubt not seen", _NOTE
    NO_CAUSE = "no cause", _NOTE, _OF_EVENT
    COSTS_UNCHECKED = "costs not checked", _NOTE, _OF_EVENT
    NO_WITNESS = "no witness", _NOTE, _OF_EVENT


@dataclass(frozen=True, slots=True)
class Finding:
    """A break or a note."""

    kind: FindingKind
    what: str  # What is wrong, in a sentence.
    # Line of the journal, from 1; 0 if it concerns no single line, or until the walk locates it.
    line: int = 0
    seq: int | None = None  # The entry's own number; `None` if no entry could be read.
    game: int = 0  # Number of the game, from 1; 0 before the first.
    expected: str = ""  # What should be there; empty if `what` is enough.
    found: str = ""  # What is there instead.
    neighbours: str = ""  # What the entries beside it show.


class Findings:
    """Collects findings, and only counts those beyond `MAX_REPORTED`."""

    def __init__(self) -> None:
        self.reported: list[Finding] = []
        self._counts: Counter[FindingKind] = Counter()

    def add(self, finding: Finding) -> None:
        self._counts[finding.kind] += 1
        if self.count(is_break=finding.kind.is_break) <= MAX_REPORTED:
            self.reported.append(_shorten(finding))

    def count(self, *, is_break: bool) -> int:
        return sum(count for kind, count in self._counts.items() if kind.is_break == is_break)

    def in_order(self, *, is_break: bool) -> tuple[Finding, ...]:
        """Return the listed breaks, or notes, sorted by line."""
        fitting = (finding for finding in self.reported if finding.kind.is_break == is_break)
        return tuple(sorted(fitting, key=lambda finding: finding.line))


def _shorten(finding: Finding) -> Finding:
    return replace(
        finding,
        what=_cut(finding.what),
        expected=_cut(finding.expected),
        found=_cut(finding.found),
        neighbours=_cut(finding.neighbours),
    )


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}..."
