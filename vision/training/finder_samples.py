# SPDX-License-Identifier: MIT
"""
The finder's samples: a crop of a scene, shrunk, mirrored and in other light, with its targets.

Dice are shrunk to all sizes that the finder must know. A crop's border may cut a die, which
trains dice that are cut off. In the targets a face's middle is a hill that grows with the die, so
that an error of one cell costs little. Dice that are too small, or neither clearly visible nor
hidden, do not count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.frame import Image
from vision.nets.face_encoding import encode_half_edges, face_roots
from vision.nets.heatmaps import CELL_PX
from vision.pyramid import halve
from vision.training.augment import augment_image
from vision.training.labels import SceneLabels, transform_labels

_Floats32 = NDArray[np.float32]

CROP_WH = (256, 192)  # Size of a crop in pixels, multiples of 16.
EDGES_PX = (7.5, 60.0)  # Edges of dice in the crops.

_BEYOND = 127
_SCALES = (0.4, 1.5)
_HALVED_FROM = 0.6  # Below this scale a picture is halved first, and interpolation does the rest.

LEAST_EDGE_PX = 6.0  # Dice with a smaller edge in the crop do not count.

MOST_EDGE_PX = 72.0
"""Above this edge the finder must find no face, so that it does not take a pip for a die."""

_HILL = 0.33  # Width of a hill in half edges of its die.
_LEAST_HILL_PX = 2.4  # The same in pixels at least.
_FOOT = 3.5  # Radius of a hill, in its widths.
_CORE = 0.5  # How far around its middle a face's shape counts, in half edges.


class Shown(IntEnum):
    """
    What a pixel shows. Of a photograph not everything is known.

    `NO_DIE` is ground or another object. `NO_CENTER` may be a part of a die, but no upper face has
    its centre there. `UNKNOWN` may be anything.
    """

    GROUND = 0
    DIE = 1
    OBJECT = 2
    NO_DIE = 3
    NO_CENTER = 4
    UNKNOWN = 5


@dataclass(frozen=True, slots=True, eq=False)
class FinderTarget:
    """The finder's targets for one crop of h by w cells."""

    heat: _Floats32  # Hills of proper and of odd faces, (2, h, w), 1 at the tops.
    counts: _Floats32  # Whether heat counts, (h, w), 0 or 1.
    shape: _Floats32  # Offset in cells to the middle and the five numbers of the shape, (7, h, w).
    weight: _Floats32  # How much the shape counts, (h, w); 0 off the faces.


@dataclass(frozen=True, slots=True, eq=False)
class FinderSample:
    """One sample."""

    image_bgr: Image  # The crop, uint8.
    target: FinderTarget  # The expected maps of faces.
    masks: _Floats32  # Share of die and of other object in every cell, (2, h, w).
    masks_count: _Floats32  # Whether these shares are known, (2, h, w), 0 or 1.


def draw_sample(
    image_bgr: Image, owner: NDArray[np.uint8], labels: SceneLabels, rng: Generator
) -> FinderSample:
    """Draw a sample from a scene, with what each of its pixels shows, a number of `Shown`."""
    scale = _draw_scale(image_bgr, labels, rng)
    while scale < _HALVED_FROM:
        image_bgr = halve(image_bgr)
        owner = owner[::2, ::2][: image_bgr.shape[0], : image_bgr.shape[1]]
        labels = transform_labels(labels, np.eye(2) / 2.0, np.full(2, -0.25))
        scale *= 2.0
    window_wh = np.maximum(np.rint(np.array(CROP_WH) / scale), 16).astype(int)
    begin = _draw_begin(image_bgr, labels, window_wh, rng)
    image = _cut_window(image_bgr, begin, window_wh, _BEYOND)
    image = np.asarray(cv2.resize(image, CROP_WH), dtype=np.uint8)
    masks = _make_masks(_cut_window(owner, begin, window_wh, Shown.GROUND))
    scales = np.array(CROP_WH) / window_wh
    labels = transform_labels(labels, np.diag(scales), (0.5 - begin) * scales - 0.5)
    image, masks, labels = _draw_mirrored(image, masks, labels, rng)
    target = build_target(labels, CROP_WH)
    target = replace(target, counts=target.counts * masks[4])
    return FinderSample(augment_image(image, rng), target, masks[:2], masks[2:4])


def _draw_scale(image: Image, labels: SceneLabels, rng: Generator) -> float:
    edges = labels.edges_px
    if not len(edges):
        return float(rng.uniform(0.3, 1.0))
    wanted = np.exp(rng.uniform(*np.log(EDGES_PX)))
    # The finder looks first at a copy as small as a crop, however large the picture is.
    least = min(_SCALES[0], CROP_WH[0] / max(image.shape[:2]))
    return float(np.clip(wanted / np.median(edges), least, _SCALES[1]))


def _make_masks(owner: NDArray[np.uint8]) -> NDArray[np.float32]:
    """
    Return what is known of every cell, (5, h, w).

    These are the shares of die and of other object, whether each of them is known, and whether it
    is known that no other upper face has its centre there.
    """
    cells_wh = CROP_WH[0] // CELL_PX, CROP_WH[1] // CELL_PX
    full = (
        owner == Shown.DIE,
        owner == Shown.OBJECT,
        owner >= Shown.NO_CENTER,
        owner >= Shown.NO_DIE,
        owner == Shown.UNKNOWN,
    )
    shares = [
        cv2.resize(one * np.uint8(255), cells_wh, interpolation=cv2.INTER_AREA) for one in full
    ]
    masks = np.stack(shares).astype(np.float32) / np.float32(255.0)
    masks[2:] = masks[2:] == 0.0
    return masks


