# SPDX-License-Identifier: MIT
"""
The finder's samples: a crop of a scene, shrunk, mirrored and in other light, with its targets.

Dice are shrunk to all sizes that the finder must know. A crop's border may cut a die, which
trains dice that are cut off.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.nets.heatmaps import CELL_PX
from vision.training.augment import augment_image
from vision.training.finder_targets import FinderTarget, build_target
from vision.training.labels import SceneLabels, transform_labels

CROP_WH = (256, 192)
"""Size of a crop in pixels, multiples of 16."""

EDGES_PX = (7.5, 60.0)
"""Edges of dice in the crops."""

_BEYOND = 127
_SCALES = (0.4, 1.5)
_HALVED_FROM = 0.6
"""Below this scale a picture is halved first, and interpolation does the rest."""


@dataclass(frozen=True, slots=True, eq=False)
class FinderSample:
    """
    One sample.

    Attributes:
        image_bgr: The crop, uint8.
        target: The expected maps of faces.
        masks: Share of die and of other object in every cell, (2, h, w).
    """

    image_bgr: Image
    target: FinderTarget
    masks: NDArray[np.float32]


def draw_sample(
    image_bgr: Image, owner: NDArray[np.uint8], labels: SceneLabels, rng: np.random.Generator
) -> FinderSample:
    """
    Draw a sample from a scene.

    Args:
        image_bgr: The scene's picture.
        owner: The object of each pixel: 0 ground, 1 a die, 2 another object.
        labels: In pixels of the scene.
        rng: Decides everything.
    """
    scale = _draw_scale(labels, rng)
    while scale < _HALVED_FROM:
        image_bgr, owner, labels = _halve(image_bgr, owner, labels)
        scale *= 2.0
    window_wh = np.maximum(np.rint(np.array(CROP_WH) / scale), 16).astype(int)
    begin = _draw_begin(image_bgr, labels, window_wh, rng)
    image = _cut_window(image_bgr, begin, window_wh, _BEYOND)
    image = np.asarray(cv2.resize(image, CROP_WH), dtype=np.uint8)
    masks = _make_masks(_cut_window(owner, begin, window_wh, 0))
    scales = np.array(CROP_WH) / window_wh
    labels = transform_labels(labels, np.diag(scales), (0.5 - begin) * scales - 0.5)
    image, masks_now, labels = _draw_mirrored(image, masks, labels, rng)
    return FinderSample(augment_image(image, rng), build_target(labels, CROP_WH), masks_now)


def _draw_scale(labels: SceneLabels, rng: np.random.Generator) -> float:
    edges = labels.edges_px
    if not len(edges):
        return float(rng.uniform(0.3, 1.0))
    wanted = np.exp(rng.uniform(*np.log(EDGES_PX)))
    return float(np.clip(wanted / np.median(edges), *_SCALES))


def _halve(
    image: Image, owner: NDArray[np.uint8], labels: SceneLabels
) -> tuple[Image, NDArray[np.uint8], SceneLabels]:
    """Return everything at half the size; whole pixels are fast."""
    height, width = image.shape[0] // 2, image.shape[1] // 2
    small = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    shrunk = transform_labels(labels, np.eye(2) / 2.0, np.full(2, -0.25))
    return np.asarray(small, dtype=np.uint8), owner[: 2 * height : 2, : 2 * width : 2], shrunk


def _make_masks(owner: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the share of die and of other object in every cell."""
    cells_wh = CROP_WH[0] // CELL_PX, CROP_WH[1] // CELL_PX
    full = [((owner == whose) * np.uint8(255)) for whose in (1, 2)]
    shares = [cv2.resize(one, cells_wh, interpolation=cv2.INTER_AREA) for one in full]
    return np.stack(shares).astype(np.float32) / np.float32(255.0)


def _draw_begin(
    image: Image, labels: SceneLabels, window_wh: NDArray[np.int_], rng: np.random.Generator
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
    image: Image, masks: NDArray[np.float32], labels: SceneLabels, rng: np.random.Generator
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
