# SPDX-License-Identifier: MIT
"""
Propose where the corners of a felt without cards are, for a person to correct.

The felt has about one colour, and lies in the middle of the picture. Dice on it and prints at its
rim make holes and notches, which its convex outline does not have.
"""

from __future__ import annotations

import cv2
import numpy as np

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
    """Return four corners in pixels; none if nothing in the picture looks like a felt."""
    scale = image_bgr.shape[1] / _WIDTH_PX
    height = round(image_bgr.shape[0] / scale)
    small = cv2.resize(image_bgr, (_WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    hull = cv2.convexHull(_outline_middle(small))
    share = cv2.contourArea(hull) / (_WIDTH_PX * height)
    if not _LEAST <= share <= _MOST:
        return ()
    for detail in _DETAIL * cv2.arcLength(hull, closed=True):
        corners = cv2.approxPolyDP(hull, detail, closed=True)
        if len(corners) == 4 and cv2.contourArea(corners) >= _FILLED * cv2.contourArea(hull):
            return tuple((float(x) * scale, float(y) * scale) for x, y in corners.reshape(4, 2))
    return ()


def _outline_middle(small_bgr: Image) -> Image:
    """Return the outline of what has the colour of the picture's middle."""
    lab = cv2.cvtColor(cv2.medianBlur(small_bgr, 5), cv2.COLOR_BGR2LAB).astype(np.float32)
    lab[..., 0] *= _BRIGHTNESS
    height, width = lab.shape[:2]
    y, x = round(_MIDDLE * height), round(_MIDDLE * width)
    middle = lab[y:-y, x:-x].reshape(-1, 3)
    like = np.linalg.norm(lab - np.median(middle, axis=0), axis=2) <= _LIKE
    contours, _ = cv2.findContours(like.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(max(contours, key=cv2.contourArea))
