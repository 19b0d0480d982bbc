# SPDX-License-Identifier: MIT
"""
A first, cheap comparison of a frame with one at rest.

Most frames show an unchanged rest, and converting the picture to grey is most of their cost.
So only some rows are compared at first. The limit is stricter than that of the full comparison,
which follows if it is exceeded: a sparse copy neither ends a rest nor hides its end.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Image
from vision.tracking.motion import Grey, MotionParams, count_halvings, measure_slope

# In grey levels: with more noise the limit would not be stricter than the full one.
_NOISE_MOST = 0.6
_LAMP_STEP = 4  # The light changes slowly over the picture: pixels per value in each direction.
_LAMP_AROUND = (11, 11)


class SparseReference:
    """Some rows of a frame, to compare later frames with."""

    def __init__(self, image_bgr: Image, params: MotionParams) -> None:
        self._params = params
        self._shape = image_bgr.shape
        self._grey, self._lamp = _make_sparse_copy(image_bgr, params)
        self._wander = measure_slope(self._grey) * np.float32(params.tremble_px)

    def is_unchanged(self, image_bgr: Image) -> bool:
        """Return whether a frame certainly shows the same; if false, compare it in full."""
        if image_bgr.shape != self._shape:
            return False
        params = self._params
        grey, lamp = _make_sparse_copy(image_bgr, params)
        gain = cv2.resize(cv2.divide(lamp, self._lamp), grey.shape[::-1])
        change = cv2.absdiff(grey, cv2.multiply(self._grey, gain))
        noise = min(1.4826 * float(np.median(change[1::8, 1::8])), _NOISE_MOST)
        harmless = params.level + params.noise_factor * noise
        moved = cv2.subtract(change, self._wander) > harmless
        return int(np.count_nonzero(moved)) < params.moved_px


def _make_sparse_copy(image_bgr: Image, params: MotionParams) -> tuple[Grey, Grey]:
    """Return grey from few rows, of the size of the usual small copy, and its lamp."""
    step = 2 ** count_halvings(image_bgr.shape, params)
    height, width = image_bgr.shape[0] // step, image_bgr.shape[1] // step
    rows = image_bgr[step // 2 :: step][:height]
    grey = cv2.cvtColor(rows, cv2.COLOR_BGR2GRAY)[:, : width * step]
    smooth = cv2.blur(cv2.resize(grey, (width, height)), (3, 3))
    # Two halvings cost a fraction of one step.
    half = cv2.resize(smooth, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    lamp_wh = max(1, width // _LAMP_STEP), max(1, height // _LAMP_STEP)
    around = cv2.boxFilter(cv2.resize(half, lamp_wh), cv2.CV_32F, _LAMP_AROUND)
    return smooth.astype(np.float32), np.asarray(around + np.float32(4.0), np.float32)
