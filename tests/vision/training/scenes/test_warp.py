# SPDX-License-Identifier: MIT
"""A bent picture with oblong pixels shows each point in its true position."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.training.scenes import RenderedScene, SceneSpec, environment, render_scene
from vision.training.scenes.warp import Warp

SIZE_WH, INNER_WH = (320, 240), (280, 274)


@pytest.mark.parametrize("bend", [-0.06, 0.0, 0.25])
def test_moved_points_match_the_warped_picture(bend: float) -> None:
    warp = Warp(SIZE_WH, INNER_WH, bend)
    points = np.array([[140.0, 130.0], [60.0, 70.0], [230.0, 210.0], [40.0, 220.0]])
    for point in points:
        linear = np.zeros((INNER_WH[1], INNER_WH[0], 3), np.float32)
        cv2.circle(linear, np.rint(point).astype(int).tolist(), 5, (1, 1, 1), -1, cv2.LINE_AA)
        rows, columns = np.nonzero(warp.picture(linear)[..., 0] > 0.5)
        found = np.array([columns.mean(), rows.mean()])
        assert found == pytest.approx(warp.move(point[None])[0], abs=0.35)


@pytest.mark.parametrize("inner_wh", [(370, 208), (280, 274)])
def test_pips_centroids_are_at_the_truth_under_pixel_aspect(
    inner_wh: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    warp = Warp(SIZE_WH, inner_wh, 0.1)
    monkeypatch.setattr(environment, "draw_warp", lambda *_: warp)
    for seed in range(4):
        scene = render_scene(seed, SIZE_WH, spec=SceneSpec(expect=2, clear=True, tilt_deg=15.0))
        assert scene.image_bgr.shape == (240, 320, 3)
        offs = centroid_offsets(scene)
        assert np.median(offs) < 0.8
        assert offs.max() < 2.0


def centroid_offsets(scene: RenderedScene) -> np.ndarray:
    """Return how far the pips' centroids in the picture are from the truth, in pixels."""
    grey = cv2.cvtColor(scene.image_bgr, cv2.COLOR_BGR2GRAY).astype(np.float64)
    rows, columns = np.mgrid[: grey.shape[0], : grey.shape[1]]
    offs = []
    for die in scene.dice:
        edge = np.sqrt(cv2.contourArea(die.quad_px.astype(np.float32)))
        for pip in die.pips_px:
            near = np.hypot(columns - pip[0], rows - pip[1]) < 0.13 * edge
            body = np.quantile(grey[near], 0.9 if die.is_light else 0.1)
            weight = np.abs(grey - body) * near
            total = weight.sum()
            offs.append(np.hypot(*(((columns, rows) * weight).sum((1, 2)) / total - pip)))
    return np.array(offs)
