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

from controller.table.events import TrayDie, TrayDoubt
from controller.table.state import LastReported

SAME_POSITION_EDGES = 0.2
"""A die that moved less than this share of its edge stayed: readings jitter far less."""

SAME_ANGLE_DEG = 10.0

SAME_DOUBT_RADII = 0.25
"""What is in doubt at a place not farther away than this share of its reach lies as it lay."""


def list_unmoved(before: Sequence[TrayDie], now: Sequence[TrayDie]) -> tuple[TrayDie, ...]:
    """Return the dice of `now` that lie as a die of `before` did."""
    return tuple(die for die in now if any(_stayed(old, die) for old in before))


def merge_dice(before: Sequence[TrayDie], now: Sequence[TrayDie]) -> tuple[TrayDie, ...]:
    """Return the dice of both, those that stayed only once."""
    stayed = list_unmoved(before, now)
    return (*before, *(die for die in now if die not in stayed))


def same_as_reported(
    told: LastReported, dice: Sequence[TrayDie], doubts: Sequence[TrayDoubt]
) -> bool:
    """Tell whether dice and doubts are those of the rest that was told last, lying as they lay."""
    if (len(told.dice), len(told.doubts)) != (len(dice), len(doubts)):
        return False
    if len(list_unmoved(told.dice, dice)) != len(dice):
        return False
    return all(any(_is_same_doubt(old, new) for old in told.doubts) for new in doubts)


def _is_same_doubt(old: TrayDoubt, new: TrayDoubt) -> bool:
    if old.kind != new.kind or old.center_px is None or new.center_px is None:
        return (old.kind, old.center_px) == (new.kind, new.center_px)
    return math.dist(old.center_px, new.center_px) <= SAME_DOUBT_RADII * old.radius_px


def _stayed(old: TrayDie, new: TrayDie) -> bool:
    if (old.face, old.polarity) != (new.face, new.polarity):
        return False
    if math.dist(old.center_px, new.center_px) > SAME_POSITION_EDGES * old.edge_px:
        return False
    turn_deg = abs(old.angle_deg - new.angle_deg) % 90.0
    return min(turn_deg, 90.0 - turn_deg) <= SAME_ANGLE_DEG
