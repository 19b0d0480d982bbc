# SPDX-License-Identifier: MIT
"""
What every roll is worth to a sheet, if its player makes the best of it.

Jokers come in here: each subset of the unused ones is a case of its own, and a case with a joker
rests on those without it. Near the end of a game the net is not asked: what can happen is
counted out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from controller.coach.chances import ROLL_CHANCES
from controller.coach.choice import moves
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
    count_gains,
)
from controller.games.choice.jokers import JOKER_POINTS
from controller.games.choice.sheet import FIFTH_BOXES, FIFTH_ROWS

_TWO_PAIRS, _TRIPLE = range(2)


# Three faces each miss their last mark: any roll that shows one of them ends the game, and what
# that brings is known. Sheets of the same fifth dice are counted out together, and the subsets of
# their unused jokers share most of the work. Only what follows a free roll, 3 in 100, is left to
# the nets.
class LastRolls:
    """Sheets before their last roll, with the same fifth dice, with or without unused jokers."""

    def __init__(self, sheets: Sequence[SheetKey], plain: SheetNet, with_jokers: SheetNet) -> None:
        fifth = sheets[0].fifth
        marks = np.array([sheet.marks for sheet in sheets]).T
        points, gains = count_gains(marks)
        kinds = moves.list_pair_moves(), moves.list_triple_moves()
        found = [kind.find_slots(fifth) for kind in kinds]
        self._is_free: NDArray[np.bool_] = (found[_TWO_PAIRS][0] == moves.UNMARKED).all(axis=1)
        self._moves = [
            (kind.pairs, is_allowed) for kind, (_, is_allowed) in zip(kinds, found, strict=True)
        ]
        self._ends = [
            _find_most(points + gains, pairs, is_allowed) for pairs, is_allowed in self._moves
        ]
        self._free_pairs = np.unique(
            np.concatenate([numbers[self._is_free].ravel() for numbers, _ in self._moves])
        )
        self._nets = plain, with_jokers
        self._added = [net.add_free_rolls(marks, fifth, self._free_pairs) for net in self._nets]
        self._best: dict[int, Values] = {}

    def expect(self, jokers: int) -> Values:
        """Return what each sheet is worth with these unused jokers, (sheets,)."""
        return ROLL_CHANCES @ self._find_best(jokers)

    def _find_best(self, jokers: int) -> Values:
        """Return what each roll is worth to each sheet, (252, sheets)."""
        found = self._best.get(jokers)
        if found is not None:
            return found
        best = self._choose(_TWO_PAIRS, jokers)
        if jokers & THREE_BIT:
            best = np.maximum(best, self._choose(_TRIPLE, jokers & ~THREE_BIT))
        if jokers & CORRECTOR_BIT:
            spent = self._find_best(jokers & ~CORRECTOR_BIT)
            for corrected in moves.list_corrected().T:
                best = np.maximum(best, spent[corrected])
        if jokers & TERMINATOR_BIT:
            best = np.maximum(best, self.expect(jokers & ~TERMINATOR_BIT))
        self._best[jokers] = best
        return best

    def _choose(self, kind: int, jokers: int) -> Values:
        """Return the best move of a kind for each roll, after which these jokers are left."""
        pairs, is_allowed = self._moves[kind]
        net, added = self._nets[jokers > 0], self._added[jokers > 0]
        free = np.full((len(moves.PAIRS), added.shape[1]), moves.NEVER)
        free[self._free_pairs] = net.value_free_rolls(added, jokers)
        best = self._ends[kind] + JOKER_POINTS * jokers.bit_count()
        best[self._is_free] = _find_most(free, pairs[self._is_free], is_allowed[self._is_free])
        return best


def _find_most(values: Values, pairs: NDArray[np.intp], is_allowed: NDArray[np.bool_]) -> Values:
    """Return the best allowed move of each roll for each sheet, (rolls, sheets)."""
    best = np.full((len(pairs), values.shape[1]), moves.NEVER)
    for numbers, allowed in zip(pairs.T, is_allowed.T, strict=True):
        best = np.where(allowed[:, None], np.maximum(best, values[numbers]), best)
    return best


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
