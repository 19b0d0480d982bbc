# SPDX-License-Identifier: MIT
"""
What a sheet of Würfelspiel will still bring: counted out near its end, by the net before.

Which of the two depends on the sheet alone, so a value does not depend on what was asked before.
"""

from __future__ import annotations

from collections import OrderedDict

from controller.coach.wuerfelspiel.sheet_end import NEVER, SheetEnd
from controller.coach.wuerfelspiel.sheet_key import SheetKey, spread_counts
from controller.coach.wuerfelspiel.sheet_net import SheetNet
from controller.coach.wuerfelspiel.turn import TurnValues, Values, solve_turn

MOST_CACHED = 512


class SheetValues:
    """The values of sheets; for one thread."""

    def __init__(self, net: SheetNet) -> None:
        self._net = net
        self._turns: OrderedDict[SheetKey, TurnValues] = OrderedDict()

    def find_turn(self, key: SheetKey) -> TurnValues:
        """Return the values of the next turn of a sheet that is not full."""
        found = self._turns.get(key)
        if found is None:
            found = solve_turn(self._find_cells(key))
            self._turns[key] = found
            if len(self._turns) > MOST_CACHED:
                self._turns.popitem(last=False)
        return found

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
        cells = key.count_gains() + spread_counts(self._net.value_after(key))
        cells[:, list(key.filled)] = NEVER
        return cells
