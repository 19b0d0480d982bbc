# SPDX-License-Identifier: MIT
"""
The second opinion on a tile: which number it shows, or that it is no upper face.

This net shares nothing with the tile net but the tiles: other scenes, another seed, and no
pips to count. What deceives one of the two seldom deceives the other in the same way.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.nets.onnx_net import WEIGHTS, Net
from vision.tiles import TILE_PX

CLASSES = 7
"""Column 0 is "no upper face", the others the numbers 1 to 6."""


class LearnedOpinion:
    """
    The net and how it is asked; may be shared by threads.

    Raises:
        WeightsError: There is no such file, or it holds no net.
    """

    def __init__(self, weights: Path = WEIGHTS / "opinion.onnx") -> None:
        self._net = Net(weights)

    def judge(self, tiles: Image) -> NDArray[np.float64]:
        """
        Return the probabilities of the classes of each tile, (n, 7); every row sums to 1.

        Args:
            tiles: Shape (n, 64, 64, 3), uint8, as `vision.tiles.cut_tiles` makes them.

        Raises:
            ValueError: The tiles have another shape.
        """
        if tiles.ndim != 4 or tiles.shape[1:] != (TILE_PX, TILE_PX, 3):
            raise ValueError(f"expected tiles (n, {TILE_PX}, {TILE_PX}, 3), found {tiles.shape}")
        return softmax(self._net.run_tiles(tiles).reshape(len(tiles), CLASSES).astype(np.float64))


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return logits (n, m) as probabilities; every row sums to 1."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
