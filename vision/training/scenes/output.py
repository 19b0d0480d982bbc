# SPDX-License-Identifier: MIT
"""What the studio hands out: a picture, and everything that is true of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from vision.frame import Image


class DieState(Enum):
    """How a die lies there; only a flat one may be read."""

    FLAT = "flat"
    COCKED = "cocked"
    STACKED = "stacked"
    UNDER = "under"
    CUT_OFF = "cut off"


@dataclass(frozen=True, slots=True, eq=False)
class TrueDie:
    """
    What is true of one die.

    Attributes:
        face: The number up, 1 to 6; of a die that leans, the one that looks up most.
        state: How it lies there.
        is_light: Whether the body is lighter than its pips.
        colour: The body's colour in one word.
        quad_px: Corners of the upper face, (4, 2), clockwise in the picture, in picture
            pixels (0, 0 is the middle of the first pixel); of the whole cube's face, without
            its rounding, and also where the picture ends or another die hides it.
        foot_px: Middle of the face below it, (2,), as if the die could be seen through.
        tilt_deg: Angle between the upper face and the felt; 0 for one that lies flat.
        visible: Share of the upper face that is seen, 0 to 1.
        contrast: Grey levels between the body and its pips on the upper face, as lit.
        pips_px: Centers of the pips of the upper face in picture pixels, (face, 2), in any
            order; includes pips that are cut off or hidden.
    """

    face: int
    state: DieState
    is_light: bool
    colour: str
    quad_px: NDArray[np.float64]
    foot_px: NDArray[np.float64]
    tilt_deg: float
    visible: float
    contrast: float
    pips_px: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RenderedScene:
    """
    One picture of a scene with its truth.

    Attributes:
        image_bgr: Shape (height, width, 3), uint8.
        dice: All dice, those included that nobody could read.
        owner: Whose pixel it is, (height, width) int16: 0 ground, shadow or rail, i + 1 for
            `dice[i]`, -1 a thing that is no die.
        expect: How many dice belong there; one fewer than lie there where the doubt is `count`.
        doubt: What was planted, `cocked`, `stacked`, `cut off` or `count`; none where every
            die is flat, wholly seen and can be read.
        seed: What it was drawn from.
    """

    image_bgr: Image
    dice: tuple[TrueDie, ...]
    owner: NDArray[np.int16]
    expect: int
    doubt: str | None
    seed: int
