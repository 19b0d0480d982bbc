# SPDX-License-Identifier: MIT
"""
Detect that a picture is less sharp than before, where it still shows the same.

The sharpness of a whole picture changes with what is in the tray. So small tiles with structure
are compared with themselves. The coarse picture of a tile shows whether its content is the same.
Fine detail is what a lens out of focus removes from all tiles at once. Tiles with new content do
not count. Noise is measured on tiles without structure, and subtracted.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.pyramid import shrink_to, split_into_tiles

Floats = NDArray[np.float32]
_Area = tuple[slice, slice]  # Rows and columns.


# When a picture has lost its sharpness. Lengths are in pixels of a picture `_LONGEST_PX` wide.
_LONGEST_PX = 1280  # Larger pictures are shrunk to this: finer detail does not count.
_TILE_PX = 32  # Edge of a tile.
_AROUND_PX = 16  # How far the coarse picture reaches beyond the tile.
_FINE_PX = 1.5  # Detail is what a blur of this standard deviation removes.
_CELLS_WH = (8, 4)  # Number of cells; each gives its tile with the most structure.
_NOISE_TIMES = 4.0  # Least energy of a tile's detail, as a multiple of the noise.
_TELLING = 4  # With fewer comparable tiles there is no answer.
_PLENTY = 8  # If this many tiles are all sharp, no more are compared.
_ALIKE = 0.85  # Least correlation of the same coarse picture.
_LEFT = 0.3  # With a smaller share of the detail's energy the picture is out of focus.


@dataclass(frozen=True, slots=True)
class _Tile:
    """A tile as it was: the energy of its detail without noise, and its coarse picture."""

    area: _Area
    around: _Area
    energy: float
    coarse: Floats


class FocusDetector:
    """The sharpness of a view, to compare later pictures with."""

    def __init__(self, grey: Image) -> None:
        grey = shrink_to(grey, _LONGEST_PX)
        tiles = split_into_tiles(_detail(grey) ** 2, _TILE_PX)
        energies = np.asarray(tiles.mean(axis=(1, 3)), np.float32)
        order = np.argsort(energies, axis=None)
        # The quietest tenth shows only noise, and a few of its tiles are enough to measure it.
        quiet = order[: max(1, order.size // 10)]
        noise = float(np.median(energies.flat[quiet]))
        sample = quiet[:: max(1, quiet.size // _PLENTY)]
        self._quiet = [_tile_area(int(at), energies.shape[1]) for at in sample]
        found = (
            _cut_tile(grey, at, energies, noise)
            for at in _find_best_of_cells(energies)
            if energies.flat[at] > (1.0 + _NOISE_TIMES) * noise
        )
        self._tiles = sorted(found, key=lambda tile: -tile.energy)

    def is_lost(self, grey: Image) -> bool | None:
        """Return whether a picture is out of focus, or `None` if too little is comparable."""
        grey = shrink_to(grey, _LONGEST_PX)
        noise = float(np.median([_energy_at(grey, place) for place in self._quiet]))
        left = list[float]()
        for tile in self._tiles:
            if len(left) == _PLENTY and min(left) > _LEFT:
                return False
            coarse = _shrink_to_coarse(grey[tile.around])
            if _correlation(tile.coarse, coarse) < _ALIKE:
                continue  # The content is new.
            gain = float(coarse.mean() + 1.0) / float(tile.coarse.mean() + 1.0)
            expected = gain**2 * tile.energy
            if expected > _NOISE_TIMES * noise:
                left.append((_energy_at(grey, tile.area) - noise) / expected)
        if len(left) < _TELLING:
            return None
        return float(np.median(left)) < _LEFT


def _tile_area(at: int, columns: int, beyond: int = 0) -> _Area:
    starts = (_TILE_PX * index for index in divmod(at, columns))
    rows, across = (slice(max(0, one - beyond), one + _TILE_PX + beyond) for one in starts)
    return rows, across


def _cut_tile(grey: Image, at: int, energies: Floats, noise: float) -> _Tile:
    columns = energies.shape[1]
    around = _tile_area(at, columns, _AROUND_PX)
    coarse = _shrink_to_coarse(grey[around])
    return _Tile(_tile_area(at, columns), around, float(energies.flat[at]) - noise, coarse)


def _energy_at(grey: Image, place: _Area) -> float:
    return float(np.mean(_detail(grey[place]) ** 2))


def _detail(grey: Image) -> Floats:
    levels = grey.astype(np.float32)
    return np.asarray(levels - cv2.GaussianBlur(levels, (0, 0), _FINE_PX), np.float32)


def _find_best_of_cells(energies: Floats) -> list[int]:
    rows, columns = energies.shape
    row, column = np.indices(energies.shape)
    cell = row * _CELLS_WH[1] // rows * _CELLS_WH[0] + column * _CELLS_WH[0] // columns
    best: dict[int, int] = {}
    for at in np.argsort(energies, axis=None).tolist():
        best[int(cell.flat[at])] = at
    return sorted(best.values())


def _shrink_to_coarse(grey: Image) -> Floats:
    return np.asarray(cv2.resize(grey, (4, 4), interpolation=cv2.INTER_AREA), np.float32)


def _correlation(one: Floats, other: Floats) -> float:
    first, second = one - one.mean(), other - other.mean()
    size = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float((first * second).sum()) / size if size else 0.0
