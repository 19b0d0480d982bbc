# SPDX-License-Identifier: MIT
"""
Cut a face out of the picture so that it lies upright and square in a small patch.

Whoever judges a face (the pixel checks here, or any second opinion) sees every
face in the same place and size, whatever its turn, tilt and size in the picture.
The patch reaches beyond the face, so that its edges and what lies around are in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Image
from vision.geometry.pips import Floats

PATCH_PX = 54
"""Side of a patch."""

REACH_STEPS = 3.2
"""How far a patch reaches from the face's centre, in lattice steps."""

STEPS_PER_PIXEL = 2.0 * REACH_STEPS / PATCH_PX
"""Size of a patch's pixel, in lattice steps."""

_CENTRES = ((np.arange(PATCH_PX) + 0.5) / PATCH_PX * 2.0 - 1.0) * REACH_STEPS
GRID = np.stack(np.meshgrid(_CENTRES, _CENTRES), axis=2)
"""Place on the face of every pixel of a patch, in steps from its centre, (side, side, 2)."""


@dataclass(frozen=True, slots=True)
class Pyramid:
    """
    One picture in halving sizes, colour and contrast channel together.

    Attributes:
        levels: Pictures of four channels (blue, green, red, contrast), each half as large
            as the one before.
    """

    levels: tuple[Image, ...]

    @property
    def greys(self) -> list[Image]:
        """The contrast channel of every level."""
        return [np.asarray(cv2.extractChannel(level, 3), dtype=np.uint8) for level in self.levels]


def build_pyramid(image_bgr: Image, grey: Image, *, smallest_px: int) -> Pyramid:
    """Return the pyramid of a picture and its contrast channel, down to the given short side."""
    levels = [np.asarray(cv2.merge([image_bgr, grey]), dtype=np.uint8)]
    while min(levels[-1].shape[:2]) >= 2 * smallest_px:
        height, width = levels[-1].shape[:2]
        half = cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(half, dtype=np.uint8))
    return Pyramid(tuple(levels))


def cut_out(pyramid: Pyramid, center: Floats, axes: Floats) -> Image:
    """
    Cut one face out.

    Args:
        pyramid: The work picture.
        center: Centre of the face in work pixels, (2,).
        axes: Columns are the two lattice steps in work pixels, (2, 2).

    Returns:
        The patch, shape (54, 54, 4); its x axis runs along the first step.
    """
    step_px = float(np.sqrt(abs(np.linalg.det(axes))))
    per_pixel = step_px * STEPS_PER_PIXEL
    # The level whose pixels are about those of the patch, so that nothing aliases.
    depth = int(np.clip(np.floor(np.log2(max(per_pixel, 1.0)) + 0.3), 0, len(pyramid.levels) - 1))
    shrink = 0.5**depth
    to_level = np.empty((2, 3))
    to_level[:, :2] = axes * STEPS_PER_PIXEL * shrink
    corner = center - axes @ np.array([REACH_STEPS, REACH_STEPS]) * (1.0 - 1.0 / PATCH_PX)
    to_level[:, 2] = (corner + 0.5) * shrink - 0.5
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(
        pyramid.levels[depth], to_level, (PATCH_PX, PATCH_PX), flags=flags,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(patch, dtype=np.uint8)
