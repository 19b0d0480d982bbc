# SPDX-License-Identifier: MIT
"""
Compare tiles with faces of known dice.

A face is a small grey crop and the color of its body. Tile and crop are high-pass filtered, so
that shading and exposure do not count, and compared by correlation: first on a coarse grid, then
by a Gauss-Newton alignment of the best faces of the likeliest numbers. Correlation alone cannot
distinguish a five from a four. So the alignment also returns the largest remaining difference:
one pip too many is as strong there as a pip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.frame import Image
from vision.tiles import FACE_PX, TILE_PX

CROP_PX = 36
"""Side of a stored crop."""

CROP_EDGES = 1.25
"""Side of a stored crop in edges of the face; the filter needs a margin around the face."""

FINE_PX = 24
"""Side of the middle of a crop that is compared; 0.83 edges, so without the die's rim."""

COARSE_PX = 16
"""Side of the same area in the coarse search."""

_Floats = NDArray[np.float32]
_Matrix = NDArray[np.float64]
_EDGES = CROP_EDGES * FINE_PX / CROP_PX
_PIXEL_EDGES = CROP_EDGES / CROP_PX
_HIGH_PASS_EDGES = 0.08
_LOW_PASS_PX = 0.45
_PIP_EDGES = 0.045
_TURNS = np.radians((-8.0, 0.0, 8.0))
_SIZES = (0.93, 1.0, 1.08)
_SHIFT_PX = 1
_STEPS = 5
_FACES_ALIGNED = 6
_MOST_STEP_PX = 1.2
_DAMPING = 0.1
_LIGHT_OFFSET = 10.0
_MOST_OFF_EDGES = 0.15
_MOST_SIZE = 0.22
_FLAT = 1e-3
_LEAST_GAIN = 0.05
_ALL_LEFT = 9.0


@dataclass(frozen=True, slots=True)
class FaceMatch:
    """
    The best alignment of a tile with a known face of one number.

    Attributes:
        number: The number of the face.
        likeness: Correlation of the two, -1 to 1.
        left: Largest remaining difference, as a share of the face's strongest pip.
        gain: Contrast of the tile, as a multiple of the face's.
        color: Largest ratio of the two bodies' color channels, as a natural logarithm.
    """

    number: int
    likeness: float
    left: float
    gain: float
    color: float


def crop_face(tile: Image) -> NDArray[np.uint8]:
    """Return the grey crop (CROP_PX, CROP_PX) of a tile's face with its margin."""
    grey = cv2.cvtColor(tile, cv2.COLOR_BGR2GRAY)
    crop = _warp(_low_pass(grey), _grid(0.0, 1.0, CROP_PX, CROP_EDGES), CROP_PX)
    return np.asarray(np.clip(np.rint(crop), 0, 255), np.uint8)


def body_color(tile: Image) -> tuple[int, int, int]:
    """Return the median color of a tile's face in BGR, which is that of its body."""
    rim = (TILE_PX - round(0.75 * FACE_PX)) // 2
    face = tile[rim:-rim, rim:-rim].reshape(-1, 3)
    blue, green, red = np.median(face, axis=0).tolist()
    return round(blue), round(green), round(red)


