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


class FindingKind(Enum):
    """What is wrong or worth a note; the value is its name in JSON."""

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

    DAMAGED = "damaged file"
    FORK = "fork"
    SOURCE = "source"
    CAUSE = "cause"
    REFUSED = "refused entry"
    STANDINGS = "standings"
    COSTS = "costs"
    COSIGNATURE = "cosignature"

    TORN = "torn line"
    CLOCK = "clock"
    KEY_CHANGED = "key changed"
    UNSIGNED = "unsigned"
    RESTORED = "restored"
    MEMORY_LOST = "memory lost"
    PICTURE_UNNAMED = "no picture"
    PICTURE_DELETED = "picture deleted"
    UNSURE_NOW = "unsure now"
    OTHER_LIFTS = "other lifts"
    TABLE_UNCHECKED = "table not checked"
    BY_HAND = "entered by hand"
    NOT_REPLAYED = "not replayed"
    OPPONENT_UNCHECKED = "opponent not checked"
    UNKNOWN_KIND = "unknown kind"
    UNKNOWN_KEY = "unknown key"
    SIMULATED = "simulated camera"
    CAMERA = "camera"
    ORIGIN = "origin"
    DOUBT_UNSEEN = "doubt not seen"
    NO_CAUSE = "no cause"
    COSTS_UNCHECKED = "costs not checked"
    NO_WITNESS = "no witness"

    @property
    def is_break(self) -> bool:
        """Whether an untampered journal never has this."""
        return self not in _NOTES

    @property
    def is_of_event(self) -> bool:
        """Whether only the archive of an event can have this, and no single journal."""
        return self in _OF_EVENTS


_NOTES = frozenset(
    {
        *(
            FindingKind.TORN,
            FindingKind.CLOCK,
            FindingKind.KEY_CHANGED,
            FindingKind.UNSIGNED,
            FindingKind.RESTORED,
            FindingKind.MEMORY_LOST,
            FindingKind.PICTURE_DELETED,
        ),
        *(FindingKind.PICTURE_UNNAMED, FindingKind.OPPONENT_UNCHECKED),
        *(FindingKind.OTHER_LIFTS, FindingKind.TABLE_UNCHECKED),
        *(FindingKind.UNSURE_NOW, FindingKind.BY_HAND, FindingKind.NOT_REPLAYED),
        *(FindingKind.UNKNOWN_KIND, FindingKind.UNKNOWN_KEY, FindingKind.SIMULATED),
        *(FindingKind.CAMERA, FindingKind.ORIGIN, FindingKind.DOUBT_UNSEEN),
        *(FindingKind.NO_CAUSE, FindingKind.COSTS_UNCHECKED, FindingKind.NO_WITNESS),
    }
)

_OF_EVENTS = frozenset(
    {
        *(FindingKind.DAMAGED, FindingKind.FORK, FindingKind.SOURCE, FindingKind.CAUSE),
        *(FindingKind.REFUSED, FindingKind.STANDINGS, FindingKind.COSTS),
        *(FindingKind.COSIGNATURE, FindingKind.NO_CAUSE, FindingKind.COSTS_UNCHECKED),
        FindingKind.NO_WITNESS,
    }
)


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
