# SPDX-License-Identifier: MIT
"""
What every roll is worth to a sheet, if its player makes the best of it.

Jokers come in here: each subset of the unused ones is a case of its own, and a case with a joker
rests on those without it. Near the end of a game the net is not asked: what can happen is
counted out.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from controller.coach.chances import ROLL_CHANCES
from controller.coach.choice.last_rolls import LastRolls
from controller.coach.choice.moves import (
    NEVER,
    PAIRS,
    Moves,
    list_corrected,
    list_pair_moves,
    list_triple_moves,
)
from controller.coach.choice.sheet_net import (
    CORRECTOR_BIT,
    TERMINATOR_BIT,
    THREE_BIT,
    SheetKey,
    SheetNet,
    Values,
)
from controller.games.choice.sheet import FIFTH_BOXES, FIFTH_ROWS

MOST_CACHED = 4096
MOST_LAST = 16  # Of sheets before their last roll: each is a megabyte.


class RollValues:
    """The values of one pair of nets, without unused jokers and with some; for one thread."""

    def __init__(self, plain: SheetNet, jokers: SheetNet) -> None:
        self._plain, self._with_jokers = plain, jokers
        self.best = lru_cache(MOST_CACHED)(self._find_best)
        self.after = lru_cache(MOST_CACHED)(self._find_after)
        self._find_last = lru_cache(MOST_LAST)(self._list_last)

    def expect(self, sheet: SheetKey) -> float:
        """Return what a sheet is worth before the next roll; its points if it is finished."""
        return float(sheet.points) if sheet.is_finished else float(ROLL_CHANCES @ self.best(sheet))

    def _find_after(self, sheet: SheetKey) -> Values:
        """Return what the sheet is worth after each move, (pairs, slots)."""
        found = (self._with_jokers if sheet.jokers else self._plain).value_after(sheet)
        self._count_out(sheet, found)
        return found

    def _find_best(self, sheet: SheetKey) -> Values:
        """Return what each roll is worth to a sheet whose game goes on, (252,)."""
        best = self._choose(sheet, list_pair_moves(), sheet)
        if sheet.jokers & THREE_BIT:
            spent = sheet.without(THREE_BIT)
            best = np.maximum(best, self._choose(sheet, list_triple_moves(), spent))
        if sheet.jokers & CORRECTOR_BIT:
            corrected = self.best(sheet.without(CORRECTOR_BIT))[list_corrected()]
            best = np.maximum(best, corrected.max(axis=1))
        if sheet.jokers & TERMINATOR_BIT:
            best = np.maximum(best, ROLL_CHANCES @ self.best(sheet.without(TERMINATOR_BIT)))
        return best

    def _choose(self, sheet: SheetKey, moves: Moves, spent: SheetKey) -> Values:
        slots, is_allowed = moves.find_slots(sheet.fifth)
        values = self.after(spent)[moves.pairs, slots]
        best: Values = np.where(is_allowed, values, NEVER).max(axis=1)
        return best

    def _count_out(self, sheet: SheetKey, values: Values) -> None:
        """
        Replace the net's values of sheets that have one more roll, but for free rolls.

        With three faces that each miss their last mark, any roll that shows one of them ends the
        game. What follows a free roll, 3 in 100, is left to the net.
        """
        if _count_missing(sheet) != 1:
            return
        (slot,) = (n for n, marks in enumerate(sheet.fifth) if marks == FIFTH_BOXES - 2)
        last = self._find_last(SheetKey(sheet.marks, sheet.fifth), slot)
        values[:, slot] = last.expect(sheet.jokers)

    def _list_last(self, key: SheetKey, slot: int) -> LastRolls:
        sheets = [key.mark(pair, slot) for pair in range(len(PAIRS))]
        return LastRolls(sheets, self._plain, self._with_jokers)


def _count_missing(sheet: SheetKey) -> int | None:
    """Return how many marks three faces lack until each lacks its last; None if that is not so."""
    marks = [count for count in sheet.fifth if count]
    if len(marks) < FIFTH_ROWS or FIFTH_BOXES in marks:
        return None
    return sum(FIFTH_BOXES - 1 - count for count in marks)