def _draw_begin(
    image: Image, labels: SceneLabels, window_wh: NDArray[np.int_], rng: Generator
) -> NDArray[np.int_]:
    """Draw the first pixel of a window, which mostly shows a die."""
    size_wh = np.array(image.shape[1::-1])
    spare = size_wh - window_wh
    begin = rng.uniform(np.minimum(spare, 0), np.maximum(spare, 0) + 1e-6)
    if len(labels.centers) and rng.random() < 0.7:
        begin = labels.centers[rng.integers(len(labels.centers))] - rng.uniform(0, 1, 2) * window_wh
        begin = np.clip(begin, np.minimum(spare, 0), np.maximum(spare, 0))
    return np.rint(begin).astype(int)


def _cut_window(
    picture: NDArray[np.uint8], begin: NDArray[np.int_], size_wh: NDArray[np.int_], beyond: int
) -> NDArray[np.uint8]:
    out = np.full((size_wh[1], size_wh[0], *picture.shape[2:]), beyond, picture.dtype)
    first = np.maximum(begin, 0)
    last = np.minimum(begin + size_wh, picture.shape[1::-1])
    if (last > first).all():
        at = first - begin
        to = last - begin
        out[at[1] : to[1], at[0] : to[0]] = picture[first[1] : last[1], first[0] : last[0]]
    return out


def _draw_mirrored(
    image: Image, masks: NDArray[np.float32], labels: SceneLabels, rng: Generator
) -> tuple[Image, NDArray[np.float32], SceneLabels]:
    """Return everything mirrored at random; seldom upside down, as cameras see dice's fronts."""
    for axis, often in ((0, 0.5), (1, 0.25)):
        if rng.random() < often:
            image = np.flip(image, 1 - axis)
            masks = np.flip(masks, 2 - axis)
            matrix, offset = np.eye(2), np.zeros(2)
            matrix[axis, axis], offset[axis] = -1.0, CROP_WH[axis] - 1.0
            labels = transform_labels(labels, matrix, offset)
    return np.ascontiguousarray(image), np.ascontiguousarray(masks), labels


def build_target(labels: SceneLabels, size_wh: tuple[int, int]) -> FinderTarget:
    """Return the targets for a crop; its size is in multiples of 4 pixels."""
    columns, rows = size_wh[0] // CELL_PX, size_wh[1] // CELL_PX
    heat = np.zeros((2, rows, columns), np.float32)
    counts = np.ones((rows, columns), np.float32)
    shape = np.zeros((7, rows, columns), np.float32)
    weight = np.zeros((rows, columns), np.float32)
    target = FinderTarget(heat, counts, shape, weight)
    inside = ((labels.centers > -0.5) & (labels.centers < np.array(size_wh) - 0.5)).all(axis=1)
    odd = labels.doubtful | _find_cut_off(labels, size_wh)
    for index in np.flatnonzero(inside & (labels.edges_px <= MOST_EDGE_PX)):
        unclear = labels.edges_px[index] < LEAST_EDGE_PX or not (odd[index] or labels.proper[index])
        _add_face(target, labels, int(index), odd=bool(odd[index]), unclear=bool(unclear))
    return target


def _find_cut_off(labels: SceneLabels, size_wh: tuple[int, int]) -> NDArray[np.bool_]:
    """Return which faces reach beyond the crop by more than a tenth of their edge."""
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]).T * 0.8
    corners = labels.centers[:, None] + (labels.half_edges @ signs).transpose(0, 2, 1)
    beyond = (corners < -0.5) | (corners > np.array(size_wh) - 0.5)
    return np.asarray(beyond.any(axis=(1, 2)))


def _add_face(
    target: FinderTarget, labels: SceneLabels, index: int, *, odd: bool, unclear: bool
) -> None:
    rows, columns = target.counts.shape
    center = (labels.centers[index] + 0.5) / CELL_PX - 0.5
    code = encode_half_edges(labels.half_edges[index : index + 1])
    root = face_roots(code)[0] / CELL_PX
    wide = max(_HILL, _LEAST_HILL_PX / (labels.edges_px[index] / 2.0))
    top = np.clip(np.rint(center), 0, (columns - 1, rows - 1))
    reach = np.ceil(max(_FOOT * wide, 1.0) * np.linalg.norm(root, axis=1))
    low = np.maximum(top - reach, 0).astype(int)
    high = np.minimum(top + reach, (columns - 1, rows - 1)).astype(int) + 1
    cells = np.stack(np.meshgrid(*map(np.arange, low, high)), axis=-1)
    halves = np.square((cells - top) @ np.linalg.inv(root).T).sum(axis=-1)
    part = slice(low[1], high[1]), slice(low[0], high[0])
    if unclear:
        target.counts[part][halves < 1.0] = 0.0
        return
    hill = np.exp(-halves / (2.0 * wide**2)).astype(np.float32)
    heat = target.heat[int(odd)][part]
    np.maximum(heat, hill, out=heat)
    core = (hill > target.weight[part]) & ((halves < _CORE**2) | (hill > 0.6))
    target.shape[:2, *part][:, core] = (center - cells[core]).T
    target.shape[2:, *part][:, core] = code.T
    target.weight[part][core] = hill[core]
