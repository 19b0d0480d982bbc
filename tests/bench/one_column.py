# SPDX-License-Identifier: MIT
"""
One column of Würfelspiel, solved exactly from its full sheet back.

Its value is known from others: 245.8707745141 (Verhoeff, Woodward: solitaire Yahtzee with the
bonus of 35, without the bonus for further fives and without their use as jokers). Turns are
solved as the coach solves them, so this checks its tables and rules to ten digits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from controller.coach.wuerfelspiel.turn import SCORES, UPPER, Values, solve_turn
from controller.games.dice import FACES
from controller.games.wuerfelspiel.sheet import BONUS, BONUS_FROM, ROWS

KNOWN_VALUE = 245.8707745141  # In points, to ten decimals.

_UPPER_SHEETS = 1 << UPPER
_LOWER_SHEETS = 1 << (len(ROWS) - UPPER)


def solve_column() -> float:
    """Return what a player who plays one column as well as possible gets on average."""
    solver = ColumnSolver(SCORES.astype(np.intp))
    for filled in sorted(range(1 << len(ROWS)), key=int.bit_count, reverse=True):
        solver.solve(filled)
    return float(solver.values[0, 0])


class ColumnSolver:
    """
    The values of sheets, by their filled rows as bits and the total of the upper ones.

    `values` is (sheets, totals); totals from 63 on are one.
    """

    def __init__(self, scores: NDArray[np.intp]) -> None:
        self._scores = scores
        self._totals = [_list_totals(filled) for filled in range(_UPPER_SHEETS)]
        self.values: Values = np.zeros((_UPPER_SHEETS * _LOWER_SHEETS, BONUS_FROM + 1))

    def solve(self, filled: int) -> None:
        """Find the values of a sheet with every total; sheets with one more row must be known."""
        empty = [row for row in range(len(ROWS)) if not filled >> row & 1]
        if not empty:
            return
        totals = self._totals[filled % _UPPER_SHEETS]
        best = np.full((len(totals), len(self._scores)), -np.inf)
        for row in empty:
            np.maximum(best, self._fill(filled, totals, row), out=best)
        self.values[filled, totals] = solve_turn(best[..., None]).start

    def _fill(self, filled: int, totals: NDArray[np.intp], row: int) -> Values:
        """Return what a row counts by each roll, and what comes after it, (totals, 252)."""
        points = self._scores[:, row]
        after = self.values[filled | 1 << row]
        if row >= UPPER:
            lower: Values = points + after[totals, None]
            return lower
        sums = np.minimum(totals[:, None] + points, BONUS_FROM)
        bonus = BONUS * ((sums == BONUS_FROM) & (totals[:, None] < BONUS_FROM))
        gains: Values = points + bonus + after[sums]
        return gains


def _list_totals(filled: int) -> NDArray[np.intp]:
    """Return the totals that some filled upper rows may have."""
    totals = {0}
    for row in range(UPPER):
        if filled >> row & 1:
            totals = {min(t + FACES[row] * n, BONUS_FROM) for t in totals for n in range(6)}
    return np.array(sorted(totals))
