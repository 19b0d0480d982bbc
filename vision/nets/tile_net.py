# SPDX-License-Identifier: MIT
"""
The two nets that judge the tile of a proposed face.

The tile net estimates which number it shows, where the true face lies in it, where the die's foot
is, whether the die is cocked, stacked or hidden, and whether the body is lighter than its pips.
Its maps of pips are read by `vision.nets.pip_count`. The second net only names a number.

A square that leans by ten degrees is foreshortened by a hundredth, which is too little to measure.
Its body's axis moves by a sixth of an edge, which the sides, their edges and the shadow
at the foot show. No tile shows whether a die leans: a flat die under a slanted camera looks the
same. So all feet are compared with one plane (`vision.checks`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.face import Floats
from vision.frame import Image
from vision.nets.face_encoding import UNIT_PX, decode_half_edges
from vision.nets.heatmaps import sigmoid
from vision.nets.onnx_net import WEIGHTS, Net
from vision.tiles import TILE_PX

CLASSES = 7  # Column 0 is "no upper face", the others the numbers 1 to 6.


class LearnedOpinion:
    """
    The second opinion: which number a tile shows, or that it is no upper face.

    This net shares nothing with the tile net but the tiles: other scenes, another seed, and no pips
    to count. What deceives one of the two seldom deceives the other in the same way. May be shared
    by threads. WeightsError if there is no such file, or it holds no net.
    """

    def __init__(self, weights: Path = WEIGHTS / "opinion.onnx") -> None:
        self._net = Net(weights)

    def judge(self, tiles: Image) -> Floats:
        """
        Return the probabilities of the classes of each tile, (n, 7); every row sums to 1.

        Raises:
            ValueError: The tiles are not as `vision.tiles.cut_tiles` makes them.
        """
        _require_tiles(tiles)
        return softmax(self._net.run_tiles(tiles).reshape(len(tiles), CLASSES).astype(np.float64))


def _require_tiles(tiles: Image) -> None:
    if tiles.ndim != 4 or tiles.shape[1:] != (TILE_PX, TILE_PX, 3):
        raise ValueError(f"expected tiles (n, {TILE_PX}, {TILE_PX}, 3), found {tiles.shape}")


def softmax(logits: Floats) -> Floats:
    """Return logits (n, m) as probabilities; every row sums to 1."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


HEAT_MAPS = 3  # Maps of pips: the logit of a pip, and from a cell to its pip in cells (2).
HEAT_CELLS = TILE_PX // 2  # Cells of these maps along either axis.


class HEAD(IntEnum):
    """Where each part of the net's head begins."""

    CLASS = 0
    CENTER = CLASSES
    SHAPE = CENTER + 2
    FOOT = SHAPE + 5
    FOOT_ERROR = FOOT + 2
    ODD = FOOT_ERROR + 1
    LIGHT = ODD + 1
    END = LIGHT + 1


@dataclass(frozen=True, slots=True, eq=False)
class TileOutputs:
    """What the net says of n tiles."""

    shares: Floats  # Probabilities of "no upper face" and 1 to 6, (n, 7).
    centers: Floats  # The true face's centre off the tile's middle, in edges of the cut, (n, 2).
    half_edges: Floats  # Its half edges, in edges of the cut: columns, (n, 2, 2).
    feet: Floats  # From its centre to the centre of the face below, in edges of the cut, (n, 2).
    foot_errors: Floats  # How far wrong that may be, (n,).
    odd: Floats  # Probability that the die is cocked, stacked, hidden or cut off, (n,).
    light: Floats  # Probability that the body is lighter than the pips, (n,).
    maps: NDArray[np.float32]  # The maps of pips, (n, 3, 32, 32).

    def pick(self, which: Sequence[int]) -> TileOutputs:
        index = np.array(which, np.intp)
        return TileOutputs(*(getattr(self, field.name)[index] for field in fields(self)))


class TileNet:
    """The tile net; may be shared by threads. WeightsError without a sound file."""

    def __init__(self, weights: Path = WEIGHTS / "tile.onnx") -> None:
        self._net = Net(weights)

    def estimate(self, tiles: Image) -> TileOutputs:
        """
        Return what the net says of tiles.

        Raises:
            ValueError: The tiles are not as `vision.tiles.cut_tiles` makes them.
        """
        _require_tiles(tiles)
        size = int(HEAD.END) + HEAT_MAPS * HEAT_CELLS**2
        rows = self._net.run_tiles(tiles).reshape(len(tiles), size)
        head = rows[:, : HEAD.END].astype(np.float64)
        return TileOutputs(
            shares=softmax(head[:, HEAD.CLASS : HEAD.CENTER]),
            centers=head[:, HEAD.CENTER : HEAD.SHAPE],
            half_edges=decode_half_edges(head[:, HEAD.SHAPE : HEAD.FOOT]) / (2.0 * UNIT_PX),
            feet=head[:, HEAD.FOOT : HEAD.FOOT_ERROR],
            foot_errors=np.exp(head[:, HEAD.FOOT_ERROR]),
            odd=sigmoid(head[:, HEAD.ODD]),
            light=sigmoid(head[:, HEAD.LIGHT]),
            maps=rows[:, HEAD.END :].reshape(-1, HEAT_MAPS, HEAT_CELLS, HEAT_CELLS),
        )
