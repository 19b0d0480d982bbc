# SPDX-License-Identifier: MIT
"""
Patches from which the net learns whether a die lies flat.

Each shows a die's body where a flat die would be, square on the felt.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.checks.flatness import cut_flat
from vision.frame import Image
from vision.tiles import cut_tiles
from vision.training.labels import SceneLabels
from vision.training.scenes import DieState

FLAT_PATCH_PX = 112  # Side of a patch.
FLAT_EDGE_PX = 32  # A die's edge in a patch.

_LEANS_FROM_DEG = 8.0
_LEAST_EDGE_PX = 12.0
_SEEN_ENOUGH = 0.9


@dataclass(frozen=True, slots=True, eq=False)
class FlatPatches:
    """Patches as arrays."""

    bodies_bgr: Image  # (n, 112, 112, 3), uint8.
    downs: NDArray[np.float32]  # From the upper middle to a flat die's foot, in edges, (n, 2).
    lean: NDArray[np.bool_]  # Whether the die leans, (n,).


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
            image_bgr, cuts.centers, cuts.half_edges, tile_px=FLAT_PATCH_PX, face_px=FLAT_EDGE_PX
        ),
        cuts.downs.astype(np.float32),
        leans[which],
    )
