# SPDX-License-Identifier: MIT
"""
The end of a sheet of Würfelspiel, counted out.

Columns meet only in the choice of a cell. So each is listed for itself: which of its empty cells
are filled, and what it still needs for its bonus. All that may follow is the product of these
lists, and all sheets with equally many filled cells are solved at once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from controller.coach.wuerfelspiel.sheet_key import DICE_COUNTS, SheetKey
from controller.coach.wuerfelspiel.turn import COUNTS, SCORES, UPPER, Values, solve_turn
from controller.games.dice import FACES
from controller.games.wuerfelspiel.sheet import BONUS, BONUS_FROM, COLUMNS, FACTORS, ROWS

MOST_EMPTY = 8  # No sheet with more empty cells is counted out.
MOST_WORK = 640  # Sheets and sets of filled cells that are solved for one position, in some 30 ms.

NEVER = -1e9  # The value of a cell that is filled.
_SETTLED = 0  # The need of a column that has its bonus, or can no longer get it.
_Masks = tuple[int, ...]


@dataclass(frozen=True)
class ColumnEnd:
    """All that may follow in one column."""

    rows: tuple[int, ...]  # Its empty rows. A mask has a bit for each of them that is filled.
    # By mask: the points that may still be missing for the bonus, smallest first.
    needs: Sequence[list[int]]
    _steps: dict[tuple[int, int], tuple[NDArray[np.intp], Values]] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: tuple[int, ...], upper: int) -> ColumnEnd:
        """List what may follow from empty rows and a total of the upper ones."""
        found: list[set[int]] = [set() for _ in range(1 << len(rows))]
        found[0].add(_simplify_need(rows, 0, BONUS_FROM - upper))
        for mask in range(len(found)):
            for at, row in enumerate(rows):
                if not mask >> at & 1:
                    for need in found[mask]:
                        found[mask | 1 << at].update(_list_needs(rows, mask | 1 << at, row, need))
        return cls(rows, [sorted(needs) for needs in found])

    def find_steps(self, mask: int, at: int) -> tuple[NDArray[np.intp], Values]:
        """Return the next need, by its index, and the bonus, for each need and roll, (n, 252)."""
        if (mask, at) not in self._steps:
            self._steps[mask, at] = self._list_steps(mask, at)
        return self._steps[mask, at]

    def _list_steps(self, mask: int, at: int) -> tuple[NDArray[np.intp], Values]:
        row, after = self.rows[at], mask | 1 << at
        numbers = {need: number for number, need in enumerate(self.needs[after])}
        needs = self.needs[mask]
        steps = [[numbers[n] for n in _list_needs(self.rows, after, row, need)] for need in needs]
        gains = FACES[row] * np.arange(DICE_COUNTS) if row < UPPER else np.zeros(DICE_COUNTS)
        column = np.array(needs)[:, None]
        bonus = BONUS * ((column > _SETTLED) & (gains >= column))
        counts = COUNTS[:, row] if row < UPPER else np.zeros(len(SCORES), np.intp)
        return np.array(steps)[:, counts], bonus[:, counts].astype(float)


@dataclass(frozen=True)
class SheetEnd:
    """All sheets that may follow from one."""

    columns: tuple[ColumnEnd, ...]  # What may follow in each.
    # What sheets will still bring, by the masks of the columns, (n, n, n) by needs.
    values: dict[_Masks, Values] = field(default_factory=dict)

    @classmethod
    def of(cls, key: SheetKey) -> SheetEnd | None:
        """List what may follow from a sheet; None if that is too much."""
        if len(key.empty) > MOST_EMPTY:
            return None
        rows = [
            tuple(cell % len(ROWS) for cell in key.empty if cell // len(ROWS) == column)
            for column in range(COLUMNS)
        ]
        columns = tuple(ColumnEnd.of(*each) for each in zip(rows, key.upper, strict=True))
        count = prod(sum(map(len, column.needs)) for column in columns)
        return cls(columns) if count + (1 << len(key.empty)) <= MOST_WORK else None

    def solve_cells(self) -> Values:
        """Return what each cell brings by each roll with all that follows, (252, 39)."""
        levels: dict[int, list[_Masks]] = {}
        for masks in product(*(range(len(column.needs)) for column in self.columns)):
            levels.setdefault(sum(map(int.bit_count, masks)), []).append(masks)
        full = levels.pop(max(levels))
        self.values.update((masks, self._make_empty(masks)) for masks in full)
        for filled in sorted(levels, reverse=True):
            if filled:
                self._solve_level(levels[filled])
        cells = np.full((len(SCORES), COLUMNS * len(ROWS)), NEVER)
        for column, end in enumerate(self.columns):
            for at, row in enumerate(end.rows):
                filled_cell = self._fill((0,) * COLUMNS, column, at)
                cells[:, column * len(ROWS) + row] = filled_cell.reshape(-1)
        return cells

    def _solve_level(self, level: list[_Masks]) -> None:
        best = [self._find_best(masks) for masks in level]
        solved = solve_turn(np.concatenate(best)[..., None]).start
        ends = np.cumsum([len(each) for each in best])
        for masks, start in zip(level, np.split(solved, ends[:-1]), strict=True):
            self.values[masks] = start.reshape(self._make_empty(masks).shape)

    def _find_best(self, masks: _Masks) -> Values:
        """Return the best cell's value by roll for each combination of needs, (n, 252)."""
        open_cells = [
            (column, at)
            for column, end in enumerate(self.columns)
            for at in range(len(end.rows))
            if not masks[column] >> at & 1
        ]
        first, *others = open_cells
        best = self._fill(masks, *first)
        for cell in others:
            best = np.maximum(best, self._fill(masks, *cell))
        return best.reshape(-1, len(SCORES))

    def _fill(self, masks: _Masks, column: int, at: int) -> Values:
        """Return what a cell brings with all that follows, by the needs and the roll."""
        end = self.columns[column]
        after = (*masks[:column], masks[column] | 1 << at, *masks[column + 1 :])
        points = FACTORS[column] * SCORES[:, end.rows[at]]
        following = self.values[after]
        if end.rows[at] >= UPPER and end.needs[masks[column]] == end.needs[after[column]]:
            values: Values = following[..., None] + points
            return values
        steps, bonus = end.find_steps(masks[column], at)
        taken = np.take(following, steps, axis=column)
        by_roll = np.moveaxis(taken, column + 1, -1)
        shape = [1] * COLUMNS
        shape[column] = len(steps)
        gains = (FACTORS[column] * bonus + points).reshape(*shape, len(SCORES))
        return np.asarray(by_roll + gains)

    def _make_empty(self, masks: _Masks) -> Values:
        counts = (len(end.needs[mask]) for end, mask in zip(self.columns, masks, strict=True))
        return np.zeros(tuple(counts))


def _list_needs(rows: tuple[int, ...], after: int, row: int, need: int) -> list[int]:
    """Return what is needed after a row is filled, by the count of equal dice that count there."""
    faces = FACES[row] if row < UPPER else 0
    return [_simplify_need(rows, after, need - faces * n) for n in range(DICE_COUNTS)]


def _simplify_need(rows: tuple[int, ...], mask: int, need: int) -> int:
    """Return the least sum of the open upper rows that meets a need; settled if none does."""
    if need <= _SETTLED:
        return _SETTLED
    faces = (FACES[row] for at, row in enumerate(rows) if row < UPPER and not mask >> at & 1)
    sums = _list_sums(tuple(faces))
    at = bisect_left(sums, need)
    return sums[at] if at < len(sums) else _SETTLED


@cache
def _list_sums(faces: tuple[int, ...]) -> list[int]:
    """Return what rows of these faces may total, smallest first; do not change it."""
    sums = {0}
    for face in faces:
        sums = {total + face * n for total in sums for n in range(DICE_COUNTS)}
    return sorted(sums)
