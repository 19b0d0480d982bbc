# SPDX-License-Identifier: MIT
"""
What a check found: breaks, which must not be, and notes, which are good to know.

A finding says where, what stands there, what was expected, and what the entries beside it
say about it; whoever reads it shall be able to look at the line with their own eyes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum

MAX_REPORTED = 200
"""So many breaks, and so many notes, are told one by one; all others are counted."""


class FindingKind(Enum):
    """What is wrong, or worth a note; the value is its name in JSON."""

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
    RULES = "rules"
    RESULT = "result"

    TORN = "torn line"
    CLOCK = "clock"
    KEY_CHANGED = "key changed"
    UNSIGNED = "unsigned"
    PICTURE_UNNAMED = "no picture"
    PICTURE_DELETED = "picture deleted"
    UNSURE_NOW = "unsure now"
    BY_HAND = "entered by hand"
    NOT_REPLAYED = "not replayed"

    @property
    def is_break(self) -> bool:
        """Whether a table that nobody tampered with never has this."""
        return self not in _NOTES


_NOTES = frozenset(
    {
        *(
            FindingKind.TORN,
            FindingKind.CLOCK,
            FindingKind.KEY_CHANGED,
            FindingKind.UNSIGNED,
            FindingKind.PICTURE_DELETED,
        ),
        FindingKind.PICTURE_UNNAMED,
        *(FindingKind.UNSURE_NOW, FindingKind.BY_HAND, FindingKind.NOT_REPLAYED),
    }
)


@dataclass(frozen=True, slots=True)
class Finding:
    """
    One thing that was found.

    Attributes:
        kind: What it is.
        what: The same in a sentence.
        line: In which line of the journal, from 1; 0 where it is about no single one.
        seq: The number of the entry, as it says itself; none where no entry could be read.
        game: In which of the journal's games, from 1; 0 before the first.
        expected: What should stand there; empty where the sentence says all.
        found: What stands there instead.
        neighbours: What the entries beside it say.
    """

    kind: FindingKind
    what: str
    line: int = 0
    seq: int | None = None
    game: int = 0
    expected: str = ""
    found: str = ""
    neighbours: str = ""


class Findings:
    """Collects findings; so many that a page of them tells no more are only counted."""

    def __init__(self) -> None:
        self.reported: list[Finding] = []
        self._counts: Counter[FindingKind] = Counter()

    def add(self, finding: Finding) -> None:
        """Take one more."""
        self._counts[finding.kind] += 1
        if self.count(is_break=finding.kind.is_break) <= MAX_REPORTED:
            self.reported.append(finding)

    def count(self, *, is_break: bool) -> int:
        """Return how many breaks, or notes, there are, told or not."""
        return sum(count for kind, count in self._counts.items() if kind.is_break == is_break)

    def in_order(self, *, is_break: bool) -> tuple[Finding, ...]:
        """Return the breaks, or the notes, that are told, by their lines."""
        fitting = (finding for finding in self.reported if finding.kind.is_break == is_break)
        return tuple(sorted(fitting, key=lambda finding: finding.line))
