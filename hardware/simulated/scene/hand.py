# SPDX-License-Identifier: MIT
"""
Draw a hand that reaches into the tray, as the camera above sees it.

The arm comes from the viewer's side, the palm is over the die: four fingers, a thumb, a palm and
a sleeve with plain light. That is enough to show that somebody sets dice.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.scene.lens import Lens

_SKIN_BGR = (124.0, 152.0, 204.0)
_DARK_SKIN_BGR = (98.0, 122.0, 172.0)
_SLEEVE_BGR = (92.0, 70.0, 58.0)
_HEIGHT_MM = 34.0
_BEYOND_MM = 14.0  # Distance of the finger tips beyond the die's middle.

_FINGERS = ((-22.0, -7.0), (-8.0, 0.0), (7.0, 0.0), (21.0, -9.0))
"""The offset of each finger tip: to the side, and behind the longest finger."""

_SUBPIXEL_BITS = 4


def draw_hand(picture: NDArray[np.uint8], lens: Lens, x_mm: float, y_mm: float) -> None:
    """Draw a hand with its arm that holds the die at a position on the felt."""
    tip_mm = y_mm + _BEYOND_MM
    limbs = [
        ((0.0, -135.0), (0.0, -400.0), 74.0, _SLEEVE_BGR),
        ((0.0, -85.0), (0.0, -145.0), 56.0, _SKIN_BGR),
        ((-14.0, -62.0), (-14.0, -92.0), 48.0, _SKIN_BGR),
        ((14.0, -62.0), (14.0, -92.0), 48.0, _SKIN_BGR),
        ((-34.0, -34.0), (-30.0, -84.0), 19.0, _DARK_SKIN_BGR),
    ]
    for across, behind in _FINGERS:
        limbs.append(((across, behind - 8.0), (0.8 * across, -66.0), 19.0, _DARK_SKIN_BGR))
        limbs.append(((across, behind - 8.0), (0.8 * across, -66.0), 15.0, _SKIN_BGR))
    for start, end, wide_mm, colour in limbs:
        places = np.array([(x_mm + x, tip_mm + y, _HEIGHT_MM) for x, y in (start, end)])
        _draw_limb(picture, lens, places, wide_mm, colour)


def _draw_limb(
    picture: NDArray[np.uint8],
    lens: Lens,
    places_mm: NDArray[np.float64],
    wide_mm: float,
    colour: tuple[float, float, float],
) -> None:
    sideways = places_mm[0] + np.array([wide_mm, 0.0, 0.0])
    start, end, side = lens.project(np.vstack([places_mm, sideways]))
    wide_px = max(1, round(float(np.hypot(*(side - start)))))
    ends = np.rint(np.stack([start, end]) * (1 << _SUBPIXEL_BITS)).astype(int).tolist()
    cv2.line(picture, ends[0], ends[1], colour, wide_px, cv2.LINE_AA, _SUBPIXEL_BITS)
