# SPDX-License-Identifier: MIT
"""Throws whose dice somebody confirmed: what a table learns from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.face import Face
from vision.frame import Image
from vision.reading import Point
from vision.table_model.background import Mask, dice_mask, shrink
from vision.tile_verdicts import Candidate
from vision.tray_map import TrayMap

# How far the centre of a confirmed die's face may be from the confirmed position, in edges.
_ON_DIE_EDGES = 0.35


@dataclass(frozen=True, slots=True)
class ConfirmedDie:
    """A die that somebody confirmed."""

    number: int
    center_px: Point  # Centre of the upper face, in pixels of the picture.


@dataclass(frozen=True, slots=True, eq=False)
class ConfirmedThrow:
    """A rest with all its dice confirmed."""

    image: Image  # The small copy of its picture, as `shrink` makes it.
    dice: Mask  # Which of its pixels belong to dice.
    faces: tuple[Face, ...]  # The upper faces, in pixels of the full picture.

    @classmethod
    def of(cls, image_bgr: Image, faces: Sequence[Face], tray: TrayMap) -> ConfirmedThrow:
        """
        Return the throw in a picture.

        Args:
            faces: The upper faces of all dice in it, with their feet.
        """
        small = shrink(image_bgr)
        return cls(small, dice_mask(small, faces, tray), tuple(faces))


def match_confirmed(
    candidates: Sequence[Candidate], dice: Sequence[ConfirmedDie]
) -> list[Face] | None:
    """Return the faces of confirmed dice among the candidates; `None` if one is not there."""
    faces = []
    for die in dice:
        center = np.array(die.center_px)
        near = [one for one in candidates if one.face.edges_from(center) < _ON_DIE_EDGES]
        if not near:
            return None
        best = max(near, key=lambda one: (one.verdict.number == die.number, one.verdict.die))
        faces.append(best.face)
    return faces
