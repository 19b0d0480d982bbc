# SPDX-License-Identifier: MIT
"""A rendered scene: the picture, and the truth about its dice."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from vision.frame import Image


class DieState(Enum):
    """How a die rests; only a flat one may be read."""

    FLAT = "flat"
    COCKED = "cocked"
    STACKED = "stacked"
    UNDER = "under"
    CUT_OFF = "cut off"


@dataclass(frozen=True, slots=True, eq=False)
class TrueDie:
    """The truth about one die."""

    face: int  # The number up, 1 to 6; for a cocked die, the one that faces up most.
    state: DieState
    is_light: bool  # Whether the body is lighter than its pips.
    colour: str  # The body's colour in one word.
    # Corners of the upper face, (4, 2), clockwise in the picture, in picture pixels (0, 0 is
    # the middle of the first pixel). They are those of the cube without rounding, and may be
    # hidden or outside the picture.
    quad_px: NDArray[np.float64]
    foot_px: NDArray[np.float64]  # Middle of the face below, (2,), as if seen through the die.
    # Two columns: how far one edge along each axis of the felt reaches in the picture, at the
    # middle of the upper face, (2, 2).
    flat_axes_px: NDArray[np.float64]
    flat_foot_px: NDArray[np.float64]  # The same if the die lay flat, (2,).
    tilt_deg: float  # Angle between the upper face and the felt; 0 for a flat die.
    visible: float  # Visible share of the upper face, 0 to 1.
    contrast: float  # Grey levels between the body and its pips on the upper face, as lit.
    # Centers of the pips of the upper face in picture pixels, (face, 2), in any order, with those
    # that are cut off or hidden.
    pips_px: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RenderedScene:
    """One picture of a scene with its truth."""

    image_bgr: Image  # Shape (height, width, 3), uint8.
    dice: tuple[TrueDie, ...]  # All dice, also those that cannot be read.
    # The object of each pixel, (height, width) int16: 0 ground, shadow or rail, i + 1 for
    # `dice[i]`, -1 an object that is no die.
    owner: NDArray[np.int16]
    expect: int  # How many dice belong there; one less than there are if the doubt is `count`.
    # What was planted, `cocked`, `stacked`, `cut off` or `count`; `None` if every die is flat,
    # completely visible and can be read; of a crowd, seven of eight are.
    doubt: str | None
    seed: int
    # Outline of the foot of a dome over the dice, (n, 2); `None` without one.
    dome_px: NDArray[np.float64] | None = None
