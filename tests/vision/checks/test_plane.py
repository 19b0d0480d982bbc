# SPDX-License-Identifier: MIT
"""The plane of the upper faces comes from the dice, or from a calibration that is there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.checks.pinhole import DIE_EDGE_MM, SIZE_WH, Lean, Pinhole, with_noise
from vision.calibration.fit_tray import fit_tray_to_corners
from vision.checks.plane import felt_plane, fit_lens, fit_plane, foot_errors
from vision.face import Face
from vision.tray_map import TrayMap


def _off(faces: list[Face], all_faces: list[Face]) -> float:
    """How far the plane of some faces predicts the feet of others wrongly at most, in edges."""
    plane = fit_plane(faces, SIZE_WH)
    downs = plane.downs_at(np.array([face.center for face in all_faces]))
    feet = np.array([face.foot for face in all_faces])
    return float(np.linalg.norm(downs - feet, axis=1).max())


def _calibrate(camera: Pinhole) -> TrayMap:
    """Return the map of a felt that a hand measured, and set the corners of, exactly."""
    corners_mm = np.array([(-130.0, 80.0), (130.0, 80.0), (130.0, -80.0), (-130.0, -80.0)])
    corners = [(x, y) for x, y in camera.project_felt(corners_mm).tolist()]
    size_wh = round(SIZE_WH[0] * camera.squeeze), SIZE_WH[1]
    return replace(
        fit_tray_to_corners(corners, size_wh, (260.0, 160.0)).tray, die_edge_mm=DIE_EDGE_MM
    )


@pytest.mark.parametrize("focal", [0.8, 1.2, 1.9])
@pytest.mark.parametrize("tilt_deg", [0.0, 18.0, 35.0, 50.0])
def test_flat_dice_show_their_plane(tilt_deg: float, focal: float) -> None:
    faces = Pinhole(tilt_deg, focal=focal, away_mm=350.0 * focal).faces()
    assert _off(faces, faces) < 0.05


@pytest.mark.parametrize("which", range(5))
def test_a_leaning_die_does_not_move_the_plane(which: int) -> None:
    camera = Pinhole(25.0)
    assert _off(camera.faces(leans={which: Lean(30.0, 130.0)}), camera.faces()) < 0.04


def test_without_dice_the_camera_looks_straight_down() -> None:
    plane = fit_plane([], SIZE_WH)
    np.testing.assert_allclose(plane.normal, (0.0, 0.0, -1.0))
    assert not plane.is_known


@pytest.mark.parametrize("tilt_deg", [0.0, 30.0])
def test_a_calibration_gives_the_plane_by_itself(tilt_deg: float) -> None:
    camera = Pinhole(tilt_deg)
    odd = [camera.face((0.0, 0.0), Lean(40.0))]
    plane = fit_plane(odd, SIZE_WH, tray=camera.tray())
    tilt = np.deg2rad(tilt_deg)
    np.testing.assert_allclose(plane.normal, (0.0, -np.sin(tilt), -np.cos(tilt)), atol=1e-6)
    assert plane.is_known
    faces = camera.faces()
    downs = plane.downs_at(np.array([face.center for face in faces]))
    np.testing.assert_allclose(downs, [face.foot for face in faces], atol=0.05)


@pytest.mark.parametrize("squeeze", [1.0, 0.78, 1.28])
@pytest.mark.parametrize("tilt_deg", [0.0, 12.0, 30.0])
def test_flat_dice_and_their_felt_show_the_lens(tilt_deg: float, squeeze: float) -> None:
    """The net sees all feet too near."""
    camera = Pinhole(tilt_deg, squeeze=squeeze)
    tray, faces, rng = _calibrate(camera), camera.faces(), np.random.default_rng(3)
    seen = [replace(one, foot=0.85 * one.foot) for _ in range(5) for one in with_noise(faces, rng)]
    lens = fit_lens(seen, tray)
    assert lens.pixel_aspect == pytest.approx(1.0 / squeeze, rel=0.05)
    downs = felt_plane(lens).downs_at(np.array([face.center for face in faces]))
    np.testing.assert_allclose(downs, [face.foot for face in faces], atol=0.04)


def test_a_lens_that_is_known_exactly_stays() -> None:
    camera = Pinhole(20.0)
    other = camera.tray().with_lens(1.5)
    assert fit_lens(camera.faces(), other) is other


def test_pixels_that_are_not_square_stretch_the_felt() -> None:
    """One that is known to be squeezed shows squares on the felt as the camera sees them."""
    camera = Pinhole(25.0, squeeze=0.8)
    tray = _calibrate(camera)
    lens = tray.with_lens(camera.focal_px * 0.8**0.5 / tray.focal_px, 1.0 / 0.8)
    faces = camera.faces()
    axes = felt_plane(lens).axes_at(np.array([face.center for face in faces]))
    for seen, face in zip(axes, faces, strict=True):
        on_felt = np.linalg.solve(seen, face.half_edges)
        one, other = np.linalg.norm(on_felt, axis=0)
        assert one == pytest.approx(other, rel=0.01)
        assert on_felt[:, 0] @ on_felt[:, 1] == pytest.approx(0.0, abs=0.01 * one * other)


def test_errors_add_up_to_those_of_nets_and_lenses() -> None:
    camera = Pinhole()
    faces = [camera.face((0.0, 0.0), error=error) for error in (0.0, 0.03, 0.5)]
    np.testing.assert_allclose(foot_errors(faces), [0.04, 0.05, np.hypot(0.5, 0.04)])
