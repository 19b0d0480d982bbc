# SPDX-License-Identifier: MIT
"""
A turn of three throws, solved exactly.

Given what every cell is worth for every roll, the value of each set of kept dice follows, from the
last throw back to the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from controller.coach.chances import DICE, ROLL_CHANCES, ROLL_NUMBERS, ROLLS, count_orders
from controller.games.dice import FACES, Roll
from controller.games.wuerfelspiel.sheet import ROWS, UPPER_ROWS, score_row

Values = NDArray[np.float64]

KEPT: tuple[Roll, ...] = tuple(
    kept for count in range(DICE + 1) for kept in combinations_with_replacement(FACES, count)
)
"""All 462 sets of kept dice, from none to five; the last ones are the rolls."""
KEPT_NUMBERS = {kept: number for number, kept in enumerate(KEPT)}

SCORES: Values = np.array([[score_row(row, roll) for row in ROWS] for roll in ROLLS], float)
"""What each roll counts in each row, (252, 13)."""
COUNTS: NDArray[np.intp] = np.array([[roll.count(face) for face in FACES] for roll in ROLLS])
"""How often each roll shows each face, (252, 6)."""
UPPER = len(UPPER_ROWS)


@dataclass(frozen=True, slots=True)
class TurnValues:
    """What a turn is worth at each of its moments."""

    cells: Values  # For each roll and cell, (..., 252, cells).
    after_second: Values  # For each set of kept dice before the third throw, (..., 462).
    after_first: Values  # The same before the second throw.
    start: Values  # Before the first throw, (...).


def solve_turn(cells: Values) -> TurnValues:
    """Return the values of turns whose cells are worth this for each roll, (..., 252, cells)."""
    chances = find_throw_chances().T
    after_second = cells.max(axis=-1) @ chances
    after_first = _find_best_kept(after_second) @ chances
    start = _find_best_kept(after_first) @ ROLL_CHANCES
    return TurnValues(cells, after_second, after_first, start)


def _find_best_kept(values: Values) -> Values:
    """Return by roll the best of all sets that it allows to keep, (..., 462) to (..., 252)."""
    best = np.moveaxis(values, -1, 0).copy()
    for kept, fewer in _list_fewer():
        best[kept] = np.maximum(best[kept], best[fewer].max(axis=1))
    return np.moveaxis(best[-len(ROLLS) :], 0, -1)


@cache
def find_throw_chances() -> Values:
    """Return the chance of each roll if some dice are kept and the others thrown, (462, 252)."""
    chances = np.zeros((len(KEPT), len(ROLLS)))
    for number, kept in enumerate(KEPT):
        thrown = DICE - len(kept)
        for faces in combinations_with_replacement(FACES, thrown):
            roll = tuple(sorted(kept + faces))
            chances[number, ROLL_NUMBERS[roll]] = count_orders(faces) / 6**thrown
    return chances


@cache
def _list_fewer() -> list[tuple[slice, NDArray[np.intp]]]:
    """Return the sets of each size, and the numbers of those with one die less, (sets, size)."""
    found = []
    for size in range(1, DICE + 1):
        kept = [each for each in KEPT if len(each) == size]
        fewer = [[KEPT_NUMBERS[each[:at] + each[at + 1 :]] for at in range(size)] for each in kept]
        first = KEPT_NUMBERS[kept[0]]
        found.append((slice(first, first + len(kept)), np.array(fewer)))
    return found
