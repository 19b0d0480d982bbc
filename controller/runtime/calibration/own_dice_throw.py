# SPDX-License-Identifier: MIT
"""
One throw of the owner's dice: what was read in its picture, and which doubts may be dice.

A doubt at which the reader sees no face cannot be given a number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.table.view.doubts import describe_doubt
from vision.face import Face
from vision.reading import Doubt, DoubtKind, Point, TrayReading
from vision.table_model.confirmed import ConfirmedDie, Lesson

ON_DIE_EDGES = 0.35  # A face belongs to a doubt if it is no further from its middle than this.

SAME_PLACE_EDGES = 0.25  # A die that moved less than this since the last throw was not thrown.

_NO_DIE = (DoubtKind.FOREIGN_OBJECT, DoubtKind.COUNT, DoubtKind.PLACED)


@dataclass(frozen=True, slots=True)
class ThrownFace:
    number: int  # 1 to 6 as read or corrected; 0: it is left out.
    read: int  # 1 to 6 as read; 0 where it was a doubt.
    doubt: str  # Why it was not read, in a sentence; empty where it was.
    center_px: Point  # Middle of the face in the picture.
    edge_px: float  # Length of its edge.


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw that waits for its confirmation."""

    faces: tuple[ThrownFace, ...]  # Its faces, from left to right.
    picture_wh: tuple[int, int]  # Size of its picture.

    def with_number(self, index: int, number: int) -> Throw:
        """Return the throw with another number, 0 for none, on a face; or IndexError."""
        if not 0 <= index < len(self.faces):
            raise IndexError(index)
        faces = list(self.faces)
        faces[index] = replace(faces[index], number=number)
        return replace(self, faces=tuple(faces))

    @classmethod
    def of(cls, lesson: Lesson) -> Throw:
        """Return a throw that was confirmed, without the faces that were left out."""
        faces = (ThrownFace(die.number, 0, "", die.center_px, 0.0) for die in lesson.dice)
        return cls(tuple(faces), lesson.frame_wh)

    @property
    def dice(self) -> tuple[ConfirmedDie, ...]:
        """The faces that have a number."""
        return tuple(
            ConfirmedDie(face.number, face.center_px) for face in self.faces if face.number
        )

    def has_same_positions(self, other: Throw) -> bool:
        """Compare the places of two throws: true if most dice lie where they lay."""
        same = sum(any(_is_at(face, before) for before in other.faces) for face in self.faces)
        return 2 * same > len(self.faces)


def build_throw(picture_wh: tuple[int, int], reading: TrayReading, seen: Sequence[Face]) -> Throw:
    """Return the throw that a picture shows; `seen` are its possible faces, the likeliest first."""
    faces = [ThrownFace(die.face, die.face, "", die.center_px, die.edge_px) for die in reading.dice]
    for doubt in reading.doubts:
        likely = _find_face(doubt, seen)
        if likely is not None and not any(_covers(face, likely) for face in faces):
            x, y = likely.center.tolist()
            text = describe_doubt(doubt.kind.value, doubt.text, (x, y))
            faces.append(ThrownFace(0, 0, text, (x, y), likely.edge_px))
    faces.sort(key=lambda face: face.center_px)
    return Throw(tuple(faces), picture_wh)


def _find_face(doubt: Doubt, seen: Sequence[Face]) -> Face | None:
    """Return the likeliest face in the middle of a doubt, if it can be about a die."""
    place = doubt.center_px
    if place is None or doubt.kind in _NO_DIE:
        return None
    return next((one for one in seen if _edges_off(one, place) < ON_DIE_EDGES), None)


def _edges_off(face: Face, place: Point) -> float:
    return math.dist(face.center.tolist(), place) / max(face.edge_px, 1.0)


def _covers(face: ThrownFace, seen: Face) -> bool:
    return math.dist(face.center_px, seen.center.tolist()) < 0.5 * face.edge_px


def _is_at(face: ThrownFace, before: ThrownFace) -> bool:
    return math.dist(face.center_px, before.center_px) < SAME_PLACE_EDGES * face.edge_px
