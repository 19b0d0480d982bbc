# SPDX-License-Identifier: MIT
"""Who was ahead in a game, and the roll that decided it."""

from __future__ import annotations

from collections.abc import Sequence


def is_higher_better(totals: Sequence[int], winners: Sequence[int]) -> bool:
    """Return whether the winners of a finished game have the highest total; chips are a burden."""
    return all(totals[seat] == max(totals) for seat in winners)


def find_decisive(
    curve: Sequence[Sequence[int]], winners: Sequence[int], losers: Sequence[int]
) -> int:
    """
    Return the index of the roll after which the only winner stayed ahead; -1 without one.

    If the highest total loses, it is the roll after which the only loser had the highest.
    `curve` are totals by seat after each roll; winners and losers are seats too.
    """
    if not curve or len(curve[0]) < 2 or not winners:
        return -1
    highest = winners if is_higher_better(curve[-1], winners) else losers
    if len(highest) != 1:
        return -1
    (seat,) = highest
    for index in reversed(range(len(curve))):
        others = (total for other, total in enumerate(curve[index]) if other != seat)
        if curve[index][seat] <= max(others):
            return min(index + 1, len(curve) - 1)
    return 0
