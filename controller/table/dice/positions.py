# SPDX-License-Identifier: MIT
"""
Compare the positions of dice between two readings.

The camera does not move between two rolls. So a die that stayed has the same position,
angle and face. A thrown die ends up like that about once in ten thousand throws. The table
then asks for another throw, which is better than a roll that was never thrown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from controller.table.events import TrayDie, TrayDoubt
from controller.table.state import TableReading

SAME_POSITION_EDGES = 0.2
"""A die that moved less than this share of its edge stayed; readings jitter far less."""

SAME_ANGLE_DEG = 10.0

SAME_DOUBT_RADII = 0.25
"""A doubt that moved no farther than this share of its radius is still the same one."""


def list_unmoved(before: Sequence[TrayDie], now: Sequence[TrayDie]) -> tuple[TrayDie, ...]:
    """Return the dice of `now` that match a die of `before` in face, position and angle."""
    return tuple(die for die in now if any(_is_same_die(old, die) for old in before))


def merge_dice(before: Sequence[TrayDie], now: Sequence[TrayDie]) -> tuple[TrayDie, ...]:
    """Return the dice of both readings; those that stayed are listed once."""
    stayed = list_unmoved(before, now)
    return (*before, *(die for die in now if die not in stayed))


def is_same_reading(before: TableReading, now: TableReading) -> bool:
    """Return whether two readings show the same dice and doubts."""
    if (len(before.dice), len(before.doubts)) != (len(now.dice), len(now.doubts)):
        return False
    if len(list_unmoved(before.dice, now.dice)) != len(now.dice):
        return False
    return all(any(_is_same_doubt(old, new) for old in before.doubts) for new in now.doubts)


def _is_same_doubt(old: TrayDoubt, new: TrayDoubt) -> bool:
    if old.kind != new.kind or old.center_px is None or new.center_px is None:
        return (old.kind, old.center_px) == (new.kind, new.center_px)
    return math.dist(old.center_px, new.center_px) <= SAME_DOUBT_RADII * old.radius_px


def _is_same_die(old: TrayDie, new: TrayDie) -> bool:
    if (old.face, old.polarity) != (new.face, new.polarity):
        return False
    if math.dist(old.center_px, new.center_px) > SAME_POSITION_EDGES * old.edge_px:
        return False
    turn_deg = abs(old.angle_deg - new.angle_deg) % 90.0
    return min(turn_deg, 90.0 - turn_deg) <= SAME_ANGLE_DEG
