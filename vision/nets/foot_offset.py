# SPDX-License-Identifier: MIT
"""
Where the foot of a die is below its upper face, as a small net sees it.

A square that leans by ten degrees is foreshortened by a hundredth, which nobody can measure.
Its body's axis moves by a sixth of an edge, which the sides, their edges and the shadow
at the foot show. Whether a die leans no tile tells: one that lies flat under a slanted
camera looks the same. So all feet are held against one plane (`vision.checks`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from vision.face import Face
from vision.frame import Image
from vision.nets.onnx_net import WEIGHTS, Net
from vision.pyramid import Pyramid
from vision.tiles import cut_tiles

TILE_PX, FACE_PX = 80, 32
"""Side of its tiles and edge of the face in them: the foot must be in the tile."""

_OUTPUTS = 3
"""The way to the foot along both axes of the tile in edges, and the logarithm of its error."""


class FootNet:
    """
    The net and how it is asked; may be shared by threads.

    Args:
        weights: An ONNX file.

    Raises:
        WeightsError: There is no such file, or it holds no net.
    """

    def __init__(self, weights: Path = WEIGHTS / "foot.onnx") -> None:
        self._net = Net(weights)

    def with_feet(self, image: Image | Pyramid, faces: Sequence[Face]) -> list[Face]:
        """Return the faces with the feet that the net sees."""
        if not faces:
            return []
        centers = np.array([face.center for face in faces])
        halves = np.array([face.half_edges for face in faces])
        tiles = cut_tiles(image, centers, halves, tile_px=TILE_PX, face_px=FACE_PX)
        outputs = self._net.run_tiles(tiles).reshape(len(faces), _OUTPUTS).astype(np.float64)
        return [
            replace(
                face,
                foot=2.0 * face.half_edges @ out[:2] / face.edge_px,
                foot_error=float(np.exp(out[2])),
            )
            for face, out in zip(faces, outputs, strict=True)
        ]
