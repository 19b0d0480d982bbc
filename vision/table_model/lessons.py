# SPDX-License-Identifier: MIT
"""
The stored pictures that a table learnt from, so that anybody can learn the same again.

Some were confirmed by somebody who looked at each die: they teach the limits. Rolls that stood in
play add only to the ground, the feet, the size and the colours. So what play accepted never
widens what play accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from vision.frame import Image
from vision.image_files import decode_picture
from vision.table_model.background import MOST_RESTS
from vision.table_model.confirmed import ConfirmedDie, ConfirmedThrow
from vision.tray_crop import Rectangle, paste_into_frame

MOST_TAUGHT = 20
"""Throws that somebody confirmed die by die: the newest ones."""

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
    """All that one model was learnt from, the oldest first."""

    # Throws whose dice somebody confirmed one by one, at most `MOST_TAUGHT`.
    taught: tuple[Lesson, ...] = ()
    played: tuple[Lesson, ...] = ()  # Rolls that stood in play, at most `MOST_RESTS`.

    def with_taught(self, throws: Sequence[Lesson]) -> Lessons:
        """Return the lessons with more confirmed throws; the oldest ones make room."""
        return replace(self, taught=(*self.taught, *throws)[-MOST_TAUGHT:])

    def with_played(self, rolls: Sequence[Lesson]) -> Lessons:
        """Return the lessons with more rolls of play; the oldest ones make room."""
        return replace(self, played=(*self.played, *rolls)[-MOST_RESTS:])
