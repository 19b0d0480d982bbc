# SPDX-License-Identifier: MIT
"""Outlines of whole dice in the picture: their upper faces with the visible sides."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.checks.plane import Plane
from vision.face import SQUARE, Face, Floats


def median_edge_px(faces: Sequence[Face]) -> float:
    """Return the median edge of faces, at least one."""
    return float(np.median([face.edge_px for face in faces]))


def outline_dice(
    faces: Sequence[Face], plane: Plane | None, *, grown_by: float = 0.0
) -> list[Floats]:
    """
    Return the outlines of dice with their visible sides.

    Args:
        grown_by: How much the outlines are enlarged, in half edges.

    Returns:
        Corners of a convex polygon for each, (n, 2).
    """
    if not faces:
        return []
    centers = np.array([face.center for face in faces])
    downs = np.zeros((len(faces), 2)) if plane is None else plane.downs_at(centers)
    return [_outline(face, down, 1.0 + grown_by) for face, down in zip(faces, downs, strict=True)]


def _outline(face: Face, down: Floats, grown: float) -> Floats:
    upper = face.center + SQUARE @ (face.half_edges * grown).T
    both = np.vstack([upper, upper + down * face.edge_px]).astype(np.float32)
    return np.asarray(cv2.convexHull(both).reshape(-1, 2), dtype=np.float64)
