# SPDX-License-Identifier: MIT
"""
Estimate the focal length from the perspective of the felt.

With the right focal length the felt's two axes are perpendicular and have one scale. A slanted
view determines it; a view from straight above fits any lens. So the picture's evidence is
weighed against usual cameras. If the picture says little, little depends on it: an error of a
quarter moves the faces of dice by about a millimetre at the rim of a tray.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

USUAL_SHARE = 0.9
"""The focal length of a usual camera, as a share of the picture's longer side: 58 degrees."""

_SPREAD = 0.35
"""Deviation of the focal length's logarithm between cameras."""

_CARDS_OFF = 0.004
"""Deviation of the felt's axes from square and even: cards lie half a millimetre off."""

_SHARES = np.geomspace(0.45, 3.0, 77)


def estimate_focal_px(px_from_felt: Floats, picture_wh: tuple[int, int]) -> float:
    """
    Return the likeliest focal length in pixels.

    Args:
        px_from_felt: The homography from millimetres on the felt to the picture, (3, 3).
        picture_wh: Width and height of the picture; the optical axis meets its middle.
    """
    longer = float(max(picture_wh))
    costs = [
        float(
            np.sum(
                (_measure_unevenness(px_from_felt, picture_wh, share * longer) / _CARDS_OFF) ** 2
            )
        )
        + float(np.log(share / USUAL_SHARE) / _SPREAD) ** 2
        for share in _SHARES
    ]
    return float(_SHARES[int(np.argmin(costs))]) * longer


def _measure_unevenness(
    px_from_felt: Floats, picture_wh: tuple[int, int], focal_px: float
) -> Floats:
    """Return how far the felt's axes are from one scale and from perpendicular, (2,)."""
    width, height = picture_wh
    to_axes = np.diag([1.0 / focal_px, 1.0 / focal_px, 1.0])
    to_axes[:2, 2] = -(width - 1.0) / 2.0 / focal_px, -(height - 1.0) / 2.0 / focal_px
    axes = to_axes @ px_from_felt[:, :2]
    one, other = np.linalg.norm(axes, axis=0)
    return np.array([np.log(one / other), axes[:, 0] @ axes[:, 1] / (one * other)])
