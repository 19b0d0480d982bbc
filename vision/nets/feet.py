# SPDX-License-Identifier: MIT
"""
Estimate where the foot of each read die is, with a tile net that was trained longer.

A longer training makes the feet more exact. It also makes a net read fewer photographs, so the net
that reads is another one (see the model card).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.face import Face
from vision.nets.onnx_net import WEIGHTS
from vision.nets.tile_net import TileNet
from vision.pyramid import Pyramid
from vision.tiles import cut_tiles

FOOT_WEIGHTS = WEIGHTS / "foot.onnx"


def with_feet(net: TileNet, pyramid: Pyramid, faces: Sequence[Face]) -> list[Face]:
    """
    Return the faces with the feet that a tile net finds.

    Args:
        net: A tile net; of its outputs only the feet are used.
        pyramid: The picture of the faces.
        faces: All faces that were read.
    """
    if not faces:
        return []
    halves = np.array([face.half_edges for face in faces])
    outputs = net.look_at(cut_tiles(pyramid, np.array([face.center for face in faces]), halves))
    ways = np.einsum("nij,nj->ni", 2.0 * halves, outputs.feet)
    return [
        replace(face, foot=way / face.edge_px, foot_error=float(error))
        for face, way, error in zip(faces, ways, outputs.foot_errors, strict=True)
    ]
