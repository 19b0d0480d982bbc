# SPDX-License-Identifier: MIT
"""
What each roll offers, by the rules, as tables of numbers.

A move is a pair of totals that get a mark and the face of the fifth die. Whether the fifth-die
table allows it, and marks it, depends on the sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from controller.coach.chances import ROLL_NUMBERS, ROLLS
from controller.games.choice.jokers import TripleChoice, list_correctors, list_triples
from controller.games.choice.notation import TOTALS, PairChoice, list_choices
from controller.games.choice.sheet import FIFTH_ROWS
from controller.games.dice import FACES, Roll

TOTAL_COUNT = len(TOTALS)
UNMARKED = len(FACES)
"""The slot of a fifth die that gets no mark; the slots before it are the faces."""

PAIRS = tuple(combinations_with_replacement(range(TOTAL_COUNT), 2))
"""Two totals, by their index in `TOTALS`, the smaller first."""
PAIR_NUMBERS = {pair: number for number, pair in enumerate(PAIRS)}
NEVER = -1e9  # The value of a move that does not exist.

_SHOWN = np.array([[face in roll for face in FACES] for roll in ROLLS])


@dataclass(frozen=True, slots=True)
class Moves:
    """The moves of every roll; a row has as many columns as the roll with most moves."""

    pairs: NDArray[np.intp]  # Numbers of pairs, (252, n).
    fifth: NDArray[np.intp]  # Indices of faces, (252, n).
    is_move: NDArray[np.bool_]  # False where a roll has fewer moves, (252, n).

    def find_slots(self, fifth: Sequence[int]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """
        Return the slots that the fifth dice mark, and which moves are allowed, both (252, n).

        `fifth` are the marks of each face in the fifth-die table; 0 for a face that has no row.
        """
        listed: NDArray[np.bool_] = np.greater(np.array(fifth), 0)
        if listed.sum() < FIFTH_ROWS:
            return self.fifth, self.is_move
        has_listed = np.any(_SHOWN & listed, axis=1, keepdims=True)
        slots = np.where(has_listed, self.fifth, UNMARKED)
        return slots, self.is_move & (listed[self.fifth] | ~has_listed)


def number_move(choice: PairChoice | TripleChoice) -> tuple[int, int]:
    """Return the number of the pair and the index of the fifth face of a choice."""
    low, high = sorted(TOTALS.index(total) for total in choice.totals)
    return PAIR_NUMBERS[low, high], choice.fifth - 1


@cache
def list_pair_moves() -> Moves:
    return _list_moves(lambda roll: list_choices(roll).values())


@cache
def list_triple_moves() -> Moves:
    """Return the choices with a 3:1; a roll may have none."""
    return _list_moves(lambda roll: list_triples(roll).values())


@cache
def list_corrected() -> NDArray[np.intp]:
    """Return the numbers of the rolls that a corrector makes of each roll, (252, n)."""
    rolls = [sorted({ROLL_NUMBERS[to] for to in list_correctors(roll).values()}) for roll in ROLLS]
    most = max(map(len, rolls))
    return np.array([each + each[:1] * (most - len(each)) for each in rolls])


def _list_moves(offer: Callable[[Roll], Iterable[PairChoice | TripleChoice]]) -> Moves:
    moves = [sorted({number_move(choice) for choice in offer(roll)}) for roll in ROLLS]
    most = max(map(len, moves))
    filled = np.array([each + [(0, 0)] * (most - len(each)) for each in moves])
    is_move = np.arange(most) < np.array([len(each) for each in moves])[:, None]
    return Moves(filled[..., 0], filled[..., 1], is_move)
