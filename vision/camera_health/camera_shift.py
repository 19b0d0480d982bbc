# SPDX-License-Identifier: MIT
"""
Is the tray still seen where it was, or were the camera or the tray moved?

The view is remembered as small marks with structure, some in every part of it. Marks
that are found where they were say that nothing moved, however much else changed. Where
most are not, the marks are followed to where they are now: a camera that was knocked
takes all of them the same way, which dice in a hand never do. And where hardly one is
left although most of the picture is another, the camera looks somewhere else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

Landmark: TypeAlias = tuple[int, int]
"""The middle of a small square of the picture, in its pixels."""

_HALF = 10
"""Half the edge of the square by which a mark is known."""


_LONGEST_PX = 320


def make_small_view(grey: Image) -> Image:
    """Return the small picture by which places are known, from one of shape (height, width)."""
    height, width = grey.shape
    scale = min(1.0, _LONGEST_PX / max(height, width))
    size_wh = round(width * scale), round(height * scale)
    small = cv2.resize(grey, size_wh, interpolation=cv2.INTER_AREA)
    # What is finer than a pixel looks different after every part of one.
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.uint8)


@dataclass(frozen=True, slots=True)
class ShiftParams:
    """
    When a view has moved. Pixels are those of the small picture.

    Attributes:
        cells_wh: Marks are sought in each of so many cells,
        tries: among so many places with structure in each,
        in_cell: and no more than so many are taken, so that dice do not have most of them.
        marks: With fewer marks nothing is said.
        stray_px: A mark this near to its place is where it was.
        reach_px: So far away it is looked for.
        alike: Correlation from which on a mark is found.
        unique: A mark that looks like a place near it by more than this is none.
        in_place: Nothing moved while this share of the marks is where it was.
        together_px: Marks that are this near to where one movement takes them follow it.
        agreeing: So many marks,
        together: and this share of those that are not in place any more, have to follow one
            movement, more than stayed in place. Places that only look alike agree on none.
        widely: They are this far apart, as a share of the picture, across and down: what a few
            dice do together is seen in one corner of it.
        grown: A view that was moved has become larger or smaller by no more than this share.
        left: The camera looks elsewhere when fewer than this share of the marks is in place,
        changed: and more than this share of the picture has changed
        changed_level: by so many grey levels (of 255) after the lamp is allowed for.
    """

    cells_wh: tuple[int, int] = (6, 4)
    tries: int = 6
    in_cell: int = 2
    marks: int = 6
    stray_px: int = 3
    reach_px: int = 40
    alike: float = 0.7
    unique: float = 0.8
    in_place: float = 0.4
    together_px: float = 2.0
    agreeing: int = 4
    together: float = 0.25
    widely: float = 0.3
    grown: float = 0.15
    left: float = 0.1
    changed: float = 0.25
    changed_level: float = 20.0


class CameraShiftDetector:
    """
    What the tray looked like, to find it there again.

    Args:
        small: A picture as `make_small_view` makes it.
        params: When a view has moved.
    """

    def __init__(self, small: Image, params: ShiftParams | None = None) -> None:
        self._params = params or ShiftParams()
        self._grey = small
        self._marks = tuple(_find_landmarks(self._grey, self._params))

    def confirm(self, small: Image) -> None:
        """Forget the marks that a picture just after does not show: they were noise."""
        stray_px = self._params.stray_px
        self._marks = tuple(mark for mark in self._marks if self._found(small, mark, stray_px))

    def has_marks_beside(self, things: Sequence[tuple[tuple[float, float], float]]) -> bool:
        """
        Tell whether enough marks are left to tell a move when these things are gone.

        Args:
            things: Middle and radius of each, in pixels of the small picture.
        """
        staying = [
            mark
            for mark in self._marks
            if all(math.dist(mark, middle) > radius + _HALF for middle, radius in things)
        ]
        return len(staying) >= self._params.marks

    def is_left(self, small: Image) -> bool | None:
        """Tell whether a picture shows the view moved; none where that cannot be told."""
        params = self._params
        if len(self._marks) < params.marks:
            return None
        missed = [mark for mark in self._marks if not self._found(small, mark, params.stray_px)]
        in_place = 1.0 - len(missed) / len(self._marks)
        if in_place >= params.in_place:
            return False
        if self._went_together(small, missed):
            return True
        return in_place < params.left and self._changed(small) > params.changed

    def _found(self, small: Image, mark: Landmark, reach_px: int) -> Landmark | None:
        """Return where a mark is seen, none where nothing within reach looks like it."""
        alike, (left, top) = _correlate(small, self._grey, mark, reach_px)
        _, best, _, (x, y) = cv2.minMaxLoc(alike)
        return (left + x, top + y) if best >= self._params.alike else None

    def _went_together(self, small: Image, missed: Sequence[Landmark]) -> bool:
        """Tell whether marks that are not in place any more all went one way."""
        params = self._params
        stayed = len(self._marks) - len(missed)
        least = max(params.agreeing, params.together * len(missed), stayed + 1)
        ways = [
            (mark, found)
            for mark in missed
            if (found := self._found(small, mark, params.reach_px)) is not None
        ]
        if len(ways) < least:
            return False
        before, after = (np.array(side, np.float64) for side in zip(*ways, strict=True))
        way, agree = cv2.estimateAffinePartial2D(
            before, after, method=cv2.RANSAC, ransacReprojThreshold=params.together_px
        )
        if way is None or abs(math.hypot(way[0, 0], way[1, 0]) - 1.0) > params.grown:
            return False
        together = before[np.asarray(agree).reshape(-1) != 0]
        return len(together) >= least and self._is_wide(together)

    def _is_wide(self, marks_xy: NDArray[np.float64]) -> bool:
        height, width = self._grey.shape
        across, down = np.ptp(marks_xy, axis=0) / (width, height)
        return bool(min(across, down) >= self._params.widely)

    def _changed(self, small: Image) -> float:
        gain = (float(self._grey.mean()) + 1.0) / (float(small.mean()) + 1.0)
        lit_alike = cv2.convertScaleAbs(small, alpha=gain)
        change = cv2.absdiff(cv2.blur(lit_alike, (5, 5)), cv2.blur(self._grey, (5, 5)))
        return float(np.mean(np.asarray(change) > self._params.changed_level))


def _correlate(
    seen: Image, known: Image, mark: Landmark, reach_px: int
) -> tuple[NDArray[np.float32], tuple[int, int]]:
    """Return how alike a mark all places within reach are, and which place is the first."""
    x, y = mark
    patch = known[y - _HALF : y + _HALF + 1, x - _HALF : x + _HALF + 1]
    left, top = max(_HALF, x - reach_px), max(_HALF, y - reach_px)
    far = reach_px + _HALF + 1
    window = seen[top - _HALF : y + far, left - _HALF : x + far]
    alike = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
    return np.asarray(alike, np.float32), (left, top)


def _find_landmarks(grey: Image, params: ShiftParams) -> Iterator[Landmark]:
    """Yield places that look like no other near them, some in every part of the picture."""
    height, width = grey.shape
    columns, rows = params.cells_wh
    for row in range(rows):
        for column in range(columns):
            top, left = max(_HALF, height * row // rows), max(_HALF, width * column // columns)
            bottom = min(height - _HALF, height * (row + 1) // rows)
            right = min(width - _HALF, width * (column + 1) // columns)
            cell = grey[top:bottom, left:right]
            corners = cv2.goodFeaturesToTrack(cell, params.tries, 0.1, 6.0, blockSize=7)
            found = [] if corners is None else np.rint(corners).reshape(-1, 2).astype(int).tolist()
            unique = (
                (left + x, top + y)
                for x, y in found
                if _is_unique(grey, (left + x, top + y), params)
            )
            yield from islice(unique, params.in_cell)


def _is_unique(grey: Image, mark: Landmark, params: ShiftParams) -> bool:
    alike, (left, top) = _correlate(grey, grey, mark, params.reach_px // 2)
    x, y = mark[0] - left, mark[1] - top
    near = params.stray_px
    alike[max(0, y - near) : y + near + 1, max(0, x - near) : x + near + 1] = -1.0
    return float(alike.max()) < params.unique