class FaceMatcher:
    """
    Known faces, prepared for comparisons; threads may share it.

    Args:
        numbers: The number of each face.
        crops: Their crops, (n, CROP_PX, CROP_PX), uint8.
        colors: The colors of their bodies in BGR.
    """

    def __init__(
        self,
        numbers: Sequence[int],
        crops: NDArray[np.uint8],
        colors: Sequence[tuple[int, int, int]],
    ) -> None:
        self._numbers = np.repeat(np.array(numbers, np.int64), 4)
        self._colors = np.repeat(np.array(colors, np.float64).reshape(-1, 3), 4, axis=0)
        fine = [_filter_crop(crop) for crop in crops]
        turned = [np.rot90(face, quarter) for face in fine for quarter in range(4)]
        self._patterns = _Patterns.of(turned)
        self._coarse = _normalize(np.stack([_shrink(face) for face in turned]))

    def match(self, tile: Image, most: int, *, most_color: float) -> list[FaceMatch]:
        """
        Return the best match of each of the likeliest numbers, the best one first.

        Args:
            tile: Shape (TILE_PX, TILE_PX, 3), uint8.
            most: How many numbers are aligned.
            most_color: A tile whose color is further from every face's has no match.
        """
        colors = self._color_ratios(tile)
        if colors.min() > most_color:
            return []
        grey = cv2.cvtColor(tile, cv2.COLOR_BGR2GRAY)
        filtered = _high_pass(_low_pass(grey), FACE_PX)
        shares = _sample_variants(filtered) @ self._coarse.T
        faces = self._likeliest(shares.max(axis=0), most)
        begin = _FINE_GRIDS[shares[:, faces].argmax(axis=0)]
        aligned = self._patterns.align(filtered, faces, begin)
        found: dict[int, FaceMatch] = {}
        for at in np.argsort(-aligned.likeness):
            number = int(self._numbers[faces[at]])
            if number not in found:
                color = float(colors[faces[at]])
                left = self._patterns.measure_rest(
                    int(faces[at]), aligned.shown[at], aligned.gain[at]
                )
                likeness, gain = float(aligned.likeness[at]), float(aligned.gain[at])
                found[number] = FaceMatch(number, likeness, left, gain, color)
        return list(found.values())

    def likenesses(self) -> _Floats:
        """Return the similarity of each two faces in their best quarter turn, (n, n)."""
        upright = self._coarse[::4]
        shares = (upright @ self._coarse.T).reshape(len(upright), len(upright), 4).max(axis=2)
        return np.asarray(np.maximum(shares, shares.T), np.float32)

    def _likeliest(self, best: _Floats, most: int) -> NDArray[np.int64]:
        """Return the likeliest faces of the likeliest numbers, by the coarse search."""
        order = np.argsort(-best)
        numbers = list(dict.fromkeys(self._numbers[order].tolist()))[:most]
        of_each = [order[self._numbers[order] == number][:_FACES_ALIGNED] for number in numbers]
        return np.asarray(np.concatenate(of_each), np.int64)

    def _color_ratios(self, tile: Image) -> NDArray[np.float64]:
        """Return the distance of a tile's color to each face's, as a natural logarithm."""
        color = np.array(body_color(tile), np.float64)
        ratios = np.log((color + _LIGHT_OFFSET) / (self._colors + _LIGHT_OFFSET))
        return np.asarray(np.abs(ratios).max(axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class _Aligned:
    """Alignments of some faces with a tile: likeness and gain (n,), sampled tile (n, p)."""

    likeness: _Floats
    gain: _Floats
    shown: _Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Patterns:
    """
    Faces as patterns of mean 0, (n, p), prepared for the alignment.

    Attributes:
        rows: The patterns.
        energy: Sum of squares of each.
        solve: Matrices from a difference to the step that removes it, (n, 6, p).
    """

    rows: _Floats
    energy: _Floats
    solve: _Floats

    @classmethod
    def of(cls, faces: Sequence[_Floats]) -> _Patterns:
        rows = np.stack([(face - face.mean()).reshape(-1) for face in faces])
        energy = np.maximum((rows**2).sum(axis=1), _FLAT)
        solve = np.stack([_make_solver(face) for face in faces])
        return cls(rows, energy.astype(np.float32), solve.astype(np.float32))

    def align(
        self, filtered: _Floats, faces: NDArray[np.int64], grids: NDArray[np.float64]
    ) -> _Aligned:
        """
        Align faces with a tile by the inverse compositional Gauss-Newton method.

        Args:
            filtered: The tile after both filters.
            faces: Which faces, (n,).
            grids: Where each is aligned first, (n, 2, 3).
        """
        rows, energy, solve = self.rows[faces], self.energy[faces], self.solve[faces]
        shown = _sample_tile(filtered, grids)
        best = _score(shown, rows, energy)
        for _ in range(_STEPS):
            gain = np.maximum((shown * rows).sum(axis=1) / energy, _LEAST_GAIN)
            rest = shown / gain[:, None] - rows
            steps = np.einsum("nkp,np->nk", solve, rest)
            grids = _step_grids(grids, np.clip(steps, -_MOST_STEP_PX, _MOST_STEP_PX))
            shown = _sample_tile(filtered, grids)
            best = _keep_better(best, _score(shown, rows, energy), _is_near(grids))
        return best

    def measure_rest(self, face: int, shown: _Floats, gain: float) -> float:
        """Return the largest remaining difference, as a share of the strongest pip."""
        if gain <= 0.0:
            return _ALL_LEFT
        side = (FINE_PX, FINE_PX)
        pattern = self.rows[face].reshape(side)
        rest = _pip_blur(shown.reshape(side) / gain - pattern)[1:-1, 1:-1]
        strongest = max(float(np.abs(_pip_blur(pattern)).max()), _FLAT)
        return float(np.abs(rest).max()) / strongest


def _make_solver(face: _Floats) -> NDArray[np.float64]:
    """Return the matrix (6, p) that turns a difference into a step of the grid."""
    down, right = np.gradient(face.astype(np.float64))
    y, x = (np.mgrid[:FINE_PX, :FINE_PX] - _MIDDLE) / (FINE_PX / 2.0)
    columns = (right, down, right * x, right * y, down * x, down * y)
    slopes = np.stack(columns, axis=-1).reshape(-1, 6)
    slopes = slopes - slopes.mean(axis=0)
    normal = slopes.T @ slopes
    damping = _DAMPING * (np.diag(normal) + np.trace(normal) / 20.0 + _FLAT)
    return np.asarray(np.linalg.solve(normal + np.diag(damping), slopes.T))


def _sample_tile(filtered: _Floats, grids: NDArray[np.float64]) -> _Floats:
    """Return a tile sampled on some grids, minus the mean, (n, p)."""
    rows = np.stack([_warp(filtered, grid, FINE_PX).reshape(-1) for grid in grids])
    return np.asarray(rows - rows.mean(axis=1, keepdims=True), np.float32)


def _score(shown: _Floats, rows: _Floats, energy: _Floats) -> _Aligned:
    together = (shown * rows).sum(axis=1)
    length = np.maximum((shown**2).sum(axis=1), _FLAT)
    return _Aligned(together / np.sqrt(length * energy), together / energy, shown)


def _is_near(grids: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which grids are still on the proposed face; further off, pips leave the view."""
    middle = grids[:, :, :2] @ np.full(2, _MIDDLE) + grids[:, :, 2]
    off = np.linalg.norm(middle - (TILE_PX - 1) / 2.0, axis=1) / FACE_PX
    size = np.sqrt(np.abs(np.linalg.det(grids[:, :, :2]))) * FINE_PX / (FACE_PX * _EDGES)
    return np.asarray((off <= _MOST_OFF_EDGES) & (np.abs(np.log(size)) <= _MOST_SIZE))


def _keep_better(one: _Aligned, other: _Aligned, is_allowed: NDArray[np.bool_]) -> _Aligned:
    is_other = is_allowed & (other.likeness > one.likeness)
    return _Aligned(
        np.where(is_other, other.likeness, one.likeness),
        np.where(is_other, other.gain, one.gain),
        np.where(is_other[:, None], other.shown, one.shown),
    )


def _step_grids(grids: NDArray[np.float64], steps: _Floats) -> NDArray[np.float64]:
    """Return grids moved by one step, inverted because the step is in the face's frame."""
    half = FINE_PX / 2.0
    linear = np.eye(2) + steps[:, 2:].reshape(-1, 2, 2) / half
    offset = steps[:, :2] - (linear - np.eye(2)) @ np.full(2, _MIDDLE)
    matrices = grids[:, :, :2] @ _invert(linear)
    moved = grids[:, :, 2] - (matrices @ offset[:, :, None])[:, :, 0]
    return np.concatenate([matrices, moved[:, :, None]], axis=2)


_MIDDLE = (FINE_PX - 1) / 2.0


def _sample_variants(filtered: _Floats) -> _Floats:
    """Return a tile's face in many alignments, normalized (n, COARSE_PX²); see `_FINE_GRIDS`."""
    side = COARSE_PX + 2 * _SHIFT_PX
    wide = np.stack([_warp(filtered, grid, side) for grid in _WIDE_GRIDS])
    windows = sliding_window_view(wide, (COARSE_PX, COARSE_PX), axis=(1, 2))
    return _normalize(windows.reshape(-1, COARSE_PX * COARSE_PX))


def _grid(turn: float, size: float, side: int, edges: float) -> _Matrix:
    """Return the matrix (2, 3) from pixels of a square crop to pixels of the tile."""
    step = FACE_PX * edges * size / side
    cosine, sine = step * np.cos(turn), step * np.sin(turn)
    matrix = np.array([[cosine, -sine], [sine, cosine]])
    offset = np.full(2, (TILE_PX - 1) / 2.0) - matrix @ np.full(2, (side - 1) / 2.0)
    return np.column_stack([matrix, offset])


def _warp(tile: _Floats, grid: _Matrix, side: int) -> _Floats:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    shown = cv2.warpAffine(tile, grid, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shown, np.float32)


def _low_pass(grey: MatLike) -> _Floats:
    """Blur a tile to the resolution of a crop."""
    sigma = _LOW_PASS_PX * _PIXEL_EDGES * FACE_PX
    return np.asarray(cv2.GaussianBlur(grey.astype(np.float32), (0, 0), sigma), np.float32)


def _high_pass(grey: _Floats, edge_px: float) -> _Floats:
    """Remove what is much wider than a pip: shading and the body's brightness."""
    wide = cv2.GaussianBlur(grey, (0, 0), _HIGH_PASS_EDGES * edge_px)
    return np.asarray(grey - wide, np.float32)


def _pip_blur(pattern: _Floats) -> _Floats:
    sigma = _PIP_EDGES / _PIXEL_EDGES
    return np.asarray(cv2.GaussianBlur(pattern, (0, 0), sigma), np.float32)


def _invert(matrices: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the inverses of (n, 2, 2) matrices near the identity."""
    (a, b), (c, d) = matrices.transpose(1, 2, 0)
    rows = np.stack([np.stack([d, -b], axis=-1), np.stack([-c, a], axis=-1)], axis=1)
    return np.asarray(rows / (a * d - b * c)[:, None, None])


def _filter_crop(crop: NDArray[np.uint8]) -> _Floats:
    rim = (CROP_PX - FINE_PX) // 2
    return _high_pass(crop.astype(np.float32), 1.0 / _PIXEL_EDGES)[rim:-rim, rim:-rim]


def _shrink(face: _Floats) -> _Floats:
    size = (COARSE_PX, COARSE_PX)
    return np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.float32)


def _normalize(shown: _Floats) -> _Floats:
    """Return rows of mean 0 and length 1."""
    rows = shown.reshape(len(shown), -1)
    rows = rows - rows.mean(axis=1, keepdims=True)
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(length, _FLAT), np.float32)


def _wide_grids() -> list[_Matrix]:
    """Return the grids of the coarse search, each with a margin for its shifts."""
    side = COARSE_PX + 2 * _SHIFT_PX
    edges = _EDGES * side / COARSE_PX
    return [_grid(turn, size, side, edges) for turn, size in product(_TURNS.tolist(), _SIZES)]


def _fine_grids() -> NDArray[np.float64]:
    """Return the first grid of the alignment for each coarse variant, (n, 2, 3)."""
    grids = []
    shifts = range(-_SHIFT_PX, _SHIFT_PX + 1)
    for turn, size in product(_TURNS.tolist(), _SIZES):
        fine = _grid(turn, size, FINE_PX, _EDGES)
        pixel = fine[:, :2] * (FINE_PX / COARSE_PX)
        for row, column in product(shifts, shifts):
            moved = fine.copy()
            moved[:, 2] += pixel @ (column, row)
            grids.append(moved)
    return np.stack(grids)


_WIDE_GRIDS, _FINE_GRIDS = _wide_grids(), _fine_grids()
