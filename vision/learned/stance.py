# SPDX-License-Identifier: MIT
"""
How a die stands, as a small net sees it: where its foot is below its top face.

A square that leans by ten degrees is foreshortened by a hundredth, which nobody measures;
its body's axis moves by a sixth of an edge, which the sides, their edges and the shadow
at the foot show. Whether a die leans is not asked here: one that lies flat under a slanted
camera looks the same. That is told by holding all dice against one plane.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.cutout import cut_tiles
from vision.frame import Image
from vision.learned.net import WEIGHTS, Net

REACH = 1.5
"""How much farther than for an opinion a tile reaches: the foot must be in it."""

OUTPUTS = 3
"""The way to the foot along both axes of the tile, and the logarithm of its error."""


@dataclass(frozen=True, slots=True, eq=False)
class Stances:
    """
    Where the feet of k dice are seen.

    Attributes:
        downs: From the middle of each top face to the middle of the face below it, in edges
            of the top face, along the axes of the picture, (k, 2).
        errors: How far wrong each may be, in edges, (k,).
    """

    downs: NDArray[np.float64]
    errors: NDArray[np.float64]


class StanceTeller:
    """
    The net and how it is asked; may be shared by threads.

    Args:
        weights: An ONNX file.

    Raises:
        WeightsError: There is no such file, or it holds no net.
    """

    def __init__(self, weights: Path = WEIGHTS / "stance.onnx") -> None:
        self._net = Net(weights)

    def tell(
        self, image_bgr: Image, centers: NDArray[np.float64], half_edges: NDArray[np.float64]
    ) -> Stances:
        """
        Say where the feet of dice are.

        Args:
            image_bgr: Shape (height, width, 3), uint8.
            centers: Middles of their top faces in picture pixels, (k, 2).
            half_edges: Ways to the middles of two sides of each, as columns, (k, 2, 2).
        """
        if not len(centers):
            return Stances(np.empty((0, 2)), np.empty(0))
        tiles = cut_tiles(image_bgr, centers, half_edges * REACH)
        told = self._net.run_tiles(tiles).reshape(len(centers), OUTPUTS).astype(np.float64)
        away = (2.0 * half_edges @ told[:, :2, None])[..., 0]
        edges = 2.0 * np.sqrt(np.abs(np.linalg.det(half_edges)))
        return Stances(away / edges[:, None], np.exp(told[:, 2]))
