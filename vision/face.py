# SPDX-License-Identifier: MIT
"""An upper face in the picture, as the stages of the reader pass it on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
"""Corners of a face in its half edges, clockwise in the picture."""


@dataclass(frozen=True, slots=True, eq=False)
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

    @property
    def edge_px(self) -> float:
        """The root of the face's area."""
        return edge_of(self.half_edges)

    @property
    def corners(self) -> Floats:
        """Its corners, clockwise in the picture, (4, 2)."""
        return np.asarray(self.center + SQUARE @ self.half_edges.T)

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
