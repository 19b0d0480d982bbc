# SPDX-License-Identifier: MIT
"""
Cuts of a scene for the tile nets, and their classes.

Cuts come from three sources: faces cut with errors, positions without an upper face, and the
finder's proposals. One rule classifies them all, by their error to the true faces. Cuts between
right and wrong are not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.nets.face_encoding import rotations
from vision.training.labels import NO_FACE, NOT_TAUGHT, SceneLabels
from vision.training.records import join_records

_Floats = NDArray[np.float64]

_NEAR, _FAR = 0.26, 0.6
"""Largest error of a good cut's middle in half edges, and least error of a wrong one."""

_SIZES, _WRONG_SIZES = (0.8, 1.25), (0.62, 1.6)
_MOST_SHEAR = 1.3

_BODY_REACH = 1.8  # Largest extent of a die's body from the middle of its upper face, in edges.
_LEAST_SEEN = 0.35  # Least cosine between a visible side's outward direction and downwards.

_LEAST_FIT = 0.8
"""Least overlap of upper and lower face with a die's pixels for its sides to be known."""


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """Cuts with middles (n, 2) and half edges (n, 2, 2), in pixels of the scene."""

    centers: _Floats
    half_edges: _Floats


class UpperFace(Protocol):
    """A proposal or a face that was read: its centre (2,) and its half edges (2, 2)."""

    @property
    def center(self) -> _Floats: ...

    @property
    def half_edges(self) -> _Floats: ...


def classify_cuts(cuts: Cuts, labels: SceneLabels) -> NDArray[np.int64]:
    """Return the class of every cut, or `NOT_TAUGHT`."""
    names = np.full(len(cuts.centers), NO_FACE, np.int64)
    if not len(labels.centers):
        return names
    known = np.linalg.inv(labels.half_edges)
    apart = cuts.centers[:, None] - labels.centers[None]
    off = np.linalg.norm(np.einsum("dij,cdj->cdi", known, apart), axis=2)
    relation = np.einsum("dij,cjk->cdik", known, cuts.half_edges)
    fits, misses = judge_errors(off, relation, near=_NEAR, far=_FAR)
    some = np.flatnonzero(~misses.all(axis=1))
    nearest = np.where(misses, np.inf, off)[some].argmin(axis=1)
    names[some] = np.where(fits[some, nearest], labels.classes[nearest], NOT_TAUGHT)
    return names


