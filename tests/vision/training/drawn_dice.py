# SPDX-License-Identifier: MIT
"""Labels and pictures of dice made by hand, for the samples that nets learn from."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.nets.pip_count import PATTERNS
from vision.training.labels import MOST_PIPS, SceneLabels
from vision.training.scenes import DieState

_STATES = tuple(DieState)
_STEP = 0.25
_FINE = 16

FOOT = (0.25, 0.85)
"""Where the face below a die is seen, in edges from the upper one's center."""


def dice(
    *centers: tuple[float, float],
    half_px: float = 10.0,
    faces: tuple[int, ...] | None = None,
    state: DieState = DieState.FLAT,
    tilt_deg: float = 0.0,
    visible: float = 1.0,
    contrast: float = 90.0,
    half_edges: NDArray[np.float64] | None = None,
) -> SceneLabels:
    """
    Return dice of one size and shape, with upper faces around these centers.

    They are upright if no half edges are given, and show the numbers from 1 on if no faces are.
    """
    count = len(centers)
    numbers = faces or tuple(range(1, count + 1))
    halves = np.eye(2) * half_px if half_edges is None else half_edges
    middles = np.array(centers, np.float64).reshape(-1, 2)
    pips = np.full((count, MOST_PIPS, 2), np.nan)
    for row, middle, number in zip(pips, middles, numbers, strict=True):
        own = np.array(PATTERNS[number][0]) * _STEP
        row[:number] = middle + own @ (2.0 * halves).T
    return SceneLabels(
        centers=middles,
        half_edges=np.tile(halves, (count, 1, 1)),
        feet=middles + 2.0 * halves @ np.array(FOOT),
        flat_axes=np.tile(2.0 * halves, (count, 1, 1)),
        flat_feet=middles + 2.0 * halves @ np.array(FOOT),
        tilts_deg=np.full(count, tilt_deg),
        pips=pips,
        faces=np.array(numbers, np.int64),
        states=np.full(count, _STATES.index(state)),
        is_light=np.ones(count, np.bool_),
        visible=np.full(count, visible),
        contrast=np.full(count, contrast),
    )


def picture_of(truth: SceneLabels, size_wh: tuple[int, int] = (640, 360)) -> Image:
    """Draw light faces with dark pips on gray ground, and a dark spot on each foot."""
    image = np.full((size_wh[1], size_wh[0], 3), 120, np.uint8)
    for halves, center, foot, pips in zip(
        truth.half_edges, truth.centers, truth.feet, truth.pips, strict=True
    ):
        _fill(image, center + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ halves.T, 235)
        for spot in (foot, *pips[np.isfinite(pips).all(axis=1)]):
            _fill(image, spot + 0.16 * _circle() @ halves.T, 15)
    return image


def owner_of(truth: SceneLabels, size_wh: tuple[int, int] = (640, 360)) -> NDArray[np.int16]:
    """Return which die each pixel shows, as a scene does."""
    owner = np.zeros((size_wh[1], size_wh[0]), np.uint8)
    for i, (halves, center) in enumerate(zip(truth.half_edges, truth.centers, strict=True)):
        corners = center + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ halves.T
        cv2.fillConvexPoly(owner, np.rint(corners).astype(np.int32), i + 1)
    return owner.astype(np.int16)


def _circle() -> NDArray[np.float64]:
    turn = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    return np.column_stack([np.cos(turn), np.sin(turn)])


def _fill(image: Image, points: NDArray[np.float64], level: int) -> None:
    fine = np.rint(points * _FINE).astype(np.int32)
    cv2.fillConvexPoly(image, fine, (level,) * 3, cv2.LINE_AA, shift=4)
