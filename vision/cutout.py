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
from numpy.typing import NDArray

from vision.frame import Image

TILE_PX = 64
"""Side of a tile."""

FACE_PX = 30
"""Edge of the proposed face in its tile, in the middle."""

_Floats = NDArray[np.float64]
# Up to this many picture pixels a tile pixel, interpolation alone makes no moiré.
_PLAIN_UP_TO = 1.4


def cut_tiles(
    image_bgr: Image,
    centers: _Floats,
    half_edges: _Floats,
    *,
    tile_px: int = TILE_PX,
    face_px: int = FACE_PX,
) -> Image:
    """
    Cut faces out.

    Args:
        image_bgr: Shape (height, width, 3), uint8.
        centers: Centres of the faces in picture pixels, (n, 2).
        half_edges: For each face two columns, from its centre to the middles of two
            neighbouring sides, in picture pixels, (n, 2, 2).
        tile_px: Side of the tiles.
        face_px: Edge of a face in its tile.

    Returns:
        The tiles, shape (n, tile_px, tile_px, 3). The x axis of a tile runs along the first
        half edge. Beyond the picture's border its last pixels are repeated.
    """
    tiles = np.empty((len(centers), tile_px, tile_px, 3), np.uint8)
    for tile, center, halves in zip(tiles, centers, half_edges, strict=True):
        matrix = halves * (2.0 / face_px)
        tile[:] = _cut(
            image_bgr, matrix, center - matrix.sum(axis=1) * (tile_px - 1) / 2.0, tile_px
        )
    return tiles


def _cut(image: Image, matrix: _Floats, offset: _Floats, tile_px: int) -> Image:
    (a, b), (c, d) = matrix.tolist()
    shrink = 1.0 / max(abs(a * d - b * c) ** 0.5, 1e-3)
    if shrink < 1.0 / _PLAIN_UP_TO:
        image, begin = _part_around(image, matrix, offset, tile_px)
        small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        # `resize` rounds the new size to whole pixels.
        scale = np.array(small.shape[1::-1]) / np.array(image.shape[1::-1])
        matrix = scale[:, None] * matrix
        offset = (offset - begin + 0.5) * scale - 0.5
        image = np.asarray(small, dtype=np.uint8)
    tile = cv2.warpAffine(
        image,
        np.column_stack([matrix, offset]),
        (tile_px, tile_px),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(tile, dtype=np.uint8)


def _part_around(
    image: Image, matrix: _Floats, offset: _Floats, tile_px: int
) -> tuple[Image, _Floats]:
    """Return the part of the picture in which a tile lies, and its first pixel."""
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * (tile_px - 1.0) @ matrix.T + offset
    size_wh = np.array(image.shape[1::-1])
    begin = np.clip(np.floor(corners.min(axis=0)) - 2, 0, size_wh - 1).astype(int)
    end = np.clip(np.ceil(corners.max(axis=0)) + 3, begin + 1, size_wh).astype(int)
    return image[begin[1] : end[1], begin[0] : end[0]], begin.astype(np.float64)
