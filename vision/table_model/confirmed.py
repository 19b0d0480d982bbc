# SPDX-License-Identifier: MIT
"""Throws whose dice somebody confirmed: what a table learns from, and how they are stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vision.face import Face
from vision.frame import Image
from vision.image_files import decode_picture
from vision.reading import Point
from vision.table_model.background import MOST_RESTS, Mask, dice_mask, shrink
from vision.tile_verdicts import Candidate
from vision.tray_crop import Rectangle, paste_into_frame
from vision.tray_map import TrayMap

# How far the centre of a confirmed die's face may be from the confirmed position, in edges.
_ON_DIE_EDGES = 0.35


@dataclass(frozen=True, slots=True)
class ConfirmedDie:
    number: int
    center_px: Point  # Centre of the upper face, in pixels of the picture.


@dataclass(frozen=True, slots=True, eq=False)
class ConfirmedThrow:
    """A rest with all its dice confirmed."""

    image: Image  # The small copy of its picture, as `shrink` makes it.
    dice: Mask  # Which of its pixels belong to dice.
    faces: tuple[Face, ...]  # The upper faces, in pixels of the full picture.
    # The highest odds that one of its dice leans, as a natural logarithm.
    odds: float = -np.inf
    unread: int = 0  # How many of its dice are not read as they were confirmed.

    @classmethod
    def of(
        cls,
        image_bgr: Image,
        faces: Sequence[Face],
        tray: TrayMap,
        *,
        odds: float = -np.inf,
        unread: int = 0,
    ) -> ConfirmedThrow:
        small = shrink(image_bgr)
        return cls(small, dice_mask(small, faces, tray), tuple(faces), odds, unread)


def match_confirmed(
    candidates: Sequence[Candidate], dice: Sequence[ConfirmedDie]
) -> list[Candidate] | None:
    """Return the candidates that are confirmed dice, in their order; `None` if one is missing."""
    found = []
    for die in dice:
        center = np.array(die.center_px)
        near = [one for one in candidates if one.face.edges_from(center) < _ON_DIE_EDGES]
        if not near:
            return None
        found.append(max(near, key=lambda one: (one.verdict.number == die.number, one.verdict.die)))
    return found


MOST_TAUGHT = 20  # Throws that somebody confirmed die by die: the newest ones.

Confirm = Callable[[Image, Sequence[ConfirmedDie]], ConfirmedThrow | None]
"""Finds confirmed dice in a frame, such as `Reader.confirm`."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A stored picture with all its dice confirmed."""

    picture: str  # SHA-256 of the picture, a JPEG, in hexadecimal.
    crop_px: Rectangle  # The part of the frame that it shows.
    frame_wh: tuple[int, int]  # Width and height of that frame.
    dice: tuple[ConfirmedDie, ...]  # All dice in it, in pixels of the frame.

    def confirm(self, content: bytes, confirm: Confirm) -> ConfirmedThrow | None:
        """
        Return the throw in the picture; `None` if one of the dice is not seen there.

        Raises:
            PictureError: It is no whole picture.
            ValueError: It does not fit into its frame, or can't be one of the calibrated view.
        """
        picture = decode_picture(content, Path(self.picture))
        return confirm(paste_into_frame(picture, self.crop_px, self.frame_wh), self.dice)


@dataclass(frozen=True, slots=True)
class Lessons:
    """
    The stored pictures that a model was learnt from, the oldest first: anybody can learn it again.

    Throws that somebody confirmed die by die teach the limits. Rolls that stood in play add only to
    the ground, the feet, the size and the colours. So what play accepted never widens what play
    accepts.
    """

    # Throws whose dice somebody confirmed one by one, at most `MOST_TAUGHT`.
    taught: tuple[Lesson, ...] = ()
    played: tuple[Lesson, ...] = ()  # Rolls that stood in play, at most `MOST_RESTS`.

    def with_taught(self, throws: Sequence[Lesson]) -> Lessons:
        """Return the lessons with more confirmed throws; the oldest ones make room."""
        return replace(self, taught=(*self.taught, *throws)[-MOST_TAUGHT:])

    def with_played(self, rolls: Sequence[Lesson]) -> Lessons:
        """Return the lessons with more rolls of play; the oldest ones make room."""
        return replace(self, played=(*self.played, *rolls)[-MOST_RESTS:])
