# SPDX-License-Identifier: MIT
"""
One player's sheet of Würfelspiel: thirteen rows by three columns, and what they count.

The points of a row depend only on the dice, so a cell holds only its points. Zero is an entry;
an empty cell is None. The bonus is not entered: it follows from the six upper rows of its
column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

UPPER_ROWS = ("ones", "twos", "threes", "fours", "fives", "sixes")
ROWS = (*UPPER_ROWS, "three", "four", "fullhouse", "small", "large", "five", "chance")
"""The rows by key, from the top of the sheet to its foot."""

COLUMNS = 3
FACTORS = (1, 2, 3)  # How many times each column counts, from the left.

BONUS = 35
BONUS_FROM = 63
FULL_HOUSE = 25
SMALL_STRAIGHT = 30
LARGE_STRAIGHT = 40
FIVE_EQUAL = 50

_SMALL = ({1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6})
_LARGE = ({1, 2, 3, 4, 5}, {2, 3, 4, 5, 6})


def score_row(row: str, faces: Sequence[int]) -> int:
    """Return what five dice count in a row; 0 if they do not fit, ValueError without such a row."""
    if row in UPPER_ROWS:
        face = UPPER_ROWS.index(row) + 1
        return face * faces.count(face)
    shown = set(faces)
    if row in ("small", "large"):
        return _straight_score(row, shown)
    counts = sorted(faces.count(face) for face in shown)
    match row:
        case "three" | "four":
            return sum(faces) if counts[-1] >= (3 if row == "three" else 4) else 0
        case "fullhouse":
            return FULL_HOUSE if counts == [2, 3] else 0
        case "five":
            return FIVE_EQUAL if counts == [5] else 0
        case "chance":
            return sum(faces)
    raise ValueError(f"no row {row!r}")


def _straight_score(row: str, shown: set[int]) -> int:
    if row == "small":
        return SMALL_STRAIGHT if any(straight <= shown for straight in _SMALL) else 0
    return LARGE_STRAIGHT if shown in _LARGE else 0


@dataclass(frozen=True, slots=True)
class WuerfelspielSheet:
    """One player's entries; columns count from 1. ValueError for rows and columns without cells."""

    # The points of every cell, None if it is empty: the top row from the left, then the next one.
    cells: tuple[int | None, ...] = (None,) * (len(ROWS) * COLUMNS)

    @property
    def empty_cells(self) -> int:
        """How many cells have still to be filled: the turns that are left."""
        return self.cells.count(None)

    @property
    def is_finished(self) -> bool:
        return None not in self.cells

    def points(self, row: str, column: int) -> int | None:
        """Return what stands in a cell; None if it is empty."""
        return self.cells[_cell_index(row, column)]

    def fill(self, row: str, column: int, points: int) -> WuerfelspielSheet:
        """Return the sheet with these points in an empty cell; ValueError if it is filled."""
        place = _cell_index(row, column)
        if self.cells[place] is not None:
            raise ValueError(f"{row} in column {column} is filled already")
        return WuerfelspielSheet((*self.cells[:place], points, *self.cells[place + 1 :]))

    def column(self, column: int) -> tuple[int | None, ...]:
        """Return the cells of a column, from the top."""
        return self.cells[_cell_index(ROWS[0], column) :: COLUMNS]

    def upper(self, column: int) -> int:
        """Return what the six upper rows of a column total, without the bonus."""
        return sum(points or 0 for points in self.column(column)[: len(UPPER_ROWS)])

    def bonus(self, column: int) -> int:
        """Return the bonus of a column, 0 while its upper rows are short of it."""
        return BONUS if self.upper(column) >= BONUS_FROM else 0

    def column_total(self, column: int) -> int:
        """Return what a column totals, bonus included, before its factor."""
        return sum(points or 0 for points in self.column(column)) + self.bonus(column)

    @property
    def total(self) -> int:
        """The total: every column times its factor."""
        return sum(
            factor * self.column_total(column) for column, factor in enumerate(FACTORS, start=1)
        )


def _cell_index(row: str, column: int) -> int:
    if not 1 <= column <= COLUMNS:
        raise ValueError(f"no column {column}")
    return ROWS.index(row) * COLUMNS + column - 1
