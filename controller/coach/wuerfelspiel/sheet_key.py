# SPDX-License-Identifier: MIT
"""All that matters of a sheet of Würfelspiel for what is still to come."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from controller.coach.wuerfelspiel.turn import COUNTS, SCORES, UPPER, Values
from controller.games.dice import FACES
from controller.games.wuerfelspiel.sheet import (
    BONUS,
    BONUS_FROM,
    COLUMNS,
    FACTORS,
    ROWS,
    WuerfelspielSheet,
)

DICE_COUNTS = 6  # How many equal dice a roll may show, 0 to 5.


@dataclass(frozen=True)
class SheetKey:
    """A sheet without its points."""

    # Whether each cell is filled, by column and then by row.
    filled: tuple[bool, ...] = (False,) * (COLUMNS * len(ROWS))
    # The totals of the upper rows of each column; at least `BONUS_FROM` is that.
    upper: tuple[int, ...] = (0,) * COLUMNS

    @classmethod
    def of(cls, sheet: WuerfelspielSheet) -> SheetKey:
        columns = range(1, COLUMNS + 1)
        filled = (points is not None for column in columns for points in sheet.column(column))
        return cls(tuple(filled), tuple(min(sheet.upper(c), BONUS_FROM) for c in columns))

    @cached_property
    def empty(self) -> tuple[int, ...]:
        return tuple(cell for cell, is_filled in enumerate(self.filled) if not is_filled)

    def fill(self, cell: int, count: int) -> SheetKey:
        """Return the key after a cell is filled; in upper rows by a number of dice of its face."""
        column, row = divmod(cell, len(ROWS))
        upper = list(self.upper)
        if row < UPPER:
            upper[column] = min(upper[column] + FACES[row] * count, BONUS_FROM)
        return SheetKey((*self.filled[:cell], True, *self.filled[cell + 1 :]), tuple(upper))

    def count_gains(self) -> Values:
        """Return what each cell counts by each roll at once, bonus included, (252, cells)."""
        scores = [
            factor * _count_column(upper) for factor, upper in zip(FACTORS, self.upper, strict=True)
        ]
        return np.concatenate(scores, axis=1)


def list_counts(cell: int) -> range:
    """Return the counts of equal dice that differ for a cell: in lower rows only one."""
    return range(DICE_COUNTS if cell % len(ROWS) < UPPER else 1)


@cache
def _count_column(upper: int) -> Values:
    """Return what each row counts by each roll in a column with this upper total, (252, 13)."""
    scores = SCORES.copy()
    if upper < BONUS_FROM:
        scores[:, :UPPER] += BONUS * (upper + SCORES[:, :UPPER] >= BONUS_FROM)
    return scores


def spread_counts(values: Values) -> Values:
    """Return values by roll, (252, cells), of (cells, 6) by count; the first one in lower rows."""
    rows = np.arange(values.shape[0]) % len(ROWS)
    counts = np.where(rows < UPPER, COUNTS[:, np.minimum(rows, UPPER - 1)], 0)
    return np.asarray(values[np.arange(values.shape[0]), counts])
