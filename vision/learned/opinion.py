# SPDX-License-Identifier: MIT
"""
The learned opinion on a tile: which number it shows, or that it is no top face.

The net saw tiles cut badly on purpose, in any turn, light and blur, and as many that are
no upper face at all: side faces, ground, dominoes, halves of two dice, a quarter of a four
that could pass for a one. It counts nothing and knows no lattice, so what fools it seldom
fools the geometry as well.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.learned.net import WEIGHTS, Net

CLASSES = 7
"""Column 0 is "no top face", the others the numbers 1 to 6."""


class LearnedOpinion:
    """
    The net and how it is asked; may be shared by threads.

    Args:
        weights: An ONNX file.

    Raises:
        WeightsError: There is no such file, or it holds no net.
    """

    def __init__(self, weights: Path = WEIGHTS / "opinion.onnx") -> None:
        self._net = Net(weights)

    def judge(self, tiles: Image) -> NDArray[np.float32]:
        """
        Say what each tile shows.

        Args:
            tiles: Shape (n, 80, 80, 3), uint8, as `vision.cutout.cut_tiles` makes them.

        Returns:
            Probabilities, shape (n, 7); every row sums to 1.

        Raises:
            ValueError: The tiles have another shape.
        """
        if tiles.ndim != 4 or tiles.shape[1:] != (80, 80, 3):
            raise ValueError(f"tiles of shape (n, 80, 80, 3) expected, not {tiles.shape}")
        if not len(tiles):
            return np.empty((0, CLASSES), np.float32)
        logits = self._net.run_tiles(tiles)
        logits = logits - logits.max(axis=1, keepdims=True)
        weights = np.exp(logits)
        shares: NDArray[np.float32] = weights / weights.sum(axis=1, keepdims=True)
        return shares
