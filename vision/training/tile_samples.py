# SPDX-License-Identifier: MIT
"""
The samples of the tile nets: tiles cut from patches with random errors, and their targets.

A cut may be shifted, turned, scaled or sheared, as a finder's proposals are. The number is a
target while the cut fits its face. The true face is a target from farther away too, so that a bad
cut can be corrected. Everything is computed for a batch at once.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray

from vision.nets.face_encoding import UNIT_PX, encode_half_edges, rotations
from vision.nets.tile_net import HEAT_CELLS
from vision.tiles import FACE_PX, TILE_PX
from vision.training.augment import augment_image
from vision.training.cuts import judge_errors
from vision.training.labels import NO_FACE, NOT_TAUGHT
from vision.training.patches import PATCH_FACE_PX, PATCH_PX, Patches

_FITS, _MISSES = 0.13, 0.3
"""Up to how far off, in edges, a cut shows its face, and from how far off it does not."""

_BOX_OFF = 0.42  # How far off, in edges, a cut may be for the true face to be a target.

_HILL_CELLS = 1.1

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TileBatch:
    """One batch of n tiles and its targets."""

    tiles: torch.Tensor  # (n, 3, 64, 64), 0 to 255.
    numbers: torch.Tensor  # The class of each, -1 if it is not a target, (n,).
    heat: torch.Tensor  # Hills on the pips, (n, 32, 32), 1 on top.
    heat_counts: torch.Tensor  # Whether pips are targets, (n,), 0 or 1.
    offsets: torch.Tensor  # From a pip's cell to the pip, in cells, (n, 2, 32, 32), 0 off the pips.
    box: torch.Tensor  # The true face: centre off the middle in edges (2), shape (5), (n, 7).
    box_counts: torch.Tensor  # Whether it is a target, (n,).
    feet: torch.Tensor  # From its centre to its foot, in edges of the tile's axes, (n, 2).
    feet_count: torch.Tensor  # Whether they are targets, (n,).
    odd: torch.Tensor  # Whether it is cocked, stacked, hidden or cut off, (n,); NaN if no target.
    light: torch.Tensor  # Whether the body is lighter than the pips, (n,); NaN if no target.


def draw_batch(patches: Patches, which: NDArray[np.int64], rng: Generator) -> TileBatch:
    """Draw one tile from each of these patches, by their indices, (n,)."""
    matrix, offset = _draw_cuts(len(which), rng)
    inverse = np.linalg.inv(matrix)
    center = -np.einsum("nij,nj->ni", inverse, offset)
    numbers, fits = _classify_cuts(patches.numbers[which], matrix, offset)
    pips = np.einsum("nij,nmj->nmi", inverse, patches.pips[which] - offset[:, None])
    heat, offsets = _draw_pip_targets(pips)
    has_face = patches.has_face[which]
    off = np.linalg.norm(offset, axis=1)
    feet = np.einsum("nij,nj->ni", inverse, patches.feet[which].astype(np.float64))
    box_counts = has_face & (off < _BOX_OFF)
    shape = encode_half_edges(np.asarray(inverse * UNIT_PX))
    known_feet = np.isfinite(feet).all(axis=1) & box_counts
    unknown = np.where(fits & has_face, 0.0, np.nan)
    return TileBatch(
        tiles=_cut_tiles(patches.images_bgr[which], matrix, offset, rng),
        numbers=torch.from_numpy(numbers),
        heat=torch.from_numpy(heat),
        # A cut that shows half a face cannot teach which pips belong to it.
        heat_counts=_tensor(((numbers > NO_FACE) & patches.knows_pips[which]) | ~has_face),
        offsets=torch.from_numpy(offsets),
        box=_tensor(np.column_stack([center, shape])),
        box_counts=_tensor(box_counts),
        feet=_tensor(np.where(known_feet[:, None], feet, 0.0)),
        feet_count=_tensor(known_feet),
        odd=_tensor(patches.odd[which] + unknown),
        light=_tensor(patches.light[which] + unknown),
    )


def join_batches(parts: list[TileBatch]) -> TileBatch:
    names = [field.name for field in fields(TileBatch)]
    return TileBatch(*(torch.cat([getattr(part, name) for part in parts]) for name in names))


def _draw_cuts(count: int, rng: Generator) -> tuple[_Floats, _Floats]:
    """Draw maps from tile to patch, both in edges: matrices (n, 2, 2) and offsets (n, 2)."""
    turn = rng.integers(0, 4, count) * np.pi / 2 + np.deg2rad(rng.normal(0.0, 9.0, count))
    turn = np.where(rng.random(count) < 0.2, rng.uniform(0, 2 * np.pi, count), turn)
    size = np.exp(rng.normal(0.0, 0.1, count)).clip(0.72, 1.4)
    reach = rng.uniform(0, 0.14, count)
    is_wrong = rng.random(count)
    reach = np.where(is_wrong < 0.12, rng.uniform(0.1, 0.75, count), reach)
    size = np.where(is_wrong > 0.95, rng.choice([0.5, 1.75], count) * size, size)
    away = rng.uniform(0, 2 * np.pi, count)
    shear = np.eye(2) + rng.normal(0.0, 0.05, (count, 2, 2))
    mirror = np.tile(np.eye(2), (count, 1, 1))
    mirror[:, 0, 0] = rng.choice([-1.0, 1.0], count)
    offset = np.column_stack([np.cos(away), np.sin(away)]) * reach[:, None]
    return mirror @ rotations(turn) @ shear * size[:, None, None], offset


def _classify_cuts(
    numbers: NDArray[np.int64], matrix: _Floats, offset: _Floats
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the class of each cut, and whether it fits the patch's middle."""
    off = np.linalg.norm(offset, axis=1)
    fits, misses = judge_errors(off, matrix, near=_FITS, far=_MISSES)
    classes = np.where(fits, numbers, np.where(misses, NO_FACE, NOT_TAUGHT))
    return np.where(numbers == NO_FACE, NO_FACE, classes), fits


