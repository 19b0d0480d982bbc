# SPDX-License-Identifier: MIT
"""All that matters of a sheet of Würfelspiel for what is still to come."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from controller.coach.wuerfelspiel.turn import COUNTS, SCORES, UPPER, Values
from controller.games.wuerfelspiel.sheet import (
    BONUS,
    BONUS_FROM,
    COLUMNS,
    FACTORS,
    ROWS,
    WuerfelspielSheet,
)

DICE_COUNTS = 6
"""How many equal dice a roll may show, 0 to 5."""


@dataclass(frozen=True)
class SheetKey:
    """
    A sheet without its points.

    Attributes:
        filled: Whether each cell is filled, by column and then by row.
        upper: The totals of the upper rows of each column; at least `BONUS_FROM` is that.
    """

    filled: tuple[bool, ...] = (False,) * (COLUMNS * len(ROWS))
    upper: tuple[int, ...] = (0,) * COLUMNS

    @classmethod
    def of(cls, sheet: WuerfelspielSheet) -> SheetKey:
        """Return the key of a sheet."""
        columns = range(1, COLUMNS + 1)
        filled = (points is not None for column in columns for points in sheet.column(column))
        return cls(tuple(filled), tuple(min(sheet.upper(c), BONUS_FROM) for c in columns))

    @cached_property
    def empty(self) -> tuple[int, ...]:
        """The empty cells."""
        return tuple(cell for cell, is_filled in enumerate(self.filled) if not is_filled)

    def count_gains(self) -> Values:
        """Return what each cell counts by each roll at once, bonus included, (252, cells)."""
        gains = np.empty((len(SCORES), len(self.filled)))
        for cell in range(len(self.filled)):
            column, row = divmod(cell, len(ROWS))
            scores = SCORES[:, row].copy()
            upper = self.upper[column]
            if row < UPPER and upper < BONUS_FROM:
                scores += BONUS * (upper + scores >= BONUS_FROM)
            gains[:, cell] = FACTORS[column] * scores
        return gains


def spread_counts(values: Values) -> Values:
    """
    Return values by roll of values by count of equal dice.

    Args:
        values: (cells, 6); in lower rows all six are equal.

    Returns:
        (252, cells).
    """
    rows = np.arange(values.shape[0]) % len(ROWS)
    counts = np.where(rows < UPPER, COUNTS[:, np.minimum(rows, UPPER - 1)], 0)
    return np.asarray(values[np.arange(values.shape[0]), counts])
