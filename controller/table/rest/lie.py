# SPDX-License-Identifier: MIT
"""
Whether dice lie as they lay before.

The camera does not move between two rolls, so a die that stayed is found at the same
place of the picture, turned the same way, with the same face. A thrown die comes to
rest just so about once in ten thousand throws; being asked to throw again is then
the smaller evil.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from controller.table.events import SeenDie

SAME_PLACE_EDGES = 0.2
"""A die that moved less than this share of its edge stayed: readings jitter far less."""

SAME_ANGLE_DEG = 10.0


def unmoved(before: Sequence[SeenDie], now: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
    """Return the dice of `now` that lie as a die of `before` did."""
    return tuple(die for die in now if any(_stayed(old, die) for old in before))


def together(before: Sequence[SeenDie], now: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
    """Return the dice of both, those that stayed only once."""
    stayed = unmoved(before, now)
    return (*before, *(die for die in now if die not in stayed))


def _stayed(old: SeenDie, new: SeenDie) -> bool:
    if (old.face, old.polarity) != (new.face, new.polarity):
        return False
    if math.dist(old.center_px, new.center_px) > SAME_PLACE_EDGES * old.edge_px:
        return False
    turn_deg = abs(old.angle_deg - new.angle_deg) % 90.0
    return min(turn_deg, 90.0 - turn_deg) <= SAME_ANGLE_DEG
