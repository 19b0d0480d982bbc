# SPDX-License-Identifier: MIT
"""
The texts of doubts: what is wrong, and what to do.

Every doubt about a die has the die's position and size, so that a screen can mark it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import dist

from controller.base.languages.message import message
from vision.face import Face, Floats
from vision.reading import Doubt, DoubtKind

_TEXTS = {
    DoubtKind.COCKED: "A die leans. Lay it flat.",
    DoubtKind.STACKED: "Dice lie on or behind each other. Lay them apart.",
    DoubtKind.GLARE: "Glare may hide pips. Turn the die or dim the light.",
    DoubtKind.OFF_THE_FELT: "A die is not fully on the felt. Move it farther in.",
    DoubtKind.FOREIGN_OBJECT: "This is not a die. Take it out.",
    DoubtKind.UNSURE: "This can't be read for certain. Move it a little.",
}

UNLIKE = "This die looks unlike the dice of this table. Take it out, or calibrate again."
HARD_TO_READ = message("These dice are too hard to read here. Enter the numbers, or take others.")

# The same under a dome, where no hand moves a die.
_UNDER_DOME = {
    DoubtKind.COCKED: message("A die leans on the wall. Shake again."),
    DoubtKind.STACKED: message("Dice lie on or behind each other. Shake again."),
    DoubtKind.GLARE: message("A lamp's reflection may hide pips. Shake again, or move the lamp."),
    DoubtKind.OFF_THE_FELT: message("A die is too near the wall to be read. Shake again."),
    DoubtKind.FOREIGN_OBJECT: message("This is not a die. Take it out from under the dome."),
    DoubtKind.UNSURE: message("This can't be read for certain. Shake again."),
    DoubtKind.COUNT: message("Not all dice can be read. Shake again."),
}

NO_DOME = Doubt(
    DoubtKind.NO_DOME, message("The dome isn't where the camera can see all of it. Move it in.")
)


def doubt_under_dome(doubt: Doubt) -> Doubt:
    """Return a doubt with what to do under a dome."""
    if doubt.text == HARD_TO_READ:
        return doubt
    if doubt.text == UNLIKE:
        text = message("This die looks unlike the dice of this table. Calibrate again.")
        return replace(doubt, text=text)
    return replace(doubt, text=_UNDER_DOME.get(doubt.kind, doubt.text))


def doubt_at(kind: DoubtKind, center: Floats, radius_px: float, text: str = "") -> Doubt:
    """Return a doubt about a position, with the usual text of its kind if none is given."""
    x, y = (float(v) for v in center)
    return Doubt(kind, text or _TEXTS[kind], (x, y), float(radius_px))


def doubt_about(kind: DoubtKind, face: Face, text: str = "") -> Doubt:
    """Return a doubt about a die; the circle holds all of its face."""
    return doubt_at(kind, face.center, 0.75 * face.edge_px, text)


def deduplicate(doubts: Iterable[Doubt]) -> list[Doubt]:
    """Return the doubts without repetitions of the same kind and position."""
    kept: list[Doubt] = []
    for doubt in doubts:
        if not any(_is_same(doubt, other) for other in kept):
            kept.append(doubt)
    return kept


def _is_same(one: Doubt, other: Doubt) -> bool:
    if one.kind is not other.kind or one.center_px is None or other.center_px is None:
        return False
    return dist(one.center_px, other.center_px) < max(one.radius_px, other.radius_px)
