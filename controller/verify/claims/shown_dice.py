# SPDX-License-Identifier: MIT
"""
Compare the dice in a picture with those in the journal.

Two readings of one frame agree within a fraction of a die's edge. No two throws put all their
dice into the same positions. A picture that shows this is from an earlier roll, even if its
bytes differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from controller.table.events import UNSEEN, TrayDie
from vision.frame import Image
from vision.reading import DieReading, Origin, TrayReading

NEAR_EDGES = 0.5  # A die matches one of the journal within this share of its edge length.

SAME_EDGES, SAME_DEG = 0.1, 3.0
"""Two dice of two rolls lie alike within this; the picture of one roll, stored again, does."""
LEAST_ALIKE = 2
"""Dice that must lie alike. One may by chance, once in a million rolls; two never do."""

BLANK_LEVELS = 8  # Levels between the darkest and the brightest pixel of an area without a die.

_DOUBT_EDGES = 1.5
_FLEW = frozenset({Origin.THROWN.value, UNSEEN})


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences between a picture's reading and the journal."""

    # Dice of the journal with dice that show another face there.
    other: tuple[tuple[TrayDie, DieReading], ...]
    gone: tuple[TrayDie, ...]  # Dice of the journal where the reader finds none.
    new: tuple[DieReading, ...]  # Dice that the journal does not have.
    blank: tuple[TrayDie, ...]  # Those of `gone` where the picture shows nothing at all.
    is_empty: bool  # Whether nothing is left of all the dice, not even a doubt near one of them.

    @property
    def is_same(self) -> bool:
        return not (self.other or self.gone or self.new)


def compare_dice(image_bgr: Image, dice: Sequence[TrayDie], reading: TrayReading) -> Comparison:
    """Compare the journal's dice with a reading of their frame, shape (height, width, 3)."""
    left = list(reading.dice)
    other: list[tuple[TrayDie, DieReading]] = []
    gone: list[TrayDie] = []
    for die in dice:
        near = min(left, key=lambda one: math.dist(one.center_px, die.center_px), default=None)
        # The journal may claim any edge, so the one that the picture shows counts too.
        reach_px = NEAR_EDGES * min(die.edge_px, near.edge_px) if near else 0.0
        if near is None or math.dist(near.center_px, die.center_px) > reach_px:
            gone.append(die)
            continue
        left.remove(near)
        if (near.face, near.polarity.value) != (die.face, die.polarity):
            other.append((die, near))
    is_empty = bool(dice) and len(gone) == len(dice) and not _is_doubted(reading, gone)
    return Comparison(
        tuple(other), tuple(gone), tuple(left), find_blank_dice(image_bgr, gone), is_empty
    )


def find_blank_dice(image_bgr: Image, dice: Iterable[TrayDie]) -> tuple[TrayDie, ...]:
    """Return the dice whose area in the picture is of one colour, or outside of it."""
    return tuple(die for die in dice if _is_blank(_cut_area(image_bgr, die)))


class EarlierRolls:
    """The positions of the dice of the rolls so far, by their faces."""

    def __init__(self) -> None:
        self._by_faces: dict[tuple[int, ...], list[tuple[int, Sequence[DieReading]]]] = {}

    def find_alike(self, dice: Sequence[TrayDie], reading: TrayReading, *, line: int) -> int | None:
        """Return the line of an earlier roll with the same dice thrown to the same positions."""
        near = ((die, _find_at(reading.dice, die)) for die in dice if die.origin in _FLEW)
        flew = [one for _, one in near if one is not None]
        same_faces = self._by_faces.setdefault(reading.faces, [])
        found = next((at for at, known in same_faces if _is_alike(flew, known)), None)
        same_faces.append((line, reading.dice))
        return found if len(flew) >= LEAST_ALIKE else None


def _is_alike(dice: Sequence[DieReading], known: Sequence[DieReading]) -> bool:
    return all(any(_lies_alike(die, one) for one in known) for die in dice)


def _lies_alike(die: DieReading, other: DieReading) -> bool:
    turned_deg = abs(die.angle_deg - other.angle_deg) % 90
    return (
        die.face == other.face
        and math.dist(die.center_px, other.center_px) <= SAME_EDGES * die.edge_px
        and min(turned_deg, 90 - turned_deg) <= SAME_DEG
    )


def _find_at(found: Sequence[DieReading], die: TrayDie) -> DieReading | None:
    near = (one for one in found if one.face == die.face)
    reach_px = NEAR_EDGES * die.edge_px
    return next((one for one in near if math.dist(one.center_px, die.center_px) <= reach_px), None)


def _is_doubted(reading: TrayReading, dice: Iterable[TrayDie]) -> bool:
    places = [doubt.center_px for doubt in reading.doubts if doubt.center_px is not None]
    return any(
        math.dist(place, die.center_px) <= _DOUBT_EDGES * die.edge_px
        for die in dice
        for place in places
    )


def _cut_area(image_bgr: Image, die: TrayDie) -> Image:
    height, width = image_bgr.shape[:2]
    half = max(1.0, die.edge_px / 2)
    x, y = die.center_px
    left, right = (round(min(max(at, 0.0), width)) for at in (x - half, x + half))
    top, bottom = (round(min(max(at, 0.0), height)) for at in (y - half, y + half))
    return image_bgr[top:bottom, left:right]


def _is_blank(area: Image) -> bool:
    return area.size == 0 or int(np.ptp(area.max(axis=2))) < BLANK_LEVELS
