# SPDX-License-Identifier: MIT
"""
Decide whether something moved between two frames, by their small grey copies.

A difference counts as movement only if nothing harmless explains it: the sensor's noise, which
is measured on the difference; the lamp, by scaling each region's brightness; a trembling mount,
by a fraction of a pixel at edges; a hand-held camera, by a shift that most regions agree on.
So one die on plain felt is never mistaken for a shaking camera. The reference stays the same
while nothing moves, so slow movement adds up to a difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.pyramid import halve, to_grey

Grey = NDArray[np.float32]
Matrix = NDArray[np.float64]

_CELLS_WH = (6, 4)
_AROUND = np.ones((3, 3), np.uint8)
_STAY = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


# How much change is harmless. Pixels are those of the small copy.

# The picture is halved until its longer side is at most this. A die should stay about ten pixels
# wide.
_LONGEST_PX = 360
_LEVEL = 3.0  # Grey levels (of 255) that a pixel may differ without a cause.
_NOISE_FACTOR = 5.0  # How many standard deviations of the measured noise are still noise.
# Largest noise of a sensor after smoothing, in grey levels. More everywhere is a carpet that moves
# under the camera.
_NOISE_MOST = 2.0
_TREMBLE_PX = 0.12  # How far an edge may move with a camera on a mount.
_SHAKE_PX = 0.4  # How far an edge may be off after a shaken picture was aligned.
_MOVED_PX = 4  # This many changed pixels are movement; fewer are a speck.
_CELLS = 6  # Least number of regions with structure to detect a shaken camera.
_CELLS_SHARE = 0.6  # Share of them that must agree on the movement.
# Least mean square of grey levels per pixel of a region with structure, in its weakest direction.
_CELL_STRUCTURE = 1.0


@dataclass(frozen=True, slots=True)
class SmallCopy:
    """A frame reduced to what motion needs."""

    grey: Grey  # Shape (height, width), float32, lightly smoothed against noise.
    lamp: Grey  # The mean brightness around each pixel, of the same shape.


def make_small_copy(image_bgr: Image, small_grey: Image | None = None) -> SmallCopy:
    """
    Return the small copy of a picture.

    The same view in grey from the camera, (height, width), saves most of the work.
    """
    # Grey bytes as long as possible: this is most of the cost of a frame without motion.
    grey = to_grey(image_bgr) if small_grey is None else small_grey
    for _ in range(count_halvings(grey.shape)):
        grey = halve(grey)
    smooth = np.asarray(cv2.blur(grey, (3, 3)), np.uint8)
    return SmallCopy(smooth.astype(np.float32), _blur_widely(smooth))


def count_halvings(shape: tuple[int, ...]) -> int:
    """Return how often a picture of this shape is halved for its small copy."""
    count, longest = 0, max(shape)
    while longest > _LONGEST_PX:
        count, longest = count + 1, longest // 2
    return count


class Reference:
    """The frame that later frames are compared with."""

    def __init__(self, copy: SmallCopy) -> None:
        self._copy = copy
        self._dx = cv2.Scharr(copy.grey, cv2.CV_32F, 1, 0, scale=1 / 32)
        self._dy = cv2.Scharr(copy.grey, cv2.CV_32F, 0, 1, scale=1 / 32)
        self._slope = measure_slope(copy.grey)
        self._shake = _STAY

    @property
    def is_shaken(self) -> bool:
        """Whether the camera itself had moved on the last frame that matched."""
        return self._shake is not _STAY

    def matches(self, copy: SmallCopy, *, tolerance: float = 1.0) -> bool:
        """
        Return whether nothing moved between the reference and this frame.

        Frames must come in order: the shake of a hand-held camera is tracked. A confirmed rest
        should not end without a clear sign, so it has a `tolerance` above 1 for harmless change.
        """
        if not self._has_moved(copy, tolerance, wander_px=_TREMBLE_PX, border_px=0):
            self._shake = _STAY
            return True
        shake = self._find_shake(copy)
        if shake is None:
            return False
        self._shake = shake
        border_px = 2 + int(np.abs(shake[:, 2]).max())
        laid_over = _warp(copy, shake)
        return not self._has_moved(laid_over, tolerance, wander_px=_SHAKE_PX, border_px=border_px)

    def _has_moved(
        self, copy: SmallCopy, tolerance: float, *, wander_px: float, border_px: int
    ) -> bool:
        change = cv2.absdiff(copy.grey, self._relight(copy))
        noise = min(1.4826 * float(np.median(change[1::4, 1::4])), _NOISE_MOST)
        harmless = tolerance * _LEVEL + _NOISE_FACTOR * noise
        moved = change > cv2.addWeighted(
            self._slope, tolerance * wander_px, self._slope, 0.0, harmless
        )
        height, width = moved.shape
        inner = moved[border_px : height - border_px, border_px : width - border_px]
        return int(np.count_nonzero(inner)) >= _MOVED_PX

    def _relight(self, copy: SmallCopy) -> Grey:
        gain = cv2.divide(copy.lamp, self._copy.lamp)
        return np.asarray(cv2.multiply(self._copy.grey, gain), np.float32)

    def _find_shake(self, copy: SmallCopy) -> Matrix | None:
        """Return how the camera moved (shift, turn and scale), or `None` if it did not."""
        shake = self._shake
        for _ in range(3):
            centers_xy, steps_xy = self._cell_steps(_warp(copy, shake))
            fit = _fit_common_movement(centers_xy, steps_xy)
            if fit is None:
                return None
            shake = _compose(shake, fit)
            moved = _apply_movement(shake, centers_xy) - centers_xy
            # The camera did not move, so the difference is movement in the tray.
            if float(np.median(np.hypot(*moved.T))) < _TREMBLE_PX:
                return None
        return shake

    @cached_property
    def _structure(self) -> tuple[Matrix, Matrix, Matrix]:
        dx, dy = self._dx, self._dy
        return _cell_means(dx * dx), _cell_means(dx * dy), _cell_means(dy * dy)

    def _cell_steps(self, copy: SmallCopy) -> tuple[Matrix, Matrix]:
        """Return the centres of the regions with structure, and how far each moved, (n, 2)."""
        dx, dy = self._dx, self._dy
        behind = self._relight(copy) - copy.grey
        xx, xy, yy = self._structure
        xb, yb = _cell_means(dx * behind), _cell_means(dy * behind)
        weakest = (xx + yy) / 2 - np.sqrt(((xx - yy) / 2) ** 2 + xy**2)
        usable = weakest > _CELL_STRUCTURE
        determinant = np.where(usable, xx * yy - xy * xy, 1.0)
        steps_xy = (
            np.stack([yy * xb - xy * yb, xx * yb - xy * xb], axis=-1) / determinant[..., None]
        )
        return _cell_centers(copy.grey)[usable], steps_xy[usable]


def measure_slope(grey: Grey) -> Grey:
    """Return how much the brightness changes between each pixel and its neighbours."""
    highest, lowest = cv2.dilate(grey, _AROUND), cv2.erode(grey, _AROUND)
    return np.asarray(cv2.addWeighted(highest, 0.5, lowest, -0.5, 0.0), np.float32)


def _blur_widely(grey: Grey | Image) -> Grey:
    """Return the mean brightness around each pixel, never zero; wider than dice."""
    return np.asarray(cv2.boxFilter(grey, cv2.CV_32F, (41, 41)) + np.float32(4.0), np.float32)


def _warp(copy: SmallCopy, shake: Matrix) -> SmallCopy:
    grey = cv2.warpAffine(
        copy.grey,
        shake,
        copy.grey.shape[::-1],
        flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return SmallCopy(np.asarray(grey, np.float32), _blur_widely(np.asarray(grey, np.float32)))


def _cell_means(plane: Grey) -> Matrix:
    columns, rows = _CELLS_WH
    # Whole pixels per cell cost a fraction.
    whole = plane[: plane.shape[0] // rows * rows, : plane.shape[1] // columns * columns]
    return np.asarray(cv2.resize(whole, _CELLS_WH, interpolation=cv2.INTER_AREA), np.float64)


def _cell_centers(grey: Grey) -> Matrix:
    columns, rows = _CELLS_WH
    height, width = grey.shape
    x, y = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
    return np.stack([x * width / columns, y * height / rows], axis=-1)


def _fit_common_movement(centers_xy: Matrix, steps_xy: Matrix) -> Matrix | None:
    """Return the shift, turn and scale of the steps, or `None` if too few regions agree."""
    count = len(steps_xy)
    if count < _CELLS:
        return None
    follows = _near(steps_xy, np.median(steps_xy, axis=0), 1.0)
    for limit_px in (0.6, 0.3):
        if np.count_nonzero(follows) < max(_CELLS // 2, _CELLS_SHARE * count):
            return None
        fit = _fit_similarity(centers_xy[follows], steps_xy[follows])
        follows = _near(steps_xy, _apply_movement(fit, centers_xy), limit_px)
    return fit if np.count_nonzero(follows) >= _CELLS_SHARE * count else None


def _apply_movement(movement: Matrix, places_xy: Matrix) -> Matrix:
    return np.asarray(places_xy @ movement[:, :2].T + movement[:, 2])


def _near(steps_xy: Matrix, expected_xy: Matrix, limit_px: float) -> NDArray[np.bool_]:
    return np.asarray(np.hypot(*(steps_xy - expected_xy).T) < limit_px)


def _fit_similarity(places_xy: Matrix, steps_xy: Matrix) -> Matrix:
    """Return the least squares fit of `step = [[s, -r], [r, s]] position + shift`, (2, 3)."""
    x, y = places_xy.T
    one, zero = np.ones_like(x), np.zeros_like(x)
    unknowns = np.concatenate(
        [np.stack([x, -y, one, zero], axis=1), np.stack([y, x, zero, one], axis=1)]
    )
    s, r, tx, ty = np.linalg.lstsq(unknowns, steps_xy.T.ravel(), rcond=None)[0]
    return np.array([[s, -r, tx], [r, s, ty]])


def _compose(shake: Matrix, step: Matrix) -> Matrix:
    moved = step + _STAY
    return np.hstack([shake[:, :2] @ moved[:, :2], shake[:, :2] @ moved[:, 2:] + shake[:, 2:]])


_SPARSE_NOISE_MOST = 0.6  # Grey levels; with more noise the limit would not be stricter.
_LAMP_STEP = 4  # The light changes slowly over the picture: pixels per value in each direction.
_LAMP_AROUND = (11, 11)


class SparseReference:
    """
    Some rows of a frame, for a first and cheap comparison with later frames.

    Most frames show an unchanged rest, and converting the picture to grey is most of their cost.
    The limit is stricter than that of the full comparison, which follows if it is exceeded: a
    sparse copy neither ends a rest nor hides its end.
    """

    def __init__(self, image_bgr: Image) -> None:
        self._shape = image_bgr.shape
        self._grey, self._lamp = _make_sparse_copy(image_bgr)
        self._wander = measure_slope(self._grey) * np.float32(_TREMBLE_PX)

    def is_unchanged(self, image_bgr: Image) -> bool:
        """Return whether a frame certainly shows the same; if false, compare it in full."""
        if image_bgr.shape != self._shape:
            return False
        grey, lamp = _make_sparse_copy(image_bgr)
        gain = cv2.resize(cv2.divide(lamp, self._lamp), grey.shape[::-1])
        change = cv2.absdiff(grey, cv2.multiply(self._grey, gain))
        noise = min(1.4826 * float(np.median(change[1::8, 1::8])), _SPARSE_NOISE_MOST)
        harmless = _LEVEL + _NOISE_FACTOR * noise
        moved = cv2.subtract(change, self._wander) > harmless
        return int(np.count_nonzero(moved)) < _MOVED_PX


def _make_sparse_copy(image_bgr: Image) -> tuple[Grey, Grey]:
    """Return grey from few rows, of the size of the usual small copy, and its lamp."""
    step = 2 ** count_halvings(image_bgr.shape)
    height, width = image_bgr.shape[0] // step, image_bgr.shape[1] // step
    rows = image_bgr[step // 2 :: step][:height]
    grey = cv2.cvtColor(rows, cv2.COLOR_BGR2GRAY)[:, : width * step]
    smooth = cv2.blur(cv2.resize(grey, (width, height)), (3, 3))
    # Two halvings cost a fraction of one step.
    half = cv2.resize(smooth, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    lamp_wh = max(1, width // _LAMP_STEP), max(1, height // _LAMP_STEP)
    around = cv2.boxFilter(cv2.resize(half, lamp_wh), cv2.CV_32F, _LAMP_AROUND)
    return smooth.astype(np.float32), np.asarray(around + np.float32(4.0), np.float32)
