# SPDX-License-Identifier: MIT
"""A body's colour in one word, as a person would call it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.pips import Floats

# Upper ends of the hues in OpenCV's half degrees; red closes the circle.
_HUES = (
    (7, "red"),
    (18, "orange"),
    (34, "yellow"),
    (85, "green"),
    (130, "blue"),
    (155, "violet"),
    (172, "pink"),
    (181, "red"),
)


def colour_word(bgr: Floats) -> str:
    """
    Return the word for a colour.

    Grey, white and black stand for everything too pale or too dark to have a hue.

    Args:
        bgr: Blue, green and red, 0 to 255.
    """
    pixel = np.clip(bgr, 0, 255).astype(np.uint8).reshape(1, 1, 3)
    hue, saturation, value = (int(v) for v in cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV)[0, 0])
    if value < 50 or (value < 90 and saturation < 70):
        return "black"
    if saturation < 70:
        return "white" if value > 130 else "grey"
    return next(word for end, word in _HUES if hue < end)
