# SPDX-License-Identifier: MIT
"""
The samples of the flatness net: tiles cut from patches, each with the outline of a flat die.

Tiles are cut with small errors, and the expected foot is off as it is with a real calibration.
"""

from __future__ import annotations

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray

from vision.checks.flatness import BODY_PX, draw_flat
from vision.tiles import TILE_PX
from vision.training.augment import augment_image
from vision.training.flat_patches import FLAT_EDGE_PX, FLAT_PATCH_PX, FlatPatches

_OFF, _TURN_DEG, _SIZE = 0.03, 3.0, 0.05
"""Errors of a cut: in edges, in degrees and as a logarithm."""

_SHEAR = 0.02
_DOWN_OFF = (0.01, 0.08)
"""How far off the expected foot of a flat die may be, in edges: usual errors, least and most."""


def draw_flat_batch(
    patches: FlatPatches, which: NDArray[np.int64], rng: Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """
    Draw one tile from each of these patches, with its fourth channel, (n, 4, 64, 64), and whether
    the dice lean, (n,).
    """
    tiles = np.empty((len(which), TILE_PX, TILE_PX, 4), np.uint8)
    for tile, index in zip(tiles, which, strict=True):
        matrix = _draw_cut(rng)
        step = matrix * (FLAT_EDGE_PX / BODY_PX)
        first = (FLAT_PATCH_PX - 1) / 2.0 - step.sum(axis=1) * (TILE_PX - 1) / 2.0
        cut = cv2.warpAffine(
            patches.bodies_bgr[index],
            np.column_stack([step, first + rng.normal(0.0, _OFF, 2) * FLAT_EDGE_PX]),
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


def _draw_cut(rng: Generator) -> NDArray[np.float64]:
    """Draw a map from tile to patch: any quarter turn, mirrored or not, with small errors."""
    turn = rng.integers(4) * np.pi / 2 + np.deg2rad(rng.normal(0.0, _TURN_DEG))
    cosine, sine = np.cos(turn), np.sin(turn)
    turned = np.array([[cosine, -sine], [sine, cosine]]) * np.exp(rng.normal(0.0, _SIZE))
    mirror = np.diag([rng.choice([-1.0, 1.0]), 1.0])
    return np.asarray(mirror @ turned @ (np.eye(2) + rng.normal(0.0, _SHEAR, (2, 2))))
