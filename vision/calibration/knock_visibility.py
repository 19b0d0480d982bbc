# SPDX-License-Identifier: MIT
"""
Would the table notice a knock against its camera? Not by a bare felt that fills the picture.

A move is told by what the picture has that stays where it is: the felt's rim, where a
calibration knows it, or places that look like no other near them. Dice are no such
places, since they go, and neither is what a second picture does not show: that was noise.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.calibration.tray_shift import TrayPosition, measure_movement, measure_rim
from vision.camera_health.camera_shift import CameraShiftDetector, make_small_view
from vision.frame import Image
from vision.reading import TrayReading
from vision.tray_map import TrayMap

UNNOTICED = "Nothing in this picture would let the table notice a knock."
HOLD_ON = "Let the tray's rim be seen, or leave the printed corner cards in their corners."


def can_detect_camera_shift(
    image_bgr: Image, next_bgr: Image, reading: TrayReading, tray: TrayMap | None
) -> bool:
    """
    Tell whether these pictures show anything by which a moved camera would be noticed.

    Args:
        image_bgr: A picture, shape (height, width, 3).
        next_bgr: Another one of the same view and size, of a little later.
        reading: What was read there: dice and what is in doubt do not stay.
        tray: Where the felt is in pictures of this size; none before a calibration.
    """
    if tray is not None and _shows_rim(image_bgr, next_bgr, tray):
        return True
    one, other = _make_small(image_bgr), _make_small(next_bgr)
    scale = one.shape[1] / image_bgr.shape[1]
    things = [(die.center_px, die.edge_px) for die in reading.dice]
    things += [(doubt.center_px, doubt.radius_px) for doubt in reading.doubts if doubt.center_px]
    place = CameraShiftDetector(one)
    place.confirm(other)
    return place.has_marks_beside([((x * scale, y * scale), r * scale) for (x, y), r in things])


def _shows_rim(image_bgr: Image, next_bgr: Image, tray: TrayMap) -> bool:
    movement = measure_movement(next_bgr, measure_rim(image_bgr, tray), tray)
    return movement.position is not TrayPosition.UNSEEN


def _make_small(image_bgr: Image) -> Image:
    return make_small_view(np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8))
