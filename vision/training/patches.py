# SPDX-License-Identifier: MIT
"""
Patches of a scene, from which the tile nets learn, with their labels.

A patch shows more than a tile, upright and centred by the truth. Training cuts its tiles out of
patches with new random errors each time, like those of the finder.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.tiles import cut_tiles
from vision.training.cuts import Cuts, classify_cuts, draw_cuts, select_cuts
from vision.training.labels import LEAST_EDGE_PX, MOST_PIPS, NO_FACE, SceneLabels
from vision.training.records import join_records

PATCH_PX = 116  # Side of a patch.
PATCH_FACE_PX = 34  # Edge of the face in a patch, in the middle.

_SEEN_ENOUGH = 0.6
_FOOT_SEEN = 0.9

_NO_CUTS = Cuts(np.empty((0, 2)), np.empty((0, 2, 2)))

_Floats32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """Patches as arrays. Lengths are in edges of the face, from the patch's middle."""

    images_bgr: Image  # (n, 116, 116, 3), uint8.
    numbers: NDArray[np.int64]  # 1 to 6, 0 for no upper face, -1 if it is no target, (n,).
    has_face: NDArray[np.bool_]  # Whether an upper face is exactly in the middle, (n,).
    # 1 for a die that is cocked, stacked, hidden or cut off, 0 for a flat
    # one, NaN without a face, (n,).
    odd: _Floats32
    light: _Floats32  # 1 if the body is lighter than the pips, 0 if not, NaN if unknown, (n,).
    feet: _Floats32  # The centre of the face below, (n, 2); NaN if unknown.
    pips: _Floats32  # The pips of the upper face, (n, 6, 2); NaN beyond the number, or if unknown.

    @property
    def knows_pips(self) -> NDArray[np.bool_]:
        """Whether it is known where the pips of an upper face are, (n,)."""
        return np.asarray(np.isfinite(self.pips[:, 0]).all(axis=1))


def draw_patches(
    image_bgr: Image, labels: SceneLabels, owner: NDArray[np.int16], rng: np.random.Generator
) -> Patches:
    """Cut every die of a scene, and about as many positions without an upper face."""
    faces = cut_face_patches(image_bgr, labels)
    cuts = draw_cuts(labels, owner, rng, times=2)
    empty = np.flatnonzero(classify_cuts(cuts, labels) == NO_FACE)
    most = 2 + len(faces.numbers)
    return join_patches(
        [faces, cut_empty_patches(image_bgr, select_cuts(cuts, rng.permutation(empty)[:most]))]
    )


def cut_face_patches(image_bgr: Image, labels: SceneLabels) -> Patches:
    """Cut the dice of a scene that are large and visible enough."""
    which = np.flatnonzero((labels.edges_px >= LEAST_EDGE_PX) & (labels.visible >= _SEEN_ENOUGH))
    return Patches(
        images_bgr=_cut(image_bgr, Cuts(labels.centers[which], labels.half_edges[which])),
        numbers=labels.classes[which],
        has_face=np.ones(len(which), np.bool_),
        odd=labels.doubtful[which].astype(np.float32),
        light=labels.is_light[which].astype(np.float32),
        feet=np.where(
            (labels.visible[which] >= _FOOT_SEEN)[:, None],
            _in_edges(labels, which, labels.feet[which][:, None])[:, 0],
            np.float32(np.nan),
        ),
        pips=_in_edges(labels, which, labels.pips[which]),
    )


def cut_empty_patches(image_bgr: Image, cuts: Cuts) -> Patches:
    """Cut positions that show no upper face."""
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


def join_patches(parts: list[Patches]) -> Patches:
    parts = parts or [cut_empty_patches(np.zeros((1, 1, 3), np.uint8), _NO_CUTS)]
    return join_records(parts)


def _cut(image_bgr: Image, cuts: Cuts) -> Image:
    return cut_tiles(
        image_bgr, cuts.centers, cuts.half_edges, tile_px=PATCH_PX, face_px=PATCH_FACE_PX
    )


def _in_edges(
    labels: SceneLabels, which: NDArray[np.int64], points: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return points (k, m, 2) of the picture in edges of each face, along its own axes."""
    own = np.linalg.inv(2.0 * labels.half_edges[which])
    away = points - labels.centers[which][:, None]
    return np.asarray(np.einsum("kij,kmj->kmi", own, away), np.float32)
