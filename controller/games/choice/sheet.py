# SPDX-License-Identifier: MIT
"""
One player's sheet of Choice: marks on the totals, the fifth-die table, and the score.

The sheet knows which dice may be left out, because that depends only on the fifth-die table
and the roll. It never decides whose turn it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from controller.games.choice.jokers import TripleChoice
from controller.games.choice.notation import TOTALS, PairChoice
from controller.games.dice import Roll

VALUES: Mapping[int, int] = dict(
    zip(TOTALS, (100, 70, 60, 50, 40, 30, 40, 50, 60, 70, 100), strict=True)
)
"""What each mark after the fifth is worth, by total."""

PENALTY = 200
PAR_MARKS = 5
PAID_MARKS = 10
FIFTH_ROWS = 3
FIFTH_BOXES = 8


@cache
def count_points(total: int, marks: int) -> int:
    """Return what this many marks on a total count: a loss below five, nothing at five."""
    if marks == 0:
        return 0
    if marks < PAR_MARKS:
        return -PENALTY
    return (min(marks, PAID_MARKS) - PAR_MARKS) * VALUES[total]


@dataclass(frozen=True, slots=True)
class ChoiceScore:
    """The two columns of the printed sheet; `minus` is not negative itself."""

    plus: int
    minus: int

    @property
    def total(self) -> int:
        """The result: plus points less minus points."""
        return self.plus - self.minus


@dataclass(frozen=True, slots=True)
class FifthDieRow:
    """One row of the fifth-die table: its face, and one to eight marks."""

    face: int
    marks: int


@dataclass(frozen=True, slots=True)
class ChoiceSheet:
    """The marks of one player; an empty sheet is `ChoiceSheet()`."""

    # The marks on each total, from 2 to 12; more than ten are kept as they are.
    marks: tuple[int, ...] = (0,) * len(TOTALS)
    # The rows of the fifth-die table in the order in which they were entered.
    fifth: tuple[FifthDieRow, ...] = ()

    @property
    def is_finished(self) -> bool:
        """Whether a face has all of its eight marks."""
        return any(row.marks >= FIFTH_BOXES for row in self.fifth)

    def marks_on(self, total: int) -> int:
        """Return the marks on a total from 2 to 12."""
        return self.marks[TOTALS.index(total)]

    @property
    def total(self) -> int:
        """What both columns of `score` come to."""
        return sum(map(count_points, TOTALS, self.marks))

    def score(self) -> ChoiceScore:
        counts = list(map(count_points, TOTALS, self.marks))
        plus = sum([count for count in counts if count > 0])
        return ChoiceScore(plus=plus, minus=plus - sum(counts))

    def allowed_fifth(self, roll: Roll) -> frozenset[int]:
        """Return the faces of the roll that may be left out of the pairs."""
        shown = frozenset(roll)
        if len(self.fifth) < FIFTH_ROWS:
            return shown
        listed = shown & {row.face for row in self.fifth}
        return listed or shown

    def mark(self, choice: PairChoice | TripleChoice) -> ChoiceSheet:
        """Return the sheet with this allowed choice; a free roll's face makes no mark."""
        counts = list(self.marks)
        for total in choice.totals:
            counts[TOTALS.index(total)] += 1
        return ChoiceSheet(tuple(counts), self._fifth_with(choice.fifth))

    def _fifth_with(self, face: int) -> tuple[FifthDieRow, ...]:
        for place, row in enumerate(self.fifth):
            if row.face == face:
                marked = FifthDieRow(face, row.marks + 1)
                return (*self.fifth[:place], marked, *self.fifth[place + 1 :])
        if len(self.fifth) < FIFTH_ROWS:
            return (*self.fifth, FifthDieRow(face, 1))
        return self.fifth
