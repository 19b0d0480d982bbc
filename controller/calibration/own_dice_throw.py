# SPDX-License-Identifier: MIT
"""
One throw of the owner's dice: what was read in its picture, and the tiles of the faces.

The tiles are cut from the reader's own proposals, so that a confirmed face and a doubted one of
another picture are cut alike. A doubt without a proposal cannot be given a number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from controller.table.view.doubts import describe_doubt
from vision.frame import Image
from vision.nets.finder import Proposal
from vision.own_dice.known_faces import KnownFace
from vision.reading import DieReading, Doubt, DoubtKind, Point, TrayReading
from vision.tiles import cut_tiles

ON_DIE_EDGES = 0.35
"""A proposal belongs to a die if it is no further from its middle than this."""

SAME_PLACE_EDGES = 0.25
"""A die that moved less than this since the last throw was not thrown."""

_NO_DIE = (DoubtKind.FOREIGN_OBJECT, DoubtKind.COUNT, DoubtKind.PLACED)


@dataclass(frozen=True, slots=True, eq=False)
class ThrownFace:
    """
    A face in the picture of a throw.

    Attributes:
        number: 1 to 6 as read or corrected; 0: it is left out.
        read: 1 to 6 as read; 0 where it was a doubt.
        doubt: Why it was not read, in a sentence; empty where it was.
        center_px: Middle of the face in the picture.
        edge_px: Length of its edge.
        tile: Its tile, as `cut_tiles` makes it.
    """

    number: int
    read: int
    doubt: str
    center_px: Point
    edge_px: float
    tile: Image


@dataclass(frozen=True, slots=True, eq=False)
class Throw:
    """
    A throw that waits for its confirmation.

    Attributes:
        faces: Its faces, from left to right.
        picture_wh: Size of its picture.
    """

    faces: tuple[ThrownFace, ...]
    picture_wh: tuple[int, int]

    def with_number(self, index: int, number: int) -> Throw:
        """
        Return the throw with another number on one face; 0 leaves it out.

        Raises:
            IndexError: There is no such face.
        """
        if not 0 <= index < len(self.faces):
            raise IndexError(index)
        faces = list(self.faces)
        faces[index] = replace(faces[index], number=number)
        return replace(self, faces=tuple(faces))

    def known_faces(self) -> list[KnownFace]:
        """Return the faces that have a number."""
        return [KnownFace.from_tile(face.tile, face.number) for face in self.faces if face.number]

    def has_same_positions(self, other: Throw) -> bool:
        """Compare the places of two throws: true if most dice lie where they lay."""
        same = sum(any(_is_at(face, before) for before in other.faces) for face in self.faces)
        return 2 * same > len(self.faces)


def build_throw(image_bgr: Image, reading: TrayReading, proposals: Sequence[Proposal]) -> Throw:
    """
    Return the throw that a picture shows.

    Args:
        image_bgr: Shape (height, width, 3), uint8.
        reading: What was read in it.
        proposals: Where the reader's first stage proposes faces in it.
    """
    faces = [_read_face(image_bgr, die, proposals) for die in reading.dice]
    for doubt in reading.doubts:
        proposal = _proposal_at(doubt, proposals)
        if proposal is not None and not any(_covers(face, proposal) for face in faces):
            faces.append(_doubted_face(image_bgr, doubt, proposal))
    faces.sort(key=lambda face: face.center_px)
    return Throw(tuple(faces), (image_bgr.shape[1], image_bgr.shape[0]))


def _read_face(image: Image, die: DieReading, proposals: Sequence[Proposal]) -> ThrownFace:
    near = [one for one in proposals if _edges_off(one, die.center_px) < ON_DIE_EDGES]
    if near:
        best = max(near, key=lambda one: one.likeness)
        tile = _tile(image, best.center, best.half_edges)
    else:
        corners = np.array(die.corners_px)
        along = (corners[1] - corners[0] + corners[2] - corners[3]) / 4.0
        down = (corners[3] - corners[0] + corners[2] - corners[1]) / 4.0
        tile = _tile(image, corners.mean(axis=0), np.column_stack([along, down]))
    return ThrownFace(die.face, die.face, "", die.center_px, die.edge_px, tile)


def _doubted_face(image: Image, doubt: Doubt, proposal: Proposal) -> ThrownFace:
    x, y = proposal.center.tolist()
    tile = _tile(image, proposal.center, proposal.half_edges)
    return ThrownFace(
        0, 0, describe_doubt(doubt.kind.value, doubt.text, (x, y)), (x, y), proposal.edge_px, tile
    )


def _proposal_at(doubt: Doubt, proposals: Sequence[Proposal]) -> Proposal | None:
    """Return the likeliest proposal in the middle of a doubt, if it can be about a die."""
    place = doubt.center_px
    if place is None or doubt.kind in _NO_DIE:
        return None
    near = [one for one in proposals if _edges_off(one, place) < ON_DIE_EDGES]
    return max(near, key=lambda one: one.likeness, default=None)


def _tile(image: Image, center: NDArray[np.float64], halves: NDArray[np.float64]) -> Image:
    return np.asarray(cut_tiles(image, center[None], halves[None])[0], np.uint8)


def _edges_off(proposal: Proposal, place: Point) -> float:
    x, y = proposal.center.tolist()
    return math.dist((x, y), place) / max(proposal.edge_px, 1.0)


def _covers(face: ThrownFace, proposal: Proposal) -> bool:
    x, y = proposal.center.tolist()
    return math.dist(face.center_px, (x, y)) < 0.5 * face.edge_px


def _is_at(face: ThrownFace, before: ThrownFace) -> bool:
    return math.dist(face.center_px, before.center_px) < SAME_PLACE_EDGES * before.edge_px
