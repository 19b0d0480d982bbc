# SPDX-License-Identifier: MIT
"""
Whether the dice of one throw fall independently of one another.

Dice that stick together, or are laid down as a stack, show equal faces too often or too seldom. For
each strength of such a bond the evidence is the ratio of the probabilities of the thrown pairs of
equal faces; the mean over some strengths may be looked at after every throw, as in `face_test`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import combinations_with_replacement
from math import exp, factorial, log, prod

from controller.history.fairness.face_test import average_logs

STRENGTHS = (-0.4, -0.2, -0.1, 0.1, 0.2, 0.4)
MOST_DICE = 10  # Throws of more dice are left out: they are rare, and counting them out takes long.


def count_pairs(faces: tuple[int, ...]) -> int:
    """Return how many pairs of dice of a throw show the same face."""
    return sum(count * (count - 1) // 2 for count in Counter(faces).values())


def find_bond_evidence(pairs: Mapping[int, tuple[int, int]]) -> float:
    """Return the logarithm of the evidence against independent dice, by dice thrown at once."""
    counted = {dice: found for dice, found in pairs.items() if 2 <= dice <= MOST_DICE}
    logs = [
        sum(
            strength * equal - throws * log(_mean_weight(dice, strength))
            for dice, (throws, equal) in counted.items()
        )
        for strength in STRENGTHS
    ]
    return average_logs(logs)


@cache
def _mean_weight(dice: int, strength: float) -> float:
    """Return the mean of e^(strength * pairs) over all throws of fair dice."""
    total = 0.0
    for faces in combinations_with_replacement(range(6), dice):
        orders = factorial(dice) // prod(factorial(n) for n in Counter(faces).values())
        total += orders * exp(strength * count_pairs(faces))
    return float(total / 6**dice)
