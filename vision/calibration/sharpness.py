# SPDX-License-Identifier: MIT
"""
Measure the sharpness of a picture, as a number for focusing a lens.

At an edge, sharpness is the share of its height in the step of a single pixel. This depends
neither on the light nor on the contrast. Only the parts with the strongest contrast count, so
noise in even areas does not.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Image
from vision.pyramid import split_into_tiles, to_grey

_TILES = 20
_SMOOTH_PX = 0.8
_CONTRASTED = 0.4
_LEAST_LEVELS = 12.0
_FULL = 0.4  # Step of a pixel, as a share of the edge's height, that counts as sharp.


def measure_sharpness(image_bgr: Image) -> float:
    """
    Return the sharpness of a picture: about 0 far out of focus, 100 as sharp as pixels allow.

    Compare it only between pictures of the same tray, in colour or grey. A picture without contrast
    has 0.
    """
    levels = to_grey(image_bgr).astype(np.float32)
    smooth = np.asarray(cv2.GaussianBlur(levels, (0, 0), _SMOOTH_PX), np.float32)
    tile_px = max(8, max(smooth.shape) // _TILES)
    tiles = split_into_tiles(smooth, tile_px)
    high = tiles.max(axis=(1, 3)) - tiles.min(axis=(1, 3))
    across = np.abs(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=1.0 / 8.0))
    down = np.abs(cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=1.0 / 8.0))
    steps = np.asarray(np.hypot(across, down), np.float32)
    steepest = split_into_tiles(steps, tile_px).max(axis=(1, 3))
    has_edge = high >= max(_LEAST_LEVELS, _CONTRASTED * float(high.max(initial=0.0)))
    if not has_edge.any():
        return 0.0
    step = float(np.median(steepest[has_edge] / high[has_edge]))
    return float(np.clip(100.0 * step / _FULL, 0.0, 100.0))
