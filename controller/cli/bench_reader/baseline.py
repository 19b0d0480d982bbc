# SPDX-License-Identifier: MIT
"""
The baseline reader: the recipe of most demonstrations, for comparison.

Median blur, grey, OpenCV's blob detector with its defaults except for roundness; then blobs
within a fixed distance belong to one die, and their number is its face. That equals DBSCAN with
clusters of one point.
"""

from __future__ import annotations

import cv2  # noqa: TID251
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

BLUR_PX = 7
LEAST_INERTIA_RATIO = 0.6
NEAR_PX = 40.0


class BaselineReader:
    """The recipe with its detector, which is made once, as the demonstrations do."""

    def __init__(self) -> None:
        params = cv2.SimpleBlobDetector.Params()
        params.filterByInertia = True
        params.minInertiaRatio = LEAST_INERTIA_RATIO
        self._detector = cv2.SimpleBlobDetector.create(params)

    def read(self, image_bgr: Image) -> tuple[int, ...]:
        """Return the numbers it reads on a picture of shape (height, width, 3), sorted."""
        gray = cv2.cvtColor(cv2.medianBlur(image_bgr, BLUR_PX), cv2.COLOR_BGR2GRAY)
        places = np.array([blob.pt for blob in self._detector.detect(gray)]).reshape(-1, 2)
        near = np.linalg.norm(places[:, None] - places[None], axis=2) <= NEAR_PX
        return _cluster_sizes(near)


def _cluster_sizes(near: NDArray[np.bool_]) -> tuple[int, ...]:
    """Return how many members each group of things has that are near each other, sorted."""
    dice: list[int] = []
    left = set(range(len(near)))
    while left:
        reached, ahead = set(), {left.pop()}
        while ahead:
            place = ahead.pop()
            reached.add(place)
            ahead |= (set(np.flatnonzero(near[place]).tolist()) & left) - reached
            left -= ahead
        dice.append(len(reached))
    return tuple(sorted(dice))
