# SPDX-License-Identifier: MIT
"""
Cut proposed upper faces out of the picture, each upright and square in a small tile.

In a tile a face has the same position and size whatever its turn, tilt and size in the
picture. The tile reaches beyond the face, so that a die's sides, its foot and the other
half of a domino are in it too.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.face import Floats
from vision.frame import Image
from vision.pyramid import Pyramid

TILE_PX = 64  # Side of a tile.
FACE_PX = 30  # Edge of the proposed face in its tile, in the middle.

_PLAIN_UP_TO = 1.4  # Picture pixels a tile pixel up to which interpolation makes no moiré.


def cut_tiles(
    image_bgr: Image | Pyramid,
    centers: Floats,
    half_edges: Floats,
    *,
    tile_px: int = TILE_PX,
    face_px: int = FACE_PX,
) -> Image:
    """
    Cut faces out of a picture or its pyramid; return the tiles, (n, tile_px, tile_px, 3).

    Each has a centre (2,) and two half edges (2, 2) in pixels of the picture, as a `Face` has. The
    x axis of a tile runs along the first half edge. Beyond the picture's border its last pixels are
    repeated.
    """
    pyramid = image_bgr if isinstance(image_bgr, Pyramid) else Pyramid(image_bgr)
    tiles = np.empty((len(centers), tile_px, tile_px, 3), np.uint8)
    for tile, center, halves in zip(tiles, centers, half_edges, strict=True):
        matrix = halves * (2.0 / face_px)
        first = center - matrix.sum(axis=1) * (tile_px - 1) / 2.0
        tile[:] = _cut(pyramid, matrix, first, tile_px)
    return tiles


def _cut(pyramid: Pyramid, matrix: Floats, offset: Floats, tile_px: int) -> Image:
    (a, b), (c, d) = matrix.tolist()
    halvings = pyramid.halvings_for(abs(a * d - b * c) ** 0.5, _PLAIN_UP_TO)
    scale = 0.5**halvings
    x, y = ((offset + 0.5) * scale - 0.5).tolist()
    inverse = np.array([(a * scale, b * scale, x), (c * scale, d * scale, y)])
    tile = cv2.warpAffine(
        pyramid.level(halvings),
        inverse,
        (tile_px, tile_px),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(tile, dtype=np.uint8)