def judge_errors(
    off: _Floats, change: _Floats, *, near: float, far: float
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which cuts show a face that is so far off and changed (2, 2), and which do not."""
    stretch = np.linalg.svd(change, compute_uv=False)
    size = np.sqrt(stretch.prod(axis=-1))
    shear = stretch[..., 0] / np.maximum(stretch[..., 1], 1e-6)
    fits = (off <= near) & (size >= _SIZES[0]) & (size <= _SIZES[1]) & (shear <= _MOST_SHEAR)
    return fits, (off >= far) | (size <= _WRONG_SIZES[0]) | (size >= _WRONG_SIZES[1])


def cuts_of(faces: Sequence[UpperFace]) -> Cuts:
    return Cuts(
        np.array([face.center for face in faces]).reshape(-1, 2),
        np.array([face.half_edges for face in faces]).reshape(-1, 2, 2),
    )


def select_cuts(cuts: Cuts, which: NDArray[np.bool_] | NDArray[np.int64]) -> Cuts:
    return Cuts(cuts.centers[which], cuts.half_edges[which])


def draw_cuts(labels: SceneLabels, owner: NDArray[np.int16], rng: Generator, *, times: int) -> Cuts:
    """
    Draw `times` cuts of each face, and about as many of positions without one; `owner` is as in a
    scene.
    """
    again = np.repeat(np.arange(len(labels.centers)), times)
    faces = Cuts(labels.centers[again], labels.half_edges[again])
    drawn = [_cut_badly(faces, rng)]
    if len(again):
        wrong = select_cuts(faces, rng.permutation(len(again))[: (len(again) + 1) // 2])
        drawn += [
            _cut_wrongly(wrong, rng),
            _cut_side_faces(labels, owner, rng),
            _cut_between(labels, rng),
        ]
    drawn.append(_cut_anywhere(labels, owner, rng, count=2 + times))
    return join_records(drawn)


def _cut_badly(faces: Cuts, rng: Generator) -> Cuts:
    """Return cuts with a finder's errors: turned, a little off, scaled, sheared."""
    count = len(faces.centers)
    off = rng.uniform(-1, 1, (count, 2)) * rng.uniform(0, 0.22, (count, 1))
    size = np.exp(rng.normal(0.0, 0.09, (count, 1, 1))).clip(0.8, 1.25)
    shear = np.eye(2) + rng.normal(0.0, 0.04, (count, 2, 2))
    # Mostly upright like the finder's proposals; the rest with any turn.
    turn = rng.integers(0, 4, count) * np.pi / 2 + np.deg2rad(rng.normal(0.0, 6.0, count))
    turn = np.where(rng.random(count) < 0.2, rng.uniform(0, 2 * np.pi, count), turn)
    return _transform(faces, off, size * shear @ rotations(turn))


def _cut_wrongly(faces: Cuts, rng: Generator) -> Cuts:
    """Return wrong cuts: off the middle, too large, too small, or one pip like a one."""
    count = len(faces.centers)
    kind = rng.integers(0, 4, count)
    away = rng.uniform(0, 2 * np.pi, count)
    reach = np.select(
        [kind == 0, kind == 3],
        [rng.uniform(0.62, 1.4, count), rng.uniform(0.2, 0.75, count)],
        rng.uniform(0, 0.2, count),
    )
    off = np.column_stack([np.cos(away), np.sin(away)]) * reach[:, None]
    size = np.select(
        [kind == 0, kind == 1, kind == 2],
        [
            rng.uniform(0.8, 1.25, count),
            rng.uniform(1.62, 2.4, count),
            rng.uniform(0.4, 0.6, count),
        ],
        rng.uniform(0.25, 0.55, count),
    )
    return _transform(faces, off, size[:, None, None] * rotations(rng.uniform(0, 2 * np.pi, count)))


def _cut_side_faces(labels: SceneLabels, owner: NDArray[np.int16], rng: Generator) -> Cuts:
    """Return cuts of visible side faces, if the die's outline shows where they end."""
    centers, halves = [], []
    for index, (center, half_edges) in enumerate(
        zip(labels.centers, labels.half_edges, strict=True)
    ):
        reach = _BODY_REACH * labels.edges_px[index]
        begin = np.clip(np.rint(center - reach), 0, owner.shape[::-1]).astype(int)
        end = np.clip(np.rint(center + reach), 0, owner.shape[::-1]).astype(int)
        mask = owner[begin[1] : end[1], begin[0] : end[0]] == index + 1
        down = _find_down(center - begin, half_edges, mask)
        if down is None:
            continue
        first, second = half_edges.T
        for outward, along in (
            (first, second),
            (second, first),
            (-first, second),
            (-second, first),
        ):
            normal = outward - along * (outward @ along) / (along @ along)
            if normal @ down > _LEAST_SEEN * np.linalg.norm(normal) * np.linalg.norm(down):
                centers.append(center + outward + down / 2.0)
                halves.append(np.column_stack([along, down / 2.0]))
    faces = Cuts(np.reshape(centers, (-1, 2)), np.reshape(halves, (-1, 2, 2)))
    return _cut_badly(faces, rng)


def _find_down(center: _Floats, half_edges: _Floats, mask: NDArray[np.bool_]) -> _Floats | None:
    """Return the vector from the upper face to the lower one, or `None` if unknown."""
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return None
    edge = 2.0 * float(np.sqrt(abs(np.linalg.det(half_edges))))
    corners = center + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ half_edges.T
    pixels = np.column_stack([columns, rows]).astype(np.float64)
    local = np.abs(np.linalg.solve(half_edges, (pixels - center).T)).max(axis=0)
    beyond = pixels[local > 1.08]
    if len(beyond) < 0.08 * edge**2:
        return None
    down = beyond.mean(axis=0) - center
    down *= edge / np.linalg.norm(down)
    shares = np.arange(0.15, 0.95, 0.05)
    fits = [
        _measure_fit(np.concatenate([corners, corners + down * share]), mask) for share in shares
    ]
    best = int(np.argmax(fits))
    return down * float(shares[best]) if fits[best] > _LEAST_FIT else None


def _measure_fit(points: _Floats, mask: NDArray[np.bool_]) -> float:
    """Return how well the hull of points covers a mask, 0 to 1."""
    outline = np.zeros(mask.shape, np.uint8)
    hull = cv2.convexHull(np.rint(points).astype(np.int32))
    cv2.fillConvexPoly(outline, hull, 1)
    covered = outline > 0
    return float((mask & covered).sum() / (mask | covered).sum())


def _cut_between(labels: SceneLabels, rng: Generator) -> Cuts:
    count = len(labels.centers)
    if count < 2:
        return Cuts(np.empty((0, 2)), np.empty((0, 2, 2)))
    apart = np.linalg.norm(labels.centers[:, None] - labels.centers[None], axis=2)
    apart[np.diag_indices(count)] = np.inf
    other = apart.argmin(axis=1)
    near = apart[np.arange(count), other] < 2.0 * labels.edges_px
    middles = (labels.centers + labels.centers[other]) / 2.0
    return _cut_badly(Cuts(middles[near], labels.half_edges[near]), rng)


def _cut_anywhere(
    labels: SceneLabels, owner: NDArray[np.int16], rng: Generator, *, count: int
) -> Cuts:
    rows, columns = np.nonzero(owner == -1)
    centers = rng.uniform(0, 1, (count, 2)) * np.array(owner.shape[::-1])
    if len(rows):
        some = rng.integers(0, len(rows), (count + 1) // 2)
        centers[: len(some)] = np.column_stack([columns[some], rows[some]])
    edge = np.median(labels.edges_px) if len(labels.centers) else owner.shape[1] / 20.0
    size = edge / 2.0 * np.exp(rng.normal(0.0, 0.35, (count, 1, 1)))
    squeeze = np.eye(2) * np.stack([np.ones(count), rng.uniform(0.6, 1.0, count)], axis=1)[:, None]
    return Cuts(centers, size * squeeze @ rotations(rng.uniform(0, 2 * np.pi, count)))


def _transform(cuts: Cuts, off: _Floats, change: _Floats) -> Cuts:
    """Return cuts moved by `off` in their half edges, and changed in their own frame."""
    centers = cuts.centers + np.einsum("nij,nj->ni", cuts.half_edges, off)
    return Cuts(centers, cuts.half_edges @ change)
