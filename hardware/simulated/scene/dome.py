# SPDX-License-Identifier: MIT
"""
Draw a dome as the camera above sees it: its base under the dice, its bell over them.

The bell is transparent. It is seen by its rims and by the images of the lamp in it, which stay in
their places on the dome while the dice under it change.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.dome import BASE_RADIUS_MM, BELL_HEIGHT_MM, FOOT_RADIUS_MM
from hardware.simulated.scene.lens import Lens

_BASE_BGR = (48.0, 44.0, 40.0)
_FLOOR_BGR = (112.0, 58.0, 40.0)
_WALL_BGR = (190.0, 192.0, 188.0)
_LAMP_BGR = (252.0, 252.0, 250.0)
_VEIL = 8  # Levels added to all that is seen through the bell.

_CORNERS = 120
_SUBPIXEL_BITS = 4
_TOP_RADIUS_MM = 46.0
_LAMPS_MM = ((-30.0, 24.0, 2.2), (20.0, 33.0, 1.4))
"""Offsets of the lamp's images from the dome's middle, and their radii."""


def draw_base(picture: NDArray[np.uint8], lens: Lens, x_mm: float, y_mm: float) -> None:
    """Draw the base with its floor, before the dice."""
    for radius_mm, colour in ((BASE_RADIUS_MM, _BASE_BGR), (FOOT_RADIUS_MM, _FLOOR_BGR)):
        ring = _ring(lens, x_mm, y_mm, 0.0, radius_mm)
        cv2.fillPoly(picture, [ring], colour, cv2.LINE_AA, _SUBPIXEL_BITS)


def draw_bell(picture: NDArray[np.uint8], lens: Lens, x_mm: float, y_mm: float) -> None:
    """Draw the bell over the dice: a veil, its rims, and the lamp's images."""
    outline = _ring(lens, x_mm, y_mm, 0.0, FOOT_RADIUS_MM)
    veil = np.zeros_like(picture)
    cv2.fillPoly(veil, [outline], (_VEIL, _VEIL, _VEIL), shift=_SUBPIXEL_BITS)
    cv2.add(picture, veil, dst=picture)
    wide_px = max(1, round(lens.size_wh[0] / 640))
    for height_mm, radius_mm in ((0.0, FOOT_RADIUS_MM + 1.0), (BELL_HEIGHT_MM, _TOP_RADIUS_MM)):
        ring = _ring(lens, x_mm, y_mm, height_mm, radius_mm)
        cv2.polylines(picture, [ring], True, _WALL_BGR, wide_px, cv2.LINE_AA, _SUBPIXEL_BITS)
    for x, y, radius_mm in _LAMPS_MM:
        spot = _ring(lens, x_mm + x, y_mm + y, BELL_HEIGHT_MM, radius_mm)
        cv2.fillPoly(picture, [spot], _LAMP_BGR, cv2.LINE_AA, _SUBPIXEL_BITS)


def _ring(
    lens: Lens, x_mm: float, y_mm: float, height_mm: float, radius_mm: float
) -> NDArray[np.int32]:
    """Return a level circle as a polygon, in parts of pixels."""
    turn = np.linspace(0.0, 2.0 * np.pi, _CORNERS, endpoint=False)
    points = np.column_stack(
        [
            x_mm + radius_mm * np.cos(turn),
            y_mm + radius_mm * np.sin(turn),
            np.full(_CORNERS, height_mm),
        ]
    )
    return np.rint(lens.project(points) * (1 << _SUBPIXEL_BITS)).astype(np.int32)
