# SPDX-License-Identifier: MIT
"""Convert faces into dice with corners, millimetres and a colour word."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.checks.outlines import median_edge_px
from vision.face import Face, Floats
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


def to_die_readings(faces: Sequence[Face], die_edge_mm: float) -> tuple[DieReading, ...]:
    """
    Return the dice that show these faces, from left to right.

    Args:
        die_edge_mm: The length of the median edge, which gives the scale.
    """
    mm_per_px = die_edge_mm / median_edge_px(faces) if faces else 0.0
    return tuple(
        sorted((_to_die_reading(face, mm_per_px) for face in faces), key=lambda die: die.center_px)
    )


def name_colour(bgr: Floats) -> str:
    """
    Return the word for a colour.

    Colours too pale or too dark to have a hue are grey, white or black.

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


def _to_die_reading(face: Face, mm_per_px: float) -> DieReading:
    x, y = face.center.tolist()
    along = face.half_edges[:, 0]
    one, two, three, four = ((float(px), float(py)) for px, py in face.corners)
    return DieReading(
        face=face.number,
        polarity=Polarity.LIGHT if face.is_light else Polarity.DARK,
        colour=name_colour(face.bgr),
        center_px=(x, y),
        corners_px=(one, two, three, four),
        angle_deg=float(np.degrees(np.arctan2(along[1], along[0])) % 90.0),
        edge_px=face.edge_px,
        center_mm=(x * mm_per_px, y * mm_per_px),
        confidence=face.confidence,
    )
