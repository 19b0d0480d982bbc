# SPDX-License-Identifier: MIT
"""Labels are those of the scene, and move as the picture moves."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.training.drawn_dice import dice
from vision.training.labels import SceneLabels, label_scene, transform_labels
from vision.training.scenes import DieState, RenderedScene, SceneSpec, render_scene


@pytest.fixture(scope="module")
def scene() -> RenderedScene:
    return render_scene(900_011, (640, 360), spec=SceneSpec(clear=True, expect=5, clutter=False))


def _quads(truth: SceneLabels) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    corners = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    return np.asarray(truth.centers[:, None] + corners @ truth.half_edges.transpose(0, 2, 1))


class TestOfAShot:
    def test_half_edges_reach_the_corners(self, scene: RenderedScene) -> None:
        """But for the little that perspective makes of a square."""
        truth = label_scene(scene)
        for quad, die, edge in zip(_quads(truth), scene.dice, truth.edges_px, strict=True):
            np.testing.assert_allclose(quad, die.quad_px, atol=0.02 * float(edge))
            area = cv2.contourArea(die.quad_px.astype(np.float32))
            assert edge == pytest.approx(np.sqrt(area), rel=0.01)

    def test_pips_are_as_many_as_the_number_and_on_the_face(self, scene: RenderedScene) -> None:
        truth = label_scene(scene)
        for i, die in enumerate(scene.dice):
            known = np.isfinite(truth.pips[i]).all(axis=1)
            assert known.sum() == die.face == truth.faces[i]
            own = (truth.pips[i][known] - truth.centers[i]) @ np.linalg.inv(truth.half_edges[i]).T
            assert np.abs(own).max() < 0.9
            np.testing.assert_array_equal(truth.pips[i][known], die.pips_px)

    def test_feet_states_and_light_are_the_scene_s(self, scene: RenderedScene) -> None:
        truth = label_scene(scene)
        np.testing.assert_array_equal(truth.feet, [die.foot_px for die in scene.dice])
        assert truth.is_light.tolist() == [die.is_light for die in scene.dice]
        assert truth.has_state(DieState.FLAT).all()
        assert truth.proper.all()
        assert not truth.doubtful.any()


@pytest.mark.parametrize(
    ("visible", "state", "proper", "doubtful"),
    [
        (1.0, DieState.FLAT, True, False),
        (0.9, DieState.FLAT, False, False),
        (0.8, DieState.FLAT, False, True),
        (1.0, DieState.COCKED, False, True),
        (1.0, DieState.STACKED, False, True),
        (1.0, DieState.UNDER, False, True),
    ],
)
def test_only_whole_flat_dice_are_proper_and_some_are_neither(
    visible: float, state: DieState, *, proper: bool, doubtful: bool
) -> None:
    truth = dice((50, 50), visible=visible, state=state)
    assert (truth.proper.tolist(), truth.doubtful.tolist()) == ([proper], [doubtful])


def test_all_positions_move_with_the_picture() -> None:
    truth = dice((40, 50), (120, 77), faces=(5, 2))
    matrix, offset = np.array([(0.9, -0.3), (0.2, 0.7)]), np.array([30.0, 25.0])
    after = transform_labels(truth, matrix, offset)
    for name in ("centers", "feet", "pips"):
        expected = getattr(truth, name) @ matrix.T + offset
        np.testing.assert_allclose(getattr(after, name), expected)
    np.testing.assert_allclose(after.edges_px, truth.edges_px * np.sqrt(0.69))
    np.testing.assert_array_equal(after.faces, truth.faces)
