# SPDX-License-Identifier: MIT
"""A flat die is cut square on the felt, and the net tells it from one that leans."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.vision.checks.pinhole import Pinhole
from vision.checks.flatness import BODY, BODY_PX, UPPER, FlatnessNet, cut_flat, draw_flat
from vision.checks.plane import Plane, felt_plane
from vision.face import Face
from vision.nets.onnx_net import WeightsError
from vision.pyramid import Pyramid
from vision.tiles import TILE_PX
from vision.training.labels import SceneLabels, label_scene
from vision.training.scenes import SceneSpec, render_scene

_CAMERAS = [Pinhole(tilt, turn) for tilt in (0.0, 20.0, 40.0) for turn in (0.0, 70.0)]


def _arrays(faces: list[Face]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([f.center for f in faces]), np.array([f.half_edges for f in faces])


def _plane(camera: Pinhole) -> Plane:
    return felt_plane(camera.tray())


class TestCuts:
    @pytest.mark.parametrize("camera", _CAMERAS)
    def test_flat_die_fills_its_cut(self, camera: Pinhole) -> None:
        centers, half_edges = _arrays(camera.faces())
        plane = _plane(camera)
        cuts = cut_flat(centers, half_edges, plane.axes_at(centers), np.zeros((5, 2)))
        # As large as its face, and not slanted against it.
        relation = np.linalg.solve(cuts.half_edges, half_edges)
        np.testing.assert_allclose(
            relation.transpose(0, 2, 1) @ relation, np.tile(np.eye(2), (5, 1, 1)), atol=0.02
        )
        np.testing.assert_allclose(cuts.centers, centers)

    @pytest.mark.parametrize("camera", _CAMERAS)
    def test_foot_is_expected_where_the_camera_sees_it(self, camera: Pinhole) -> None:
        faces = camera.faces()
        centers, half_edges = _arrays(faces)
        plane = _plane(camera)
        edges = np.array([face.edge_px for face in faces])[:, None]
        downs_px = plane.downs_at(centers) * edges
        cuts = cut_flat(centers, half_edges, plane.axes_at(centers), downs_px)
        feet = centers + np.array([face.foot for face in faces]) * edges
        upper = cuts.centers - np.einsum("nij,nj->ni", cuts.half_edges, cuts.downs)
        lower = cuts.centers + np.einsum("nij,nj->ni", cuts.half_edges, cuts.downs)
        np.testing.assert_allclose(upper, centers, atol=1e-6)
        assert (np.linalg.norm(lower - feet, axis=1) < 0.06 * edges[:, 0]).all()

    def test_axes_seen_from_above_may_turn_the_other_way(self) -> None:
        centers, half_edges = _arrays(Pinhole(25.0).faces())
        axes = _plane(Pinhole(25.0)).axes_at(centers)
        one = cut_flat(centers, half_edges, axes, np.zeros((5, 2)))
        other = cut_flat(centers, half_edges, axes[:, :, ::-1], np.zeros((5, 2)))
        np.testing.assert_allclose(one.half_edges, other.half_edges, atol=1e-9)


class TestOutline:
    def test_upper_face_and_body_are_drawn(self) -> None:
        drawn = draw_flat(np.array([0.0, 0.5]))
        assert (drawn == UPPER).sum() == pytest.approx(BODY_PX**2, rel=0.05)
        assert (drawn == BODY).sum() == pytest.approx(BODY_PX**2 / 2.0, rel=0.1)
        assert drawn[TILE_PX // 2 - BODY_PX // 2, TILE_PX // 2] == UPPER
        assert drawn[TILE_PX // 2 + BODY_PX // 2 + 4, TILE_PX // 2] == BODY

    def test_from_straight_above_only_the_upper_face_is_seen(self) -> None:
        assert set(np.unique(draw_flat(np.zeros(2)))) <= {*range(256)} - {BODY}


def _leans(truth: SceneLabels, picture: Pyramid, net: FlatnessNet) -> np.ndarray:
    """Return the odds that each die leans if the felt's plane is known."""
    return net.leans_of_cuts(
        picture,
        cut_flat(truth.centers, truth.half_edges, truth.flat_axes, truth.flat_feet - truth.centers),
    )


def test_rendered_dice_that_lean_are_told_from_flat_ones() -> None:
    net = FlatnessNet()
    flat, leaning = [], []
    for seed in range(5_000_000, 5_000_006):
        scene = render_scene(seed, (960, 540), spec=SceneSpec(doubt="cocked", clear=True, expect=4))
        truth = label_scene(scene)
        leans = _leans(truth, Pyramid(scene.image_bgr), net)
        does_lean = truth.tilts_deg > 0.0
        flat += leans[~does_lean].tolist()
        leaning += leans[does_lean].tolist()
    assert len(flat) > len(leaning) >= 6
    least = math.log(3.0)
    assert np.mean(np.array(flat) < least) > 0.9
    assert np.mean(np.array(leaning) > least) > 0.7


def test_missing_weights_are_told(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"flatness\.onnx"):
        FlatnessNet(tmp_path / "flatness.onnx")
