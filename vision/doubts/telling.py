# SPDX-License-Identifier: MIT
"""
Say what keeps a die from being certain, in one short sentence that says what to do.

A person stands at the table with the picture before them: every doubt about a die
lies on that die, reaches as far as it does, and ends in something a hand can do.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vision.geometry.choose import Candidate
from vision.geometry.pips import Floats
from vision.reading import Doubt, DoubtKind

_TEXTS = {
    DoubtKind.COCKED: "A die leans. Lay it flat.",
    DoubtKind.STACKED: "Dice lie on or behind each other. Lay them apart.",
    DoubtKind.GLARE: "Shine may hide pips. Turn the die or dim the light.",
    DoubtKind.OFF_THE_FELT: "A die is not wholly on the felt. Lay it farther in.",
    DoubtKind.FOREIGN_OBJECT: "Something that is no die lies here. Take it out.",
    DoubtKind.UNSURE: "This can't be read for certain. Move it a little.",
}


def doubt_at(kind: DoubtKind, center: Floats, radius_px: float) -> Doubt:
    """
    Return a doubt about a place.

    Args:
        kind: Why; one that has a place.
        center: The place, (2,).
        radius_px: How far around it reaches.
    """
    x, y = (float(v) for v in center)
    return Doubt(kind, _TEXTS[kind], (x, y), float(radius_px))


def doubt_about(kind: DoubtKind, candidate: Candidate) -> Doubt:
    """Return a doubt about a die, in the pixels of its face; the circle holds all of the face."""
    return doubt_at(
        kind, candidate.face.center, 1.5 * candidate.body.half_edge * candidate.face.step
    )


def each_once(doubts: Iterable[Doubt]) -> list[Doubt]:
    """Return the doubts without those that tell the same of a place that was told before."""
    told: list[Doubt] = []
    for doubt in doubts:
        if not any(_says_the_same(doubt, other) for other in told):
            told.append(doubt)
    return told


def _says_the_same(one: Doubt, other: Doubt) -> bool:
    """Whether two doubts are of one kind, and either's middle lies where the other reaches."""
    if one.kind is not other.kind or one.center_px is None or other.center_px is None:
        return False
    reach = max(one.radius_px, other.radius_px)
    return bool(np.hypot(*np.subtract(one.center_px, other.center_px)) < reach)
