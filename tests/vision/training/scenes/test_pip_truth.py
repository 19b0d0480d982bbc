# SPDX-License-Identifier: MIT
"""The true pips of a scene are on the upper face in the pattern of its number."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.training.scenes import RenderedScene, SceneSpec, TrueDie, render_scene

SIZE_WH = (320, 240)
SEEDS = range(40, 46)
UNIT = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
"""Corners of a face in its own coordinates: 1 is half an edge."""


def on_face(die: TrueDie, points: np.ndarray) -> np.ndarray:
    """Return picture points (n, 2) in the upper face's own coordinates; a bent lens adds ~0.02."""
    back = cv2.getPerspectiveTransform(die.quad_px.astype(np.float32), UNIT)
    return np.asarray(cv2.perspectiveTransform(points[None], back)[0])


def grey_at(scene: RenderedScene, points: np.ndarray) -> np.ndarray:
    grey = cv2.cvtColor(scene.image_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    x, y = points.astype(np.float32).T
    return np.asarray(cv2.remap(grey, x[None], y[None], cv2.INTER_LINEAR)[0])


@pytest.mark.parametrize("doubt", [None, "cocked"])
@pytest.mark.parametrize("seed", SEEDS)
def test_pips_are_in_the_quad_in_their_pattern(seed: int, doubt: str | None) -> None:
    for die in render_scene(seed, SIZE_WH, spec=SceneSpec(doubt=doubt, expect=3)).dice:
        assert die.pips_px.shape == (die.face, 2)
        found = on_face(die, die.pips_px)
        assert np.abs(found).max() < 0.8
        assert found.mean(0) == pytest.approx([0, 0], abs=0.03)
        mirrored = np.linalg.norm(found[:, None] + found[None], axis=2).min(1)
        assert mirrored.max() < 0.04
        centered = np.linalg.norm(found, axis=1) < 0.04
        assert centered.sum() == die.face % 2


@pytest.mark.parametrize("seed", SEEDS)
def test_the_picture_shows_a_pip_at_each_reported_point(seed: int) -> None:
    scene = render_scene(seed, SIZE_WH, spec=SceneSpec(expect=3, clear=True))
    for die in scene.dice:
        rim = die.quad_px.mean(0) + (die.quad_px - die.quad_px.mean(0)) * 0.82
        body = float(np.median(grey_at(scene, (rim + np.roll(rim, 1, axis=0)) / 2)))
        gaps = grey_at(scene, die.pips_px) - body
        assert (gaps < 0).all() if die.is_light else (gaps > 0).all()
