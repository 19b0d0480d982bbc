# SPDX-License-Identifier: MIT
"""
Tell for every pixel of a tile how unlike the face it is.

A face has one colour of its own, which light makes a little brighter towards one side. What
differs from that colour is a pip, a shine, or no face any more. How much it differs is told
without a sign: a drilled pip is dark on one side and mirrors the lamp on the other, and is one
spot all the same. Which way it differs is told beside it, because polarity and shine need that.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cutout import FACE_PX, TILE_PX
from vision.frame import Image

Singles = NDArray[np.float32]

MIDDLE_PX = (TILE_PX - 1) / 2.0
"""Where the middle of a tile is, in both directions."""

# The part of the proposed face that its light is learned from, and every how many pixels.
_SHARE, _STRIDE = 0.8, 3
# How often the face's light is fitted anew without what differs from it.
_ROUNDS = 3
# Colours nearer than this are the face's own whatever the tile, in levels.
_LEAST_SPREAD = 4.0
# How strongly the light is held to be even where few pixels tell of it.
_STIFFNESS = 0.02
# The part of the face, and the share of its pixels, beyond which pips differ no further.
_INNER_SHARE, _PIPS_PERCENT = 0.75, 99.0


@dataclass(frozen=True, slots=True)
class Unlike:
    """
    How tiles differ from their faces.

    Attributes:
        off: By how much, signed, blue green and red, in levels, (n, 80, 80, 3).
        much: The root mean square of the three, (n, 80, 80).
        reach: How much the clearest spots on each face differ, (n,).
    """

    off: Singles
    much: Singles
    reach: Singles


def see_unlike(tiles: Image) -> Unlike:
    """
    See what is unlike the face.

    Args:
        tiles: As `vision.cutout.cut_tiles` gives them, (n, 80, 80, 3).
    """
    colours = tiles.astype(np.float32)
    off = colours - _light_of(colours)
    much = _root_mean_square(off)
    inner = much[:, _INNER, _INNER].reshape(len(tiles), -1)
    reach = np.percentile(inner, _PIPS_PERCENT, axis=1).astype(np.float32)
    return Unlike(off, much, reach)


def _root_mean_square(off: Singles) -> Singles:
    """Over the three channels."""
    squared = cv2.transform(np.square(off).reshape(-1, TILE_PX, 3), np.full((1, 3), 1.0 / 3.0))
    return np.asarray(cv2.sqrt(squared), dtype=np.float32).reshape(off.shape[:3])


def _light_of(colours: Singles) -> Singles:
    """What every pixel would be if it were face: a plane in each channel."""
    samples = colours[:, _SAMPLED, _SAMPLED].reshape(len(colours), -1, 3)
    planes = np.zeros((len(colours), 3, 3), np.float32)
    planes[:, 0] = np.median(samples, axis=1)
    for _ in range(_ROUNDS):
        away = np.abs(samples - _SAMPLE_DESIGN @ planes).max(axis=2)
        spread = np.maximum(1.5 * np.median(away, axis=1), _LEAST_SPREAD)
        trust = 1.0 / (1.0 + (away / spread[:, None]) ** 4)
        weighted = trust[:, :, None] * _SAMPLE_DESIGN
        normal = weighted.transpose(0, 2, 1) @ _SAMPLE_DESIGN
        normal[:, (1, 2), (1, 2)] += _STIFFNESS * trust.sum(axis=1)[:, None]
        planes = np.linalg.solve(normal, weighted.transpose(0, 2, 1) @ samples)
    return np.asarray(_DESIGN @ planes, np.float32).reshape(colours.shape)


def _part(share: float, stride: int = 1) -> slice:
    """The pixels in the middle of a tile's side that are this share of the face's edge."""
    half = round(share * FACE_PX / 2.0)
    return slice(TILE_PX // 2 - half, TILE_PX // 2 + half, stride)


def _design(part: slice) -> Singles:
    """One, x and y of these pixels, x and y in half edges, (pixels, 3)."""
    along = (np.arange(TILE_PX)[part] - MIDDLE_PX) / (FACE_PX / 2.0)
    x, y = np.meshgrid(along, along)
    return np.stack([np.ones_like(x), x, y], axis=2).reshape(-1, 3).astype(np.float32)


_SAMPLED, _INNER = _part(_SHARE, _STRIDE), _part(_INNER_SHARE)
_SAMPLE_DESIGN, _DESIGN = _design(_SAMPLED), _design(slice(None))
