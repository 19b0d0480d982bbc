# SPDX-License-Identifier: MIT
"""
Weigh the lenses that a camera may have by the perspective of the felt, and say how far off the
focal length may be.

With the right lens the felt's two axes are perpendicular and have one scale. A slanted view
determines the focal length; a view from straight above fits any. But corners are set only so
exactly, and pixels that are not square look like a slant: those of many cameras are nearly square,
and a few pictures are squeezed, such as 4:3 into 16:9. So the picture's evidence is weighed by the
corners' errors against usual lenses. What remains uncertain is the estimate's own error, which
those who use it take into account.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.face import Floats

USUAL_SHARE = 1.0
"""The focal length of a usual camera, as a share of the picture's longer side: 53 degrees."""

_SPREAD = 0.45  # Deviation of the focal length's logarithm between cameras.
# Deviation of the logarithm of pixels' width by height between cameras, the same between cameras
# whose pictures are squeezed, and the share of these.
_NEARLY_SQUARE, _SQUEEZED, _SQUEEZED_SHARE = 0.03, 0.17, 0.1
_SHARES = np.geomspace(0.45, 3.0, 77)
_LOG_ASPECTS = np.concatenate(
    [np.arange(-0.36, -0.05, 0.02), np.arange(-0.04, 0.05, 0.01), np.arange(0.06, 0.37, 0.02)]
)
_STEP_MM = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class PossibleLenses:
    """Lenses that a camera may have, and how unlikely each is by the felt."""

    focals_px: Floats  # Geometric mean of the focal lengths along both of the picture's axes, (n,).
    aspects: Floats  # Width of a pixel by its height, (n,).
    costs: Floats  # Minus twice the logarithm of the odds at this lens, (n,).

    def within(self, most: float) -> PossibleLenses:
        """Return those that cost at most so much more than the likeliest."""
        kept = self.costs <= self.costs.min() + most
        return PossibleLenses(self.focals_px[kept], self.aspects[kept], self.costs[kept])


def split_focal(focal_px: Floats | float, aspect: Floats | float) -> Floats:
    """Return the focal lengths along the picture's axes: one lens, (2,), or many, (n, 2)."""
    root = np.sqrt(aspect)
    return np.stack([focal_px / root, focal_px * root], axis=-1)


def weigh_lenses(
    px_from_felt: Floats, picture_wh: tuple[int, int], corners_mm: Floats, corner_error_mm: float
) -> PossibleLenses:
    """
    Return how unlikely lenses are.

    The homography from millimetres on the felt to the picture, (3, 3), is known by four corners,
    (4, 2), each with an error along either axis. The optical axis meets the picture's middle.
    """
    shares, logs = (each.ravel() for each in np.meshgrid(_SHARES, _LOG_ASPECTS, indexing="ij"))
    focals_px, aspects = shares * float(max(picture_wh)), np.exp(logs)
    axes_px = split_focal(focals_px, aspects)
    seen = _measure_unevenness(px_from_felt, picture_wh, axes_px)
    slopes = []
    for moved in _move_each_corner(px_from_felt, corners_mm):
        by_corner = _measure_unevenness(moved, picture_wh, axes_px) - seen
        slopes.append(by_corner / _STEP_MM * corner_error_mm)
    errors = np.stack(slopes, axis=2)
    spread = errors @ errors.swapaxes(1, 2)
    misfit = np.einsum("ni,nij,nj->n", seen, np.linalg.inv(spread), seen)
    unusual = (np.log(shares / USUAL_SHARE) / _SPREAD) ** 2 - 2.0 * _log_odds_of_aspects(logs)
    return PossibleLenses(focals_px, aspects, misfit + np.log(np.linalg.det(spread)) + unusual)


def estimate_focal(lenses: PossibleLenses) -> tuple[float, float]:
    """
    Return the expected focal length of all lenses that `weigh_lenses` returned, in pixels, and the
    standard deviation of its logarithm.
    """
    widths = np.tile(np.gradient(_LOG_ASPECTS), len(_SHARES))
    odds = np.exp((lenses.costs.min() - lenses.costs) / 2.0) * widths
    odds /= odds.sum()
    logs = np.log(lenses.focals_px)
    mean = float(odds @ logs)
    return float(np.exp(mean)), float(np.sqrt(odds @ (logs - mean) ** 2))


def _log_odds_of_aspects(logs: Floats) -> Floats:
    shares = (1.0 - _SQUEEZED_SHARE, _NEARLY_SQUARE), (_SQUEEZED_SHARE, _SQUEEZED)
    return np.asarray(
        np.log(sum(share / error * np.exp(-0.5 * (logs / error) ** 2) for share, error in shares))
    )


def _measure_unevenness(
    px_from_felt: Floats, picture_wh: tuple[int, int], axes_px: Floats
) -> Floats:
    """Return how far the felt's axes are from one scale and from perpendicular, (n, 2)."""
    away = px_from_felt[:2, :2] - np.outer((np.array(picture_wh) - 1.0) / 2.0, px_from_felt[2, :2])
    ahead = np.broadcast_to(px_from_felt[2, :2], (len(axes_px), 1, 2))
    axes = np.concatenate([away / axes_px[:, :, None], ahead], axis=1)
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
