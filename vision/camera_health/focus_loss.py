# SPDX-License-Identifier: MIT
"""
Is the picture as sharp as it was, wherever it still shows the same?

A number for the sharpness of a whole picture changes with what lies in the tray: without
dice, with a hand, in other light. So small tiles with structure are compared with
themselves as they were. In each two things are looked at: the coarse look, which tells
that the same thing is there as before, and the fine detail, which a lens out of focus
takes away from all of them at once. A tile in which something else lies now says
nothing; noise is measured where there is no structure, and taken off.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class FocusParams:
    """
    When a picture has lost its sharpness. Lengths are in pixels of a picture `longest_px` wide.

    Attributes:
        longest_px: Larger pictures are brought down to this: finer detail does not count.
        tile_px: Edge of a tile.
        around_px: How far beyond the tile its coarse look reaches.
        fine_px: Detail is what a blur of this standard deviation takes away.
        cells_wh: The tile with most structure is taken of each of so many cells.
        noise_times: A tile has structure when its detail has so many times the noise's energy.
        telling: So many tiles have to tell, or nothing is said.
        plenty: Where so many are asked and each of them is sharp, no more are.
        alike: Correlation from which on the coarse look is the same.
        left: With less than this share of the detail's energy left, the picture is out of focus.
    """

    longest_px: int = 1280
    tile_px: int = 32
    around_px: int = 16
    fine_px: float = 1.5
    cells_wh: tuple[int, int] = (8, 4)
    noise_times: float = 4.0
    telling: int = 4
    plenty: int = 8
    alike: float = 0.85
    left: float = 0.3


@dataclass(frozen=True, slots=True)
class _Tile:
    """A place with structure, as it was: its detail's energy without noise, its coarse look."""

    place: tuple[slice, slice]
    around: tuple[slice, slice]
    energy: float
    look: Floats


class FocusDetector:
    """
    The sharpness of a view, to compare later pictures with.

    Args:
        grey: A picture, shape (height, width), uint8.
        params: When sharpness is lost.
    """

    def __init__(self, grey: Image, params: FocusParams | None = None) -> None:
        self._params = params or FocusParams()
        grey = self._brought_down(grey)
        energies = _tile_means(_detail(grey, self._params) ** 2, self._params.tile_px)
        order = np.argsort(energies, axis=None)
        # The quietest tenth shows the noise alone; a few of its tiles are enough to know it by.
        quiet = order[: max(1, order.size // 10)]
        noise = float(np.median(energies.flat[quiet]))
        sample = quiet[:: max(1, quiet.size // self._params.plenty)]
        self._quiet = [self._place(int(at), energies.shape[1]) for at in sample]
        tiles = (
            self._tile(grey, at, energies, noise)
            for at in _find_best_of_cells(energies, self._params.cells_wh)
            if energies.flat[at] > (1.0 + self._params.noise_times) * noise
        )
        self._tiles = sorted(tiles, key=lambda tile: -tile.energy)

    def is_lost(self, grey: Image) -> bool | None:
        """Tell whether a picture is out of focus; none where too little of the view is there."""
        grey = self._brought_down(grey)
        noise = float(np.median([self._energy_at(grey, place) for place in self._quiet]))
        params, left = self._params, list[float]()
        for tile in self._tiles:
            if len(left) == params.plenty and min(left) > params.left:
                return False
            look = _shrink_to_coarse(grey[tile.around])
            if _correlation(tile.look, look) < params.alike:
                continue  # something else is there now
            gain = float(look.mean() + 1.0) / float(tile.look.mean() + 1.0)
            expected = gain**2 * tile.energy
            if expected > params.noise_times * noise:
                left.append((self._energy_at(grey, tile.place) - noise) / expected)
        if len(left) < params.telling:
            return None
        return float(np.median(left)) < params.left

    def _brought_down(self, grey: Image) -> Image:
        height, width = grey.shape
        scale = self._params.longest_px / max(height, width)
        if scale >= 1.0:
            return grey
        size_wh = round(width * scale), round(height * scale)
        return np.asarray(cv2.resize(grey, size_wh, interpolation=cv2.INTER_AREA), np.uint8)

    def _place(self, at: int, columns: int) -> tuple[slice, slice]:
        edge = self._params.tile_px
        row, column = divmod(at, columns)
        return slice(row * edge, (row + 1) * edge), slice(column * edge, (column + 1) * edge)

    def _tile(self, grey: Image, at: int, energies: Floats, noise: float) -> _Tile:
        rows, columns = self._place(at, energies.shape[1])
        beyond = self._params.around_px
        around = (
            slice(max(0, rows.start - beyond), rows.stop + beyond),
            slice(max(0, columns.start - beyond), columns.stop + beyond),
        )
        energy = float(energies.flat[at]) - noise
        return _Tile((rows, columns), around, energy, _shrink_to_coarse(grey[around]))

    def _energy_at(self, grey: Image, place: tuple[slice, slice]) -> float:
        return float(np.mean(_detail(grey[place], self._params) ** 2))


def _detail(grey: Image, params: FocusParams) -> Floats:
    levels = grey.astype(np.float32)
    return np.asarray(levels - cv2.GaussianBlur(levels, (0, 0), params.fine_px), np.float32)


def _tile_means(plane: Floats, edge: int) -> Floats:
    rows, columns = plane.shape[0] // edge, plane.shape[1] // edge
    whole = plane[: rows * edge, : columns * edge]
    return np.asarray(whole.reshape(rows, edge, columns, edge).mean(axis=(1, 3)), np.float32)


def _find_best_of_cells(energies: Floats, cells_wh: tuple[int, int]) -> list[int]:
    """Return the index of the tile with the most detail in each cell."""
    rows, columns = energies.shape
    row, column = np.indices(energies.shape)
    cell = row * cells_wh[1] // rows * cells_wh[0] + column * cells_wh[0] // columns
    best: dict[int, int] = {}
    for at in np.argsort(energies, axis=None).tolist():
        best[int(cell.flat[at])] = at
    return sorted(best.values())


def _shrink_to_coarse(grey: Image) -> Floats:
    """Return the coarse look of a place: what stays of it out of focus."""
    return np.asarray(cv2.resize(grey, (4, 4), interpolation=cv2.INTER_AREA), np.float32)


def _correlation(one: Floats, other: Floats) -> float:
    first, second = one - one.mean(), other - other.mean()
    size = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float((first * second).sum()) / size if size else 0.0
