# SPDX-License-Identifier: MIT
"""Smaller copies of a picture, grey ones, and its tiles."""

from __future__ import annotations

from math import ceil, log2

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image


def shrink_to(image: Image, long_px: int) -> Image:
    """Return a copy of a picture with at most this many pixels on its longer side."""
    return np.asarray(
        cv2.resize(image, size_within(image, long_px), interpolation=cv2.INTER_AREA), np.uint8
    )


def size_within(image: Image, long_px: int) -> tuple[int, int]:
    """Return width and height of such a copy."""
    height, width = image.shape[:2]
    scale = min(1.0, long_px / max(height, width))
    return max(1, round(width * scale)), max(1, round(height * scale))


def halve(image: Image) -> Image:
    """Return a copy at half its width and height, without the last row or column of an odd size."""
    height, width = image.shape[0] // 2, image.shape[1] // 2
    even = image[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def to_grey(image: Image) -> Image:
    """Return a picture, in colour or grey, in grey."""
    if image.ndim == 2:
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def split_into_tiles(levels: NDArray[np.float32], tile_px: int) -> NDArray[np.float32]:
    """Return the complete tiles of a picture, (rows, tile_px, columns, tile_px)."""
    rows, columns = levels.shape[0] // tile_px, levels.shape[1] // tile_px
    whole = levels[: rows * tile_px, : columns * tile_px]
    return whole.reshape(rows, tile_px, columns, tile_px)


class Pyramid:
    """One picture in halving sizes. Not shared between threads."""

    def __init__(self, image: Image) -> None:
        self._levels = [image]

    @property
    def image(self) -> Image:
        """The picture in full size."""
        return self._levels[0]

    def level(self, halvings: int) -> Image:
        """
        Return the picture after a number of halvings, or fewer if it gets too small.

        The middle of pixel p of the picture is at (p + 0.5) / 2**halvings - 0.5.
        """
        while len(self._levels) <= halvings and min(self._levels[-1].shape[:2]) >= 2:
            self._levels.append(halve(self._levels[-1]))
        return self._levels[min(halvings, len(self._levels) - 1)]

    def halvings_for(self, shrink: float, most: float) -> int:
        """Return how often to halve so that at most `most` is left of a shrinkage."""
        halvings = max(0, ceil(log2(max(shrink, 1e-6) / most)))
        self.level(halvings)
        return min(halvings, len(self._levels) - 1)

    def shrunk(self, size_wh: tuple[int, int]) -> Image:
        """Return a copy of this size, shrunk from the smallest level that is no smaller."""
        height, width = self.image.shape[:2]
        halvings = max(0, int(min(log2(width / size_wh[0]), log2(height / size_wh[1]))))
        level = self.level(halvings)
        if level.shape[1::-1] == size_wh:
            return level
        small = cv2.resize(level, size_wh, interpolation=cv2.INTER_AREA)
        return np.asarray(small, dtype=np.uint8)
