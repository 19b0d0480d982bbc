# SPDX-License-Identifier: MIT
"""
Patches from which the net learns whether a die lies flat, and the tiles cut from them.

Each shows a die's body where a flat die would be, square on the felt. Tiles are cut with
small errors, and the expected foot is off as it is with a real calibration.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from vision.checks.flatness import BODY_PX, cut_flat, draw_flat
from vision.frame import Image
from vision.tiles import TILE_PX, cut_tiles
from vision.training.augment import augment_image
from vision.training.labels import SceneLabels
from vision.training.scenes import DieState

FLAT_PATCH_PX = 112
"""Side of a patch."""

_EDGE_PX = 32
"""A die's edge in a patch."""

_LEANS_FROM_DEG = 8.0
_LEAST_EDGE_PX = 12.0
_SEEN_ENOUGH = 0.9
_OFF, _TURN_DEG, _SIZE = 0.03, 3.0, 0.05
"""Errors of a cut: in edges, in degrees and as a logarithm."""

_SHEAR = 0.02
_DOWN_OFF = (0.01, 0.08)
"""How far off the expected foot of a flat die may be, in edges: usual errors, least and most."""


@dataclass(frozen=True, slots=True, eq=False)
class FlatPatches:
    """
    Patches as arrays.

    Attributes:
        bodies_bgr: (n, 112, 112, 3), uint8.
        downs: From the middle of the upper face to where a flat die's foot is, in edges, (n, 2).
        lean: Whether the die leans, (n,).
    """

    bodies_bgr: Image
    downs: NDArray[np.float32]
    lean: NDArray[np.bool_]


def cut_flat_patches(image_bgr: Image, labels: SceneLabels) -> FlatPatches:
    """Cut the dice of a scene that lie flat, and those that lean by enough."""
    leans = labels.has_state(DieState.COCKED) & (labels.tilts_deg >= _LEANS_FROM_DEG)
    known = (labels.has_state(DieState.FLAT) | leans) & (labels.visible >= _SEEN_ENOUGH)
    which = np.flatnonzero(known & (labels.edges_px >= _LEAST_EDGE_PX))
    cuts = cut_flat(
        labels.centers[which],
        labels.half_edges[which],
        labels.flat_axes[which],
        labels.flat_feet[which] - labels.centers[which],
    )
    return FlatPatches(
        cut_tiles(
            image_bgr, cuts.centers, cuts.half_edges, tile_px=FLAT_PATCH_PX, face_px=_EDGE_PX
        ),
        cuts.downs.astype(np.float32),
        leans[which],
    )


def join_flat_patches(parts: list[FlatPatches]) -> FlatPatches:
    """Return all patches, one after the other."""
    names = [field.name for field in fields(FlatPatches)]
    return FlatPatches(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def draw_flat_batch(
    patches: FlatPatches, which: NDArray[np.int64], rng: np.random.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """
    Draw one tile from each of these patches.

    Returns:
        The tiles with their fourth channels, (n, 4, 64, 64), and whether the dice lean, (n,).
    """
    tiles = np.empty((len(which), TILE_PX, TILE_PX, 4), np.uint8)
    for tile, index in zip(tiles, which, strict=True):
        matrix = _draw_cut(rng)
        step = matrix * (_EDGE_PX / BODY_PX)
        first = (FLAT_PATCH_PX - 1) / 2.0 - step.sum(axis=1) * (TILE_PX - 1) / 2.0
        cut = cv2.warpAffine(
            patches.bodies_bgr[index],
            np.column_stack([step, first + rng.normal(0.0, _OFF, 2) * _EDGE_PX]),
            (TILE_PX, TILE_PX),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        tile[..., :3] = augment_image(np.asarray(cut, np.uint8), rng, coarsen=0.35)
        off = rng.normal(0.0, np.exp(rng.uniform(*np.log(_DOWN_OFF))), 2)
        tile[..., 3] = draw_flat(np.linalg.solve(matrix, patches.downs[index] + off))
    return (
        torch.from_numpy(tiles).permute(0, 3, 1, 2).float(),
        torch.from_numpy(patches.lean[which].astype(np.float32)),
    )


def _draw_cut(rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw a map from tile to patch: any quarter turn, mirrored or not, with small errors."""
    turn = rng.integers(4) * np.pi / 2 + np.deg2rad(rng.normal(0.0, _TURN_DEG))
    cosine, sine = np.cos(turn), np.sin(turn)
    turned = np.array([[cosine, -sine], [sine, cosine]]) * np.exp(rng.normal(0.0, _SIZE))
    mirror = np.diag([rng.choice([-1.0, 1.0]), 1.0])
    return np.asarray(mirror @ turned @ (np.eye(2) + rng.normal(0.0, _SHEAR, (2, 2))))
