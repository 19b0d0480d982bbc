# SPDX-License-Identifier: MIT
"""
The chances of each roll of five dice, and those to win.

A player's chance to win follows from what each may expect, and from how far the dice may still
carry them from it. What is to come is taken for normally distributed, and that of one player for
independent of another's. In Choice all play the same rolls, so real chances are rather clearer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import erf, factorial, prod

import numpy as np
from numpy.typing import NDArray

from controller.games.dice import FACES, Roll

DICE = 5

ROLLS: tuple[Roll, ...] = tuple(combinations_with_replacement(FACES, DICE))
"""All 252, smallest face first."""
ROLL_NUMBERS = {roll: number for number, roll in enumerate(ROLLS)}


def count_orders(dice: Roll) -> int:
    """Return in how many orders these faces can lie."""
    return factorial(len(dice)) // prod(factorial(dice.count(face)) for face in FACES)


ROLL_CHANCES: NDArray[np.float64] = np.array([count_orders(roll) for roll in ROLLS]) / 6**DICE
"""The chance of each roll."""

LEAST_SPREAD = 0.5  # Points: results are whole, and equal ones share the win.
_STEPS = 2001
_WIDTH = 6.0


def share_win(expected: Sequence[float], spreads: Sequence[float]) -> list[float]:
    """
    Return each player's chance to have the highest result; they add up to 1.

    `expected` are the mean results, `spreads` their standard deviations; 0 for one that is final.
    """
    means = np.array(expected)
    widths = np.maximum(np.array(spreads), LEAST_SPREAD)
    lowest, highest = (means - _WIDTH * widths).min(), (means + _WIDTH * widths).max()
    points = np.linspace(lowest, highest, _STEPS)
    z = (points - means[:, None]) / widths[:, None]
    below = 0.5 * (1 + np.vectorize(erf)(z / np.sqrt(2)))
    steps = np.diff(below, axis=1)
    middle = (below[:, 1:] + below[:, :-1]) / 2
    chances = [
        float((steps[n] * np.delete(middle, n, axis=0).prod(axis=0)).sum())
        for n in range(len(means))
    ]
    total = sum(chances)
    return [chance / total for chance in chances]
