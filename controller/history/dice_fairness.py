# SPDX-License-Identifier: MIT
"""How likely fair dice are to fall as these did: Pearson's chi-square test of equal shares."""

from __future__ import annotations

import math
from collections.abc import Sequence

LEAST_DICE = 30
"""With fewer, a count of five for each face, the approximation is poor."""


def compute_chance(faces: Sequence[int]) -> float | None:
    """
    Return the probability that six equally likely faces differ as much or more.

    Args:
        faces: How often each of the six faces was thrown.

    Returns:
        From 0 to 1; None below `LEAST_DICE` dice.
    """
    dice = sum(faces)
    if dice < LEAST_DICE:
        return None
    expected = dice / 6
    chi = sum((count - expected) ** 2 for count in faces) / expected
    # The upper tail for five degrees of freedom, in closed form.
    tail = math.sqrt(2 * chi / math.pi) * math.exp(-chi / 2) * (1 + chi / 3)
    return min(1.0, math.erfc(math.sqrt(chi / 2)) + tail)
