# SPDX-License-Identifier: MIT
"""
What a sheet of Würfelspiel will still bring: counted out near its end, by the net before.

Which of the two depends on the sheet alone, so a value does not depend on what was asked before.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from controller.coach.wuerfelspiel.sheet_end import NEVER, SheetEnd
from controller.coach.wuerfelspiel.sheet_key import (
    DICE_COUNTS,
    SheetKey,
    list_counts,
    spread_counts,
)
from controller.coach.wuerfelspiel.sheet_net import SheetNet
from controller.coach.wuerfelspiel.turn import TurnValues, Values, solve_turn

MOST_CACHED = 512


class SheetValues:
    """The values of sheets, for one thread; `is_deeper` solves the turn after the next one too."""

    def __init__(self, net: SheetNet, *, is_deeper: bool = False) -> None:
        self._net = net
        self._next = SheetValues(net) if is_deeper else None
        self.find_turn = lru_cache(MOST_CACHED)(self._solve)

    def _solve(self, key: SheetKey) -> TurnValues:
        """Return the values of the next turn of a sheet that is not full."""
        return solve_turn(self._find_cells(key))

    def expect(self, key: SheetKey) -> float:
        """Return what a sheet will still bring, in points."""
        return float(self.find_turn(key).start) if key.empty else 0.0

    def is_exact(self, key: SheetKey) -> bool:
        """Return whether all that may follow from a sheet is counted out."""
        return SheetEnd.of(key) is not None

    def _find_cells(self, key: SheetKey) -> Values:
        """Return what each cell brings by each roll with all that follows, (252, cells)."""
        end = SheetEnd.of(key)
        if end is not None:
            return end.solve_cells()
        after = self._next.solve_after(key) if self._next else self._net.value_after(key)
        cells = key.count_gains() + spread_counts(after)
        cells[:, list(key.filled)] = NEVER
        return cells

    def solve_after(self, key: SheetKey) -> Values:
        """Return what comes after each cell is filled, in points, (cells, 6): see `fill`."""
        filled = [(cell, count) for cell in key.empty for count in list_counts(cell)]
        cells = np.stack([self._find_cells(key.fill(*each)) for each in filled])
        values = np.zeros((len(key.filled), DICE_COUNTS))
        values[tuple(np.transpose(filled))] = solve_turn(cells).start
        return values
