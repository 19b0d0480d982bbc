# SPDX-License-Identifier: MIT
"""Maps of pips made by hand, as the tile net returns them."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.nets.tile_net import HEAT_CELLS, HEAT_MAPS
from vision.tiles import FACE_PX, TILE_PX

Floats = NDArray[np.float64]

_PIP_EDGES = 0.09
_NOTHING = -8.0
_SURE = 6.0


def map_of(
    places: Iterable[tuple[float, float]] | Floats, *, logit: float = _SURE
) -> NDArray[np.float32]:
    """
    Return maps with pips in these places.

    Args:
        places: In edges of the cut, from the middle of the tile.
        logit: How sure the net is of each pip.
    """
    maps = np.zeros((HEAT_MAPS, HEAT_CELLS, HEAT_CELLS), np.float32)
    maps[0] = _NOTHING
    for place in places:
        add_pip(maps, place, logit=logit)
    return maps


def add_pip(
    maps: NDArray[np.float32], place: tuple[float, float] | Floats, *, logit: float = _SURE
) -> None:
    """Add one pip, with a fainter cell on each side as a hill has."""
    cell = np.array(place) * FACE_PX / 2.0 + (HEAT_CELLS - 1) / 2.0
    column, row = np.rint(cell).astype(int)
    for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        side = row + down, column + right
        maps[0][side] = max(maps[0][side], logit - 2.0)
    maps[0, row, column] = logit
    maps[1:, row, column] = cell - (column, row)


def tile_of(
    places: Iterable[tuple[float, float]] | Floats, *, body: int, pips: Iterable[int]
) -> Image:
    """Return a tile of a face whose pips have these grey levels."""
    tile = np.full((TILE_PX, TILE_PX, 3), body, np.uint8)
    for place, level in zip(places, pips, strict=True):
        x, y = np.rint((np.array(place) * FACE_PX + (TILE_PX - 1) / 2.0) * 16).astype(int).tolist()
        radius = round(_PIP_EDGES * FACE_PX * 16)
        cv2.circle(tile, (x, y), radius, (level,) * 3, cv2.FILLED, cv2.LINE_AA, shift=4)
    return tile
