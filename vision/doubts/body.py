# SPDX-License-Identifier: MIT
"""
Where a die that was read lies in the picture: its top face, its sides below it, its size.

Everything here speaks of a `Candidate` in the pixels of the picture it was found in.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry.choose import Candidate
from vision.geometry.pips import Floats

_SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


def half_edges_of(top: Candidate) -> Floats:
    """Return the ways from the face's centre to the middles of two of its sides, (2, 2) columns."""
    return np.asarray(top.face.axes * top.body.half_edge)


def corners_of(top: Candidate) -> Floats:
    """Return the face's corners, one after the other, (4, 2)."""
    return np.asarray(top.face.center + _SQUARE @ half_edges_of(top).T)


def edge_px_of(top: Candidate) -> float:
    """Return the mean edge of the face in pixels."""
    return 2.0 * top.body.half_edge * top.face.step


def outline_of(top: Candidate, down: Floats) -> Floats:
    """
    Return the outline of a die with its visible sides.

    Args:
        top: Its top face.
        down: From a corner of the top face to the corner below it, in pixels, (2,).

    Returns:
        Corners of a convex polygon, (n, 2).
    """
    upper = corners_of(top)
    both = np.vstack([upper, upper + down]).astype(np.float32)
    return np.asarray(cv2.convexHull(both).reshape(-1, 2), dtype=np.float64)
