# SPDX-License-Identifier: MIT
"""
Say what was found: the faces that are read as dice.

The stages work in lattice steps; whoever asked wants corners, millimetres on the
felt, and a colour's name.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry.choose import Candidate
from vision.geometry.pips import Floats
from vision.reading import DieReading, Polarity

# Upper ends of the hues in OpenCV's half degrees; red closes the circle.
_HUES = (
    (7, "red"),
    (18, "orange"),
    (34, "yellow"),
    (85, "green"),
    (130, "blue"),
    (155, "violet"),
    (172, "pink"),
    (181, "red"),
)


def dice_of(tops: list[Candidate], die_edge_mm: float) -> tuple[DieReading, ...]:
    """
    Return the dice that show these faces, from left to right.

    Args:
        tops: The top faces.
        die_edge_mm: What the median edge stands for, so that places get millimetres.
    """
    corners = [_corners(top) for top in tops]
    edges = [
        float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).mean()) for quad in corners
    ]
    mm_per_px = die_edge_mm / float(np.median(edges)) if edges else 0.0
    dice = [
        _die(top, quad, edge, mm_per_px)
        for top, quad, edge in zip(tops, corners, edges, strict=True)
    ]
    return tuple(sorted(dice, key=lambda die: die.center_px))


def colour_word(bgr: Floats) -> str:
    """
    Return the word for a colour.

    Grey, white and black stand for everything too pale or too dark to have a hue.

    Args:
        bgr: Blue, green and red, 0 to 255.
    """
    pixel = np.clip(bgr, 0, 255).astype(np.uint8).reshape(1, 1, 3)
    hue, saturation, value = (int(v) for v in cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV)[0, 0])
    if value < 50 or (value < 90 and saturation < 70):
        return "black"
    if saturation < 70:
        return "white" if value > 130 else "grey"
    return next(word for end, word in _HUES if hue < end)


def _die(candidate: Candidate, corners: Floats, edge_px: float, mm_per_px: float) -> DieReading:
    face = candidate.face
    x, y = face.center.tolist()
    along = corners[1] - corners[0]
    one, two, three, four = ((float(px), float(py)) for px, py in corners)
    return DieReading(
        face=face.number,
        polarity=Polarity.DARK if face.light else Polarity.LIGHT,
        colour=colour_word(candidate.body.bgr),
        center_px=(x, y),
        corners_px=(one, two, three, four),
        angle_deg=float(np.degrees(np.arctan2(along[1], along[0])) % 90.0),
        edge_px=edge_px,
        center_mm=(x * mm_per_px, y * mm_per_px),
        confidence=_confidence(candidate),
    )


def _corners(candidate: Candidate) -> Floats:
    """Corners of the face, clockwise in the picture, at its seen edges where they were seen."""
    face, edges = candidate.face, candidate.body.edges
    right, below, left, above = np.where(np.isfinite(edges), edges, candidate.body.half_edge)
    square = np.array([(-left, -above), (right, -above), (right, below), (-left, below)])
    corners = face.center + square @ face.axes.T
    return np.asarray(corners if np.linalg.det(face.axes) > 0 else corners[::-1])


def _confidence(candidate: Candidate) -> float:
    """How well the pips agree with the pattern: place and evenness, each 1 when perfect."""
    return float(np.clip((1.0 - candidate.face.residual) * candidate.body.even, 0.0, 1.0))
