# SPDX-License-Identifier: MIT
"""
What a sheet of Würfelspiel will still bring: counted out near its end, by the net before.

Few sheets can follow from one with few empty cells, above all where no bonus is in question. If
they are few enough, all of them are solved, from the full sheet back.
"""

from __future__ import annotations

from collections import OrderedDict

import numpy as np

from controller.coach.wuerfelspiel.sheet_key import (
    DICE_COUNTS,
    SheetKey,
    iter_outcomes,
    spread_counts,
)
from controller.coach.wuerfelspiel.sheet_net import SheetNet
from controller.coach.wuerfelspiel.turn import TurnValues, Values, solve_turn

MOST_EMPTY = 8
"""No sheet with more empty cells is counted out."""
MOST_SOLVED = 96
"""Sheets that are solved for one position: some 40 ms."""
MOST_CACHED = 512
NEVER = -1e9


class SheetValues:
    """The values of sheets; for one thread."""

    def __init__(self, net: SheetNet) -> None:
        self._net = net
        self._turns: OrderedDict[SheetKey, TurnValues] = OrderedDict()
        self._exact: dict[SheetKey, float] = {}

    def find_turn(self, key: SheetKey) -> TurnValues:
        """Return the values of the next turn of a sheet that is not full."""
        found = self._turns.get(key)
        if found is None:
            plain = key.simplify()
            # The net has learnt with totals as they stand, even those that no longer matter.
            found = self._solve(plain if self._count_out(plain) else key)
            self._turns[key] = found
            if len(self._turns) > MOST_CACHED:
                self._turns.popitem(last=False)
        return found

    def expect(self, key: SheetKey) -> float:
        """Return what a sheet will still bring, in points."""
        return float(self.find_turn(key).start) if key.empty else 0.0

    def is_exact(self, key: SheetKey) -> bool:
        """Return whether all that may follow from a sheet is counted out."""
        return not key.empty or key.simplify() in self._exact or self._count_out(key.simplify())

    def _solve(self, key: SheetKey) -> TurnValues:
        after = self._find_after(key)
        cells = key.count_gains() + spread_counts(after)
        cells[:, list(key.filled)] = NEVER
        return solve_turn(cells)

    def _find_after(self, key: SheetKey) -> Values:
        """Return what comes after each cell is filled, (cells, 6)."""
        values = None if key in self._exact else self._net.value_after(key)
        if values is None:
            values = np.full((len(key.filled), DICE_COUNTS), NEVER)
        for cell in key.empty if key in self._exact or len(key.empty) == 1 else ():
            for count, after in iter_outcomes(key, cell):
                worth = self._exact[after.simplify()] if after.empty else 0.0
                values[cell, count:] = worth
        return values

    def _count_out(self, key: SheetKey) -> bool:
        """Solve a sheet and all that may follow, if they are few; return whether they are."""
        if key in self._exact:
            return True
        if len(key.empty) > MOST_EMPTY:
            return False
        levels: list[set[SheetKey]] = [{key}]
        while any(each.empty for each in levels[-1]):
            following = {
                after.simplify()
                for each in levels[-1]
                for cell in each.empty
                for _, after in iter_outcomes(each, cell)
            }
            # Those that are solved already count too: a value must not depend on what was asked.
            levels.append(following)
            if sum(map(len, levels)) > MOST_SOLVED:
                return False
        if len(self._exact) > 100 * MOST_SOLVED:
            self._exact.clear()
            return self._count_out(key)
        for level in reversed(levels):
            for each in level - self._exact.keys():
                # A sheet that stands here is solved from those that follow it.
                self._exact[each] = 0.0
                if each.empty:
                    self._exact[each] = float(self._solve(each).start)
        return True
