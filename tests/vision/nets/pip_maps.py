# SPDX-License-Identifier: MIT
"""Maps of pips made by hand, as the tile net returns them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from vision.nets.tile_net import HEAT_CELLS, HEAT_MAPS
from vision.tiles import FACE_PX

Floats = NDArray[np.float64]

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
