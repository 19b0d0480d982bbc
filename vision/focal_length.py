# SPDX-License-Identifier: MIT
"""
Estimate the focal length from the perspective of the felt, and how far off it may be.

With the right focal length the felt's two axes are perpendicular and have one scale. A slanted
view determines it; a view from straight above fits any lens. But corners are set only so exactly,
and the pixels of many cameras are not quite square, which looks like a slant. So the picture's
evidence is weighed by both errors against usual cameras. What remains uncertain is the estimate's
own error, which those who use it take into account.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.face import Floats

USUAL_SHARE = 0.9
"""The focal length of a usual camera, as a share of the picture's longer side: 58 degrees."""

_SPREAD = 0.35  # Deviation of the focal length's logarithm between cameras.
_PIXEL_ASPECT = 0.03  # Deviation of the logarithm of pixels' width by height between cameras.
_SHARES = np.geomspace(0.45, 3.0, 77)
_STEP_MM = 0.1
_STEP_ASPECT = 0.001


@dataclass(frozen=True, slots=True)
class FocalLength:
    """An estimated focal length."""

    px: float
    error: float  # Standard deviation of its logarithm.


def estimate_focal(
    px_from_felt: Floats, picture_wh: tuple[int, int], corners_mm: Floats, corner_error_mm: float
) -> FocalLength:
    """
    Return the expected focal length with its error.

    The homography from millimetres on the felt to the picture, (3, 3), is known by four corners,
    (4, 2), each with an error along either axis. The optical axis meets the picture's middle.
    """
    longer = float(max(picture_wh))
    focals_px = _SHARES * longer
    seen = _measure_unevenness(px_from_felt, picture_wh, focals_px)
    stretch = np.diag([np.exp(_STEP_ASPECT), 1.0, 1.0])
    by_aspect = _measure_unevenness(stretch @ px_from_felt, picture_wh, focals_px) - seen
    slopes = [by_aspect / _STEP_ASPECT * _PIXEL_ASPECT]
    for moved in _move_each_corner(px_from_felt, corners_mm):
        by_corner = _measure_unevenness(moved, picture_wh, focals_px) - seen
        slopes.append(by_corner / _STEP_MM * corner_error_mm)
    errors = np.stack(slopes, axis=2)
    spread = errors @ errors.swapaxes(1, 2)
    misfit = np.einsum("ni,nij,nj->n", seen, np.linalg.inv(spread), seen)
    unusual = (np.log(_SHARES / USUAL_SHARE) / _SPREAD) ** 2
    costs = misfit + np.log(np.linalg.det(spread)) + unusual
    odds = np.exp((costs.min() - costs) / 2.0)
    odds /= odds.sum()
    logs = np.log(focals_px)
    mean = float(odds @ logs)
    return FocalLength(float(np.exp(mean)), float(np.sqrt(odds @ (logs - mean) ** 2)))


def _measure_unevenness(
    px_from_felt: Floats, picture_wh: tuple[int, int], focals_px: Floats
) -> Floats:
    """Return how far the felt's axes are from one scale and from perpendicular, (n, 2)."""
    away = px_from_felt[:2, :2] - np.outer((np.array(picture_wh) - 1.0) / 2.0, px_from_felt[2, :2])
    ahead = np.broadcast_to(px_from_felt[2, :2], (len(focals_px), 1, 2))
    axes = np.concatenate([away / focals_px[:, None, None], ahead], axis=1)
    one, other = np.linalg.norm(axes, axis=1).T
    across = (axes[:, :, 0] * axes[:, :, 1]).sum(axis=1)
    return np.column_stack([np.log(one / other), across / (one * other)])


def _move_each_corner(px_from_felt: Floats, corners_mm: Floats) -> list[Floats]:
    """Return the homographies if one corner were a little elsewhere along one axis."""
    corners_px = cv2.perspectiveTransform(corners_mm[None], px_from_felt)[0].astype(np.float32)
    moved = []
    for corner in range(4):
        for axis in range(2):
            places = corners_mm.astype(np.float32)
            places[corner, axis] += _STEP_MM
            moved.append(np.asarray(cv2.getPerspectiveTransform(places, corners_px), np.float64))
    return moved
