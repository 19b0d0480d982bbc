# SPDX-License-Identifier: MIT
"""
Propose where the corners of a felt without cards are, for a person to correct.

The felt has about one colour, and lies in the middle of the picture. Dice on it and prints at its
rim make holes and notches, which its convex outline does not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import cv2
import numpy as np

from vision.calibration.fit_tray import order_corners
from vision.frame import Image
from vision.reading import Point

_WIDTH_PX = 320
_LIKE = 24.0  # Largest distance of a felt's colour from that of the middle, in CIELAB.
_BRIGHTNESS = 0.2  # Weight of the brightness in it: lamps light a felt unevenly.
_MIDDLE = 0.25  # The middle of the picture reaches so far from each of its sides.
_LEAST, _MOST = 0.1, 0.97  # Share of the picture that a felt covers.
_DETAIL = np.linspace(0.01, 0.1, 19)  # How coarse an outline may become, in shares of its length.
_FILLED = 0.9  # Least share of an outline that its four corners enclose.


def propose_felt(image_bgr: Image) -> tuple[Point, ...]:
    """Return four corners, clockwise from the upper left; empty if nothing looks like a felt."""
    height, width = image_bgr.shape[:2]
    scale = width / _WIDTH_PX
    small_wh = _WIDTH_PX, round(height / scale)
    small = np.asarray(cv2.resize(image_bgr, small_wh, interpolation=cv2.INTER_AREA), np.uint8)
    hulls = [cv2.convexHull(contour) for contour in _outline_middle(small)]
    hull = max(hulls, key=cv2.contourArea, default=None)
    if hull is None or not _LEAST <= cv2.contourArea(hull) / np.prod(small_wh) <= _MOST:
        return ()
    for detail in _DETAIL * cv2.arcLength(hull, closed=True):
        corners = cv2.approxPolyDP(hull, detail, closed=True)
        if len(corners) == 4 and cv2.contourArea(corners) >= _FILLED * cv2.contourArea(hull):
            places = np.minimum(corners.reshape(4, 2) * scale, (width - 1, height - 1))
            return order_corners([(float(x), float(y)) for x, y in places], (width, height))
    return ()


def _outline_middle(small_bgr: Image) -> Sequence[Image]:
    """Return the outlines of what has the colour of the picture's middle."""
    lab = cv2.cvtColor(cv2.medianBlur(small_bgr, 5), cv2.COLOR_BGR2LAB).astype(np.float32)
    lab[..., 0] *= _BRIGHTNESS
    height, width = lab.shape[:2]
    y, x = round(_MIDDLE * height), round(_MIDDLE * width)
    middle = lab[y:-y, x:-x].reshape(-1, 3)
    like = np.linalg.norm(lab - np.median(middle, axis=0), axis=2) <= _LIKE
    contours, _ = cv2.findContours(like.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return cast(Sequence[Image], contours)
