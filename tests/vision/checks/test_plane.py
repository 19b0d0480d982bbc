# SPDX-License-Identifier: MIT
"""The plane of the upper faces comes from the dice, or from a calibration that is there."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.checks.pinhole import SIZE_WH, Lean, Pinhole
from vision.checks.plane import fit_plane, foot_errors
from vision.face import Face
from vision.params import PlaneParams

_PARAMS = PlaneParams()


def _off(faces: list[Face], all_faces: list[Face]) -> float:
    """How far the plane of some faces predicts the feet of others wrongly at most, in edges."""
    plane = fit_plane(faces, SIZE_WH, _PARAMS)
    downs = plane.downs_at(np.array([face.center for face in all_faces]))
    feet = np.array([face.foot for face in all_faces])
    return float(np.linalg.norm(downs - feet, axis=1).max())


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
    plane = fit_plane([], SIZE_WH, _PARAMS)
    np.testing.assert_allclose(plane.normal, (0.0, 0.0, -1.0))
    assert not plane.is_known


@pytest.mark.parametrize("tilt_deg", [0.0, 30.0])
def test_a_calibration_gives_the_plane_by_itself(tilt_deg: float) -> None:
    camera = Pinhole(tilt_deg)
    odd = [camera.face((0.0, 0.0), Lean(40.0))]
    plane = fit_plane(odd, SIZE_WH, _PARAMS, tray=camera.tray())
    tilt = np.deg2rad(tilt_deg)
    np.testing.assert_allclose(plane.normal, (0.0, -np.sin(tilt), -np.cos(tilt)), atol=1e-6)
    assert plane.is_known
    faces = camera.faces()
    downs = plane.downs_at(np.array([face.center for face in faces]))
    np.testing.assert_allclose(downs, [face.foot for face in faces], atol=0.05)


def test_errors_add_up_to_those_of_nets_and_lenses() -> None:
    camera = Pinhole()
    faces = [camera.face((0.0, 0.0), error=error) for error in (0.0, 0.03, 0.5)]
    np.testing.assert_allclose(foot_errors(faces, _PARAMS), [0.04, 0.05, np.hypot(0.5, 0.04)])
