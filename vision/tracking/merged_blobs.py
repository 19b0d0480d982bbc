# SPDX-License-Identifier: MIT
"""
Locate the single dice in a blob of several.

Dice that meet are one blob for some frames. Predicted positions alone drift until two
trajectories swap. Together the dice cover the blob, so k-means over its pixels separates them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.tracking.motion_blobs import Point

_ROUNDS = 5


def split_blob(pixels_px: NDArray[np.float64], expected_px: Sequence[Point]) -> list[Point]:
    """
    Return the middle of each die in a blob.

    Args:
        pixels_px: The pixels of the blob, x and y, shape (n, 2).
        expected_px: The predicted position of each die, inside or outside the blob.
    """
    middles = np.array(expected_px)
    for _ in range(_ROUNDS):
        away = np.linalg.norm(pixels_px[:, np.newaxis] - middles, axis=2)
        nearest = away.argmin(axis=1)
        for index in range(len(middles)):
            own = pixels_px[nearest == index]
            if len(own):
                middles[index] = own.mean(axis=0)
    return list(middles)
