# SPDX-License-Identifier: MIT
"""
Detect that the camera or the tray was moved.

The view is stored as small landmarks with structure, some in every part of it. Landmarks found
in their positions prove that nothing moved. If most are elsewhere, their movement decides: a
knocked camera moves all of them together, which dice in a hand never do. If hardly one is left
and most of the picture changed, the camera shows something else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.pyramid import shrink_to

Landmark: TypeAlias = tuple[int, int]  # The middle of a small square of the picture, in pixels.

_HALF = 10  # Half the edge of that square.


def make_small_view(grey: Image) -> Image:
    """Return the small picture in which landmarks are found, from one of (height, width)."""
    # Detail finer than a pixel changes with a shift by a part of one.
    return np.asarray(cv2.GaussianBlur(shrink_to(grey, 320), (0, 0), 1.0), np.uint8)


def light_alike(grey: Image, other: Image) -> Image:
    """Return a grey picture with the mean brightness of another one."""
    gain = (float(other.mean()) + 1.0) / (float(grey.mean()) + 1.0)
    return np.asarray(cv2.convertScaleAbs(grey, alpha=gain), np.uint8)


# When a view has moved. Pixels are those of the small picture.
_CELLS_WH = (6, 4)  # Number of cells in which landmarks are searched.
_TRIES = 6  # Number of candidates in each cell.
_IN_CELL = 2  # Most landmarks of a cell, so that dice do not have most of them.
_MARKS = 6  # With fewer landmarks there is no answer.
_STILL_PX = 3  # A landmark this near to its position has not moved.
_REACH_PX = 40  # Search radius of a landmark.
_ALIKE = 0.7  # Least correlation of a landmark that is found.
_UNIQUE = 0.8  # A landmark with a higher correlation nearby is not used.
_IN_PLACE = 0.4  # Nothing moved while this share of the landmarks is in position.
_TOGETHER_PX = 2.0  # Landmarks follow a movement up to this distance.
_AGREEING = 4  # Least number of landmarks that follow one movement.
# Least share of the moved landmarks that follow it. They must also be more than those in position.
# Many dice are alike, so up to a quarter of false matches agree by chance; half of the landmarks
# and more follow a knock.
_TOGETHER = 0.4
# Least extent of these landmarks, as a share of the picture, in both directions. A few dice that
# move together fill only one corner.
_WIDELY = 0.3
_GROWN = 0.15  # Largest change of scale of a moved view.
_LEFT = 0.1  # Largest share of landmarks in position if the camera shows something else.
_CHANGED = 0.25  # Least share of the picture that has changed then.
_CHANGED_LEVEL = 20.0  # Least change of such a pixel in grey levels (of 255), with equal light.


class CameraShiftDetector:
    """The landmarks of a view, to compare later pictures with."""

    def __init__(self, small: Image) -> None:
        self._grey = small
        self._marks = tuple(_find_landmarks(self._grey))

    def confirm(self, small: Image) -> None:
        """Drop the landmarks that the next picture does not show: they were noise."""
        self._marks = tuple(
            mark for mark in self._marks if self._find_landmark(small, mark, _STILL_PX)
        )

    def has_marks_beside(self, objects: Sequence[tuple[tuple[float, float], float]]) -> bool:
        """
        Return whether enough landmarks are left to detect a move without these objects.

        Each has a middle and a radius in pixels of the small picture.
        """
        staying = [
            mark
            for mark in self._marks
            if all(math.dist(mark, middle) > radius + _HALF for middle, radius in objects)
        ]
        return len(staying) >= _MARKS

    def has_moved(self, small: Image) -> bool | None:
        """Return whether the view has moved, or `None` without enough landmarks."""
        if len(self._marks) < _MARKS:
            return None
        missed = [mark for mark in self._marks if not self._find_landmark(small, mark, _STILL_PX)]
        in_place = 1.0 - len(missed) / len(self._marks)
        if in_place >= _IN_PLACE:
            return False
        if self._moved_together(small, missed):
            return True
        return in_place < _LEFT and self._changed_share(small) > _CHANGED

    def _find_landmark(self, small: Image, mark: Landmark, reach_px: int) -> Landmark | None:
        alike, (left, top) = _correlate(small, self._grey, mark, reach_px)
        _, best, _, (x, y) = cv2.minMaxLoc(alike)
        return (left + x, top + y) if best >= _ALIKE else None

    def _moved_together(self, small: Image, missed: Sequence[Landmark]) -> bool:
        stayed = len(self._marks) - len(missed)
        least = max(_AGREEING, _TOGETHER * len(missed), stayed + 1)
        moves = [
            (mark, found)
            for mark in missed
            if (found := self._find_landmark(small, mark, _REACH_PX)) is not None
        ]
        if len(moves) < least:
            return False
        before, after = (np.array(side, np.float64) for side in zip(*moves, strict=True))
        movement, agree = cv2.estimateAffinePartial2D(
            before, after, method=cv2.RANSAC, ransacReprojThreshold=_TOGETHER_PX
        )
        if movement is None or abs(math.hypot(movement[0, 0], movement[1, 0]) - 1.0) > _GROWN:
            return False
        together = before[np.asarray(agree).reshape(-1) != 0]
        if len(together) < least:
            return False
        extent = np.ptp(together, axis=0) / self._grey.shape[::-1]
        return bool(extent.min() >= _WIDELY)

    def _changed_share(self, small: Image) -> float:
        alike = light_alike(small, self._grey)
        change = cv2.absdiff(cv2.blur(alike, (5, 5)), cv2.blur(self._grey, (5, 5)))
        return float(np.mean(np.asarray(change) > _CHANGED_LEVEL))


def _correlate(
    seen: Image, known: Image, mark: Landmark, reach_px: int
) -> tuple[NDArray[np.float32], tuple[int, int]]:
    """Return the correlation of all positions in reach with a landmark, and the first one."""
    x, y = mark
    patch = known[y - _HALF : y + _HALF + 1, x - _HALF : x + _HALF + 1]
    left, top = max(_HALF, x - reach_px), max(_HALF, y - reach_px)
    far = reach_px + _HALF + 1
    window = seen[top - _HALF : y + far, left - _HALF : x + far]
    alike = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
    return np.asarray(alike, np.float32), (left, top)


def _find_landmarks(grey: Image) -> Iterator[Landmark]:
    """Yield positions that look like no other nearby, some in every part of the picture."""
    height, width = grey.shape
    columns, rows = _CELLS_WH
    for row in range(rows):
        for column in range(columns):
            top, left = max(_HALF, height * row // rows), max(_HALF, width * column // columns)
            bottom = min(height - _HALF, height * (row + 1) // rows)
            right = min(width - _HALF, width * (column + 1) // columns)
            cell = grey[top:bottom, left:right]
            corners = cv2.goodFeaturesToTrack(cell, _TRIES, 0.1, 6.0, blockSize=7)
            found = [] if corners is None else np.rint(corners).reshape(-1, 2).astype(int).tolist()
            unique = (
                (left + x, top + y) for x, y in found if _is_unique(grey, (left + x, top + y))
            )
            yield from islice(unique, _IN_CELL)


def _is_unique(grey: Image, mark: Landmark) -> bool:
    alike, (left, top) = _correlate(grey, grey, mark, _REACH_PX // 2)
    x, y = mark[0] - left, mark[1] - top
    alike[
        max(0, y - _STILL_PX) : y + _STILL_PX + 1, max(0, x - _STILL_PX) : x + _STILL_PX + 1
    ] = -1.0
    return float(alike.max()) < _UNIQUE
