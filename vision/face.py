# SPDX-License-Identifier: MIT
"""An upper face in the picture, as the stages of the reader pass it on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import DieReading, Polarity

Floats = NDArray[np.float64]

SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
"""Corners of a face in its half edges, clockwise in the picture."""


# Without slots, because faces are compared by their edges again and again.
@dataclass(frozen=True, eq=False)
class Face:
    """One upper face, in pixels of the picture."""

    center: Floats  # Its centre, (2,).
    # Two columns, from the centre to the middles of two neighbouring sides, the second clockwise
    # from the first, (2, 2).
    half_edges: Floats
    number: int  # 1 to 6; 0 where it could not be read.
    # From the centre to the centre of the face below, in edges of this face along the picture's
    # axes, (2,).
    foot: Floats
    foot_error: float  # How far wrong that may be, in edges.
    odd: float  # Probability that the die is cocked, stacked, hidden or cut off.
    is_light: bool  # Whether the body is lighter than the pips.
    bgr: Floats  # The body's colour, (3,).
    confidence: float  # Probability that the number is right.
    # Ratio of the body's level to that of its pips, as a natural logarithm; 0 is unknown.
    contrast: float = 0.0

    @cached_property
    def edge_px(self) -> float:
        """The root of the face's area."""
        return edge_of(self.half_edges)

    @property
    def corners(self) -> Floats:
        """Its corners, clockwise in the picture, (4, 2)."""
        return np.asarray(self.center + SQUARE @ self.half_edges.T)

    def scaled_corners(self, factor: float) -> Floats:
        """Return the corners of a face larger by a factor, with the same centre, (4, 2)."""
        return np.asarray(self.center + (self.corners - self.center) * factor)

    def edges_from(self, point: Floats) -> float:
        """Return how far a point is from the centre, in edges, as if seen from straight above."""
        (a, b), (c, d) = self.half_edges.tolist()
        x, y = (point - self.center).tolist()
        area = a * d - b * c
        return float(np.hypot(d * x - b * y, a * y - c * x) / (2.0 * abs(area)))


def edge_of(half_edges: Floats) -> float:
    """Return the edge of a face with these half edges: the root of its area."""
    (a, b), (c, d) = half_edges.tolist()
    return 2.0 * float(abs(a * d - b * c) ** 0.5)


def measure_insets(polygon: NDArray[np.floating], points: NDArray[np.floating]) -> Floats:
    """Return how far points (n, 2) are inside a polygon (m, 2), negative outside, (n,)."""
    outline = polygon.astype(np.float32)
    return np.array([cv2.pointPolygonTest(outline, point, True) for point in points.tolist()])


def median_edge_px(faces: Sequence[Face]) -> float:
    """Return the median edge of faces, at least one."""
    return float(np.median([face.edge_px for face in faces]))


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


_USUAL_EDGE_MM = 16.0  # Edge of the dice, the physical scale without a calibration.


def to_die_readings(faces: Sequence[Face]) -> tuple[DieReading, ...]:
    """Return the dice with these faces, from left to right; their median edge gives the scale."""
    mm_per_px = _USUAL_EDGE_MM / median_edge_px(faces) if faces else 0.0
    return tuple(
        sorted((_to_die_reading(face, mm_per_px) for face in faces), key=lambda die: die.center_px)
    )


def name_colour(bgr: Floats) -> str:
    """
    Return the word for a colour of blue, green and red, 0 to 255.

    Colours too pale or too dark to have a hue are grey, white or black.
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
