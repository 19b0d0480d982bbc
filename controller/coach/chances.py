# SPDX-License-Identifier: MIT
"""
Chances to win, from what each player may expect and how far the dice may still carry them from it.

What is to come is taken for normally distributed, and that of one player for independent of
another's. In Choice all play the same rolls, so real chances are rather clearer than these.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erf

import numpy as np

LEAST_SPREAD = 0.5
"""Points: results are whole, and equal ones share the win."""
_STEPS = 2001
_WIDTH = 6.0


def share_win(expected: Sequence[float], spreads: Sequence[float]) -> list[float]:
    """
    Return each player's chance to have the highest result; they add up to 1.

    Args:
        expected: The results that the players may expect.
        spreads: The standard deviations of their results; 0 for one that is final.
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
