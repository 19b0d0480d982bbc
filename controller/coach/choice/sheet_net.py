# SPDX-License-Identifier: MIT
"""
A net that says how a game of Choice will end for a sheet, if its player goes on well.

Its first layer adds one row for the marks on each total, one for those of each face in the
fifth-die table, and one for the jokers. So the sheets after all moves differ from one another by
few rows, and all of them together take about a millisecond.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from controller.coach.choice.moves import PAIRS, UNMARKED
from controller.coach.net_weights import Weights, finish_rows
from controller.games.choice.jokers import CORRECTOR, JOKER_POINTS, JOKERS, TERMINATOR, THREE
from controller.games.choice.notation import TOTALS
from controller.games.choice.sheet import FIFTH_BOXES, FIFTH_ROWS, PAID_MARKS, count_points

Values = NDArray[np.float64]
_NumberT = TypeVar("_NumberT", np.float32, np.float64, np.intp)
TERMINATOR_BIT, CORRECTOR_BIT, THREE_BIT = (
    1 << JOKERS.index(joker) for joker in (TERMINATOR, CORRECTOR, THREE)
)

_LOW, _HIGH = (np.array(each) for each in zip(*PAIRS, strict=True))
_IS_DOUBLE = _LOW == _HIGH
_ALL_PAIRS = np.arange(len(PAIRS))
_POINTS = np.array([[count_points(total, n) for n in range(PAID_MARKS + 1)] for total in TOTALS])
_TOTALS = np.arange(len(TOTALS))
_FACES = np.arange(UNMARKED)


@dataclass(frozen=True, slots=True)
class SheetKey:
    """All that matters of a player's sheet."""

    marks: tuple[int, ...] = (0,) * len(TOTALS)  # On each total, at most ten.
    fifth: tuple[int, ...] = (0,) * UNMARKED  # Of each face in the fifth-die table, 0 to 8.
    jokers: int = 0  # A bit for each unused joker, in the order of `JOKERS`.

    def mark(self, pair: int, slot: int) -> SheetKey:
        """Return the sheet after a move; see `PAIRS` and `UNMARKED`."""
        marks, fifth = list(self.marks), list(self.fifth)
        for total in PAIRS[pair]:
            marks[total] = min(marks[total] + 1, PAID_MARKS)
        if slot != UNMARKED:
            fifth[slot] += 1
        return SheetKey(tuple(marks), tuple(fifth), self.jokers)

    def without(self, joker: int) -> SheetKey:
        """Return the sheet without a joker, given by its bit."""
        return SheetKey(self.marks, self.fifth, self.jokers & ~joker)

    @property
    def points(self) -> int:
        """What the sheet counts now, with the jokers that are left."""
        return int(_POINTS[_TOTALS, self.marks].sum()) + JOKER_POINTS * self.jokers.bit_count()

    @property
    def is_finished(self) -> bool:
        return FIFTH_BOXES in self.fifth


class SheetNet:
    def __init__(self, weights: Weights) -> None:
        arrays = weights.arrays
        self._marks, self._fifth, self._jokers = (
            arrays[key] for key in ("marks", "fifth", "jokers")
        )
        self._layers = weights.list_layers()

    def value_after(self, sheet: SheetKey) -> Values:
        """
        Return what the sheet is worth after each move, in points, (pairs, slots).

        A face with its eighth mark ends the game, so there it is the result itself. Slots that no
        move can have are 0.
        """
        marks = np.array(sheet.marks)
        gains = _sum_changes(_POINTS, marks)
        rows = _sum_changes(self._marks, marks)
        more = [min(n + 1, FIFTH_BOXES - 1) for n in sheet.fifth]
        base = self._sum_rows(sheet)
        fifth = self._fifth[_FACES, more] - self._fifth[_FACES, list(sheet.fifth)]
        fifth = np.vstack([fifth, np.zeros_like(base)])
        is_full = sum(n > 0 for n in sheet.fifth) == FIFTH_ROWS
        open_faces = [n for n, boxes in enumerate(sheet.fifth) if boxes or not is_full]
        ends = [n for n in open_faces if sheet.fifth[n] == FIFTH_BOXES - 1]
        goes_on = [n for n in open_faces if n not in ends] + [UNMARKED] * is_full
        values = np.zeros((len(PAIRS), UNMARKED + 1))
        values[:, goes_on] = self._finish((base + rows)[:, None] + fifth[goes_on])
        values[:, ends] = (sheet.points + gains)[:, None]
        return values

    def add_free_rolls(
        self, marks: NDArray[np.intp], fifth: Sequence[int], pairs: NDArray[np.intp]
    ) -> NDArray[np.float32]:
        """Return what `value_free_rolls` needs of sheets, (totals, sheets), for any jokers."""
        rows = self._marks[_TOTALS[:, None], marks].sum(axis=0)
        rows += self._fifth[_FACES, list(fifth)].sum(axis=0)
        return cast("NDArray[np.float32]", rows + _sum_changes(self._marks, marks, pairs))

    def value_free_rolls(self, added: NDArray[np.float32], jokers: int) -> Values:
        """Return what sheets with these jokers are worth after a free roll, (pairs, sheets)."""
        return self._finish(added + self._jokers[jokers])

    def _sum_rows(self, sheet: SheetKey) -> NDArray[np.float32]:
        total = self._marks[_TOTALS, list(sheet.marks)].sum(axis=0)
        total += self._fifth[_FACES, list(sheet.fifth)].sum(axis=0)
        return cast("NDArray[np.float32]", total + self._jokers[sheet.jokers])

    def _finish(self, rows: NDArray[np.float32]) -> Values:
        return finish_rows(rows, self._layers)


def count_gains(marks: NDArray[np.intp]) -> tuple[Values, Values]:
    """Return the points of sheets by marks of (totals, sheets), and what each pair would add."""
    return _POINTS[_TOTALS[:, None], marks].sum(axis=0), _sum_changes(_POINTS, marks)


def _sum_changes(
    table: NDArray[_NumberT], marks: NDArray[np.intp], pairs: NDArray[np.intp] = _ALL_PAIRS
) -> NDArray[_NumberT]:
    """Return what the two marks of each of these pairs change in a sum of rows, (pairs, ...)."""
    totals = _TOTALS.reshape(-1, *(1,) * (marks.ndim - 1))
    now, once, twice = (table[totals, np.minimum(marks + n, PAID_MARKS)] for n in (0, 1, 2))
    once, twice = once - now, twice - now
    double = _IS_DOUBLE[pairs].reshape(-1, *(1,) * (once.ndim - 1))
    low, high = _LOW[pairs], _HIGH[pairs]
    changes: NDArray[_NumberT] = np.where(double, twice[low], once[low] + once[high])
    return changes