def _draw_pip_targets(pips: _Floats) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return hills on pips (n, m, 2), given in edges of the tile, and the offsets to them."""
    count = len(pips)
    heat = np.zeros((count, HEAT_CELLS, HEAT_CELLS), np.float32)
    offsets = np.zeros((count, 2, HEAT_CELLS, HEAT_CELLS), np.float32)
    places = pips * (FACE_PX / 2.0) + (HEAT_CELLS - 1) / 2.0
    cells = np.rint(places)
    inside = ((cells >= 0) & (cells < HEAT_CELLS)).all(axis=2)
    along = np.arange(HEAT_CELLS, dtype=np.float32)
    spread = np.float32(2 * _HILL_CELLS**2)
    near = np.exp(-np.square(along - cells[..., None].astype(np.float32)) / spread)
    near[~inside] = 0.0
    for which in range(pips.shape[1]):
        np.maximum(heat, near[:, which, 1, :, None] * near[:, which, 0, None, :], out=heat)
    tile, pip = np.nonzero(inside)
    columns, rows = cells[tile, pip].astype(int).T
    offsets[tile, :, rows, columns] = places[tile, pip] - cells[tile, pip]
    return heat, offsets


def _cut_tiles(
    images: NDArray[np.uint8], matrix: _Floats, offset: _Floats, rng: Generator
) -> torch.Tensor:
    """Return tiles (n, 3, 64, 64) cut from patches (n, 116, 116, 3), in other light."""
    steps = matrix * (PATCH_FACE_PX / FACE_PX)
    begin = offset * PATCH_FACE_PX + (PATCH_PX - 1) / 2.0 - steps.sum(axis=2) * (TILE_PX - 1) / 2.0
    tiles = np.empty((len(images), TILE_PX, TILE_PX, 3), np.uint8)
    for tile, image, step, first in zip(tiles, images, steps, begin, strict=True):
        cut = cv2.warpAffine(
            image,
            np.column_stack([step, first]),
            (TILE_PX, TILE_PX),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        tile[:] = augment_image(np.asarray(cut, np.uint8), rng, coarsen=0.35)
    return torch.from_numpy(tiles).permute(0, 3, 1, 2).float()


def _tensor(values: NDArray[np.generic]) -> torch.Tensor:
    return torch.from_numpy(np.asarray(values, np.float32))
