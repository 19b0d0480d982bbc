# SPDX-License-Identifier: MIT
"""
Patches: the places of a scene that the tile nets learn from, with what is true of each.

A patch shows more than a tile does, upright and centred by the truth. Training cuts its tiles
out of patches, each time a little wrong in another way, as a finder is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.tiles import cut_tiles
from vision.training.cuts import NO_LESSON, NONE, Cuts, draw_cuts, name_cuts, pick
from vision.training.labels import HIDDEN, MOST_PIPS, Truth
from vision.training.scenes import DieState

PATCH_PX = 116
"""Side of a patch."""

PATCH_FACE_PX = 34
"""Edge of the face in a patch, in the middle."""

_LEAST_EDGE_PX = 9.0
_LEAST_CONTRAST = 10.0
_SEEN_ENOUGH = 0.6
_FOOT_SEEN = 0.9

_Floats32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """
    Patches side by side. Lengths are in edges of the face, from the patch's middle.

    Attributes:
        images_bgr: (n, 116, 116, 3), uint8.
        numbers: 1 to 6, 0 for "no upper face here", -1 where no number is taught, (n,).
        has_face: Whether an upper face lies exactly in the middle, (n,).
        odd: 1 for a die that is cocked, stacked, hidden or cut off, 0 for a flat one, NaN where
            there is no face, (n,).
        light: 1 where the body is lighter than the pips, 0 where not, NaN if unknown, (n,).
        feet: Where the centre of the face below is seen, (n, 2); NaN if unknown.
        pips: Where the pips of the upper face are, (n, 6, 2); NaN beyond the number.
    """

    images_bgr: Image
    numbers: NDArray[np.int64]
    has_face: NDArray[np.bool_]
    odd: _Floats32
    light: _Floats32
    feet: _Floats32
    pips: _Floats32


def draw_patches(
    image_bgr: Image, truth: Truth, owner: NDArray[np.int16], rng: np.random.Generator
) -> Patches:
    """
    Cut every die of a scene, and about as many places that are no upper face.

    Args:
        image_bgr: The scene's picture.
        truth: Its labels, in pixels of the picture.
        owner: Which object each pixel shows, as in a `Shot`.
        rng: Decides which places without a face are cut.
    """
    faces = face_patches(image_bgr, truth)
    cuts = draw_cuts(truth, owner, rng, times=2)
    empty = np.flatnonzero(name_cuts(cuts, truth) == NONE)
    most = 2 + len(faces.numbers)
    return join([faces, none_patches(image_bgr, pick(cuts, rng.permutation(empty)[:most]))])


def face_patches(image_bgr: Image, truth: Truth) -> Patches:
    """Cut the dice of a scene that are large enough to be learnt from."""
    which = np.flatnonzero((truth.edges_px >= _LEAST_EDGE_PX) & (truth.visible >= _SEEN_ENOUGH))
    return Patches(
        images_bgr=_cut(image_bgr, Cuts(truth.centers[which], truth.half_edges[which])),
        numbers=_numbers(truth)[which],
        has_face=np.ones(len(which), np.bool_),
        odd=truth.doubtful[which].astype(np.float32),
        light=truth.is_light[which].astype(np.float32),
        feet=np.where(
            (truth.visible[which] >= _FOOT_SEEN)[:, None],
            _in_edges(truth, which, truth.feet[which][:, None])[:, 0],
            np.float32(np.nan),
        ),
        pips=_in_edges(truth, which, truth.pips[which]),
    )


def none_patches(image_bgr: Image, cuts: Cuts) -> Patches:
    """Cut places that show no upper face."""
    count = len(cuts.centers)
    return Patches(
        images_bgr=_cut(image_bgr, cuts),
        numbers=np.zeros(count, np.int64),
        has_face=np.zeros(count, np.bool_),
        odd=np.full(count, np.nan, np.float32),
        light=np.full(count, np.nan, np.float32),
        feet=np.full((count, 2), np.nan, np.float32),
        pips=np.full((count, MOST_PIPS, 2), np.nan, np.float32),
    )


def join(parts: list[Patches]) -> Patches:
    """Return all patches, one after the other."""
    return Patches(
        images_bgr=np.concatenate([part.images_bgr for part in parts]),
        numbers=np.concatenate([part.numbers for part in parts]),
        has_face=np.concatenate([part.has_face for part in parts]),
        odd=np.concatenate([part.odd for part in parts]),
        light=np.concatenate([part.light for part in parts]),
        feet=np.concatenate([part.feet for part in parts]),
        pips=np.concatenate([part.pips for part in parts]),
    )


def _cut(image_bgr: Image, cuts: Cuts) -> Image:
    return cut_tiles(
        image_bgr, cuts.centers, cuts.half_edges, tile_px=PATCH_PX, face_px=PATCH_FACE_PX
    )


def _numbers(truth: Truth) -> NDArray[np.int64]:
    """Return the class of each face; that a die leans or lies on another no tile shows."""
    known = truth.lies(DieState.FLAT, DieState.STACKED) & (truth.visible >= 0.97)
    known &= (truth.contrast >= _LEAST_CONTRAST) & (truth.edges_px >= _LEAST_EDGE_PX)
    numbers = np.where(known, truth.faces, NO_LESSON)
    return np.where(truth.visible < HIDDEN, NONE, numbers)


def _in_edges(
    truth: Truth, which: NDArray[np.int64], points: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return points (k, m, 2) of the picture in edges of each face, along its own axes."""
    own = np.linalg.inv(2.0 * truth.half_edges[which])
    away = points - truth.centers[which][:, None]
    return np.asarray(np.einsum("kij,kmj->kmi", own, away), np.float32)
