# SPDX-License-Identifier: MIT
"""
Where a die that was read lies in the picture: its top face, its sides below it, its size.

Everything here speaks of a `Candidate` in the pixels of the picture it was found in.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.doubts.plane import Plane
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


def outlines_of(
    tops: Sequence[Candidate], plane: Plane | None, *, grown_by: float = 0.0
) -> list[Floats]:
    """
    Return the outlines of dice with their visible sides.

    Args:
        tops: Their top faces.
        plane: Which they lie in; none where it is not known, then without sides.
        grown_by: How far beyond, in half edges.

    Returns:
        Corners of a convex polygon for each, (n, 2).
    """
    if not tops:
        return []
    centers = np.array([top.face.center for top in tops])
    downs = np.zeros((len(tops), 2)) if plane is None else plane.downs_at(centers)
    return [_outline(top, down, 1.0 + grown_by) for top, down in zip(tops, downs, strict=True)]


def _outline(top: Candidate, down: Floats, grown: float) -> Floats:
    """The hull of a die's upper face and of the one below it, `down` in edges away."""
    half_edges = half_edges_of(top) * grown
    upper = top.face.center + _SQUARE @ half_edges.T
    edge = 2.0 * float(np.sqrt(abs(np.linalg.det(half_edges)))) / grown
    both = np.vstack([upper, upper + down * edge]).astype(np.float32)
    return np.asarray(cv2.convexHull(both).reshape(-1, 2), dtype=np.float64)
