# SPDX-License-Identifier: MIT
"""
Decide whether a knock against the camera would be detected in this view.

A move is detected by what stays in place: the felt's rim, if it is calibrated, or landmarks. A
bare felt that fills the picture has neither. Dice are no landmarks, because they move, and what
the next picture does not show was noise.
"""

from __future__ import annotations

import cv2
import numpy as np

from controller.base.languages.message import message
from vision.calibration.tray_shift import TrayPosition, measure_movement, measure_rim
from vision.camera_health.camera_shift import CameraShiftDetector, make_small_view
from vision.frame import Image
from vision.reading import TrayReading
from vision.tray_map import TrayMap

UNNOTICED = message("In this picture, the table would not notice a knock against the camera.")
HOLD_ON = message(
    "Let the camera see the tray's rim, or leave the printed corner cards in their corners."
)


def can_detect_camera_shift(
    image_bgr: Image, next_bgr: Image, reading: TrayReading, tray: TrayMap | None
) -> bool:
    """
    Return whether a moved camera would be detected in these pictures.

    Args:
        next_bgr: A little later picture of the same view and size.
        reading: The reading of the picture; its dice and doubts do not stay.
        tray: The map for pictures of this size; `None` before a calibration.
    """
    if tray is not None and _shows_rim(image_bgr, next_bgr, tray):
        return True
    one, other = _make_small(image_bgr), _make_small(next_bgr)
    scale = one.shape[1] / image_bgr.shape[1]
    objects = [(die.center_px, die.edge_px) for die in reading.dice]
    objects += [(doubt.center_px, doubt.radius_px) for doubt in reading.doubts if doubt.center_px]
    place = CameraShiftDetector(one)
    place.confirm(other)
    return place.has_marks_beside([((x * scale, y * scale), r * scale) for (x, y), r in objects])


def _shows_rim(image_bgr: Image, next_bgr: Image, tray: TrayMap) -> bool:
    movement = measure_movement(next_bgr, measure_rim(image_bgr, tray), tray)
    return movement.position is not TrayPosition.UNSEEN


def _make_small(image_bgr: Image) -> Image:
    return make_small_view(np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8))
