# SPDX-License-Identifier: MIT
"""
Cut proposed top faces out of the picture, each upright and square in a small tile.

Here the two opinions part: both get the very same tile, in which a face lies in the
same place and size whatever its turn, tilt and size in the picture, and share
nothing after it. The tile reaches beyond the face, so that its edges and what lies
around are in it too.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

TILE_PX = 80
"""Side of a tile."""

FACE_PX = 48
"""Edge of the proposed face in its tile, in the middle."""

_Floats = NDArray[np.float64]
# Up to this many picture pixels a tile pixel, interpolation alone makes no moiré.
_PLAIN_UP_TO = 1.4


def cut_tiles(image_bgr: Image, centers: _Floats, half_edges: _Floats) -> Image:
    """
    Cut faces out.

    Args:
        image_bgr: Shape (height, width, 3), uint8.
        centers: Middles of the faces in picture pixels, (n, 2).
        half_edges: For each face two columns, from its middle to the middles of two
            neighbouring sides, in picture pixels, (n, 2, 2).

    Returns:
        The tiles, shape (n, 80, 80, 3). The x axis of a tile runs along the first half edge;
        beyond the picture's border its last pixels go on.
    """
    tiles = np.empty((len(centers), TILE_PX, TILE_PX, 3), np.uint8)
    for tile, center, halves in zip(tiles, centers, half_edges, strict=True):
        tile[:] = _cut(image_bgr, center, halves)
    return tiles


def to_picture(center: _Floats, half_edges: _Floats) -> tuple[_Floats, _Floats]:
    """
    Return how a tile lies in the picture.

    Args:
        center: Middle of the face in picture pixels, (2,).
        half_edges: As for `cut_tiles`, of one face, (2, 2).

    Returns:
        A matrix (2, 2) and an offset (2,): picture pixel = matrix @ tile pixel + offset.
    """
    matrix = half_edges / (FACE_PX / 2.0)
    return matrix, center - matrix @ np.full(2, (TILE_PX - 1) / 2.0)


def _cut(image: Image, center: _Floats, half_edges: _Floats) -> Image:
    matrix, offset = to_picture(center, half_edges)
    shrink = 1.0 / max(float(np.sqrt(abs(np.linalg.det(matrix)))), 1e-3)
    if shrink < 1.0 / _PLAIN_UP_TO:
        image, begin = _around(image, matrix, offset)
        small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        # What the resize did, to whole pixels: it rounds the new size.
        scale = np.array(small.shape[1::-1]) / np.array(image.shape[1::-1])
        matrix = scale[:, None] * matrix
        offset = (offset - begin + 0.5) * scale - 0.5
        image = np.asarray(small, dtype=np.uint8)
    tile = cv2.warpAffine(
        image,
        np.column_stack([matrix, offset]),
        (TILE_PX, TILE_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(tile, dtype=np.uint8)


def _around(image: Image, matrix: _Floats, offset: _Floats) -> tuple[Image, _Floats]:
    """The part of the picture in which a tile lies, and its first pixel."""
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * (TILE_PX - 1.0) @ matrix.T + offset
    size_wh = np.array(image.shape[1::-1])
    begin = np.clip(np.floor(corners.min(axis=0)) - 2, 0, size_wh - 1).astype(int)
    end = np.clip(np.ceil(corners.max(axis=0)) + 3, begin + 1, size_wh).astype(int)
    return image[begin[1] : end[1], begin[0] : end[0]], begin.astype(np.float64)
