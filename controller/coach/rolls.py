# SPDX-License-Identifier: MIT
"""The rolls of five dice, and how likely each of them is."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import factorial, prod

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
