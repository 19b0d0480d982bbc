# SPDX-License-Identifier: MIT
"""The die as a body: where its faces are and how a pose is told from its rotation."""

from __future__ import annotations

import numpy as np
import pytest

from hardware.simulated.pose import (
    face_axes,
    face_normal,
    flat_pose,
    rotation_about,
    turn_between,
)

FACES = range(1, 7)


@pytest.mark.parametrize("face", FACES)
def test_opposite_faces_add_to_seven(face: int) -> None:
    assert face_normal(7 - face).tolist() == (-face_normal(face)).tolist()


def test_one_two_three_run_counter_clockwise_around_their_corner() -> None:
    assert np.cross(face_normal(1), face_normal(2)).tolist() == face_normal(3).tolist()


@pytest.mark.parametrize("face", FACES)
def test_face_axes_are_right_handed_with_the_normal(face: int) -> None:
    along, across = face_axes(face)
    assert np.cross(along, across).tolist() == face_normal(face).tolist()


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("angle_deg", [0.0, 31.0, 89.0])
def test_a_lying_die_shows_its_face_and_angle(face: int, angle_deg: float) -> None:
    pose = flat_pose(face, x_mm=3.0, y_mm=-4.0, angle_deg=angle_deg)
    assert pose.face == face
    assert pose.angle_deg == pytest.approx(angle_deg)
    assert pose.lean_deg == pytest.approx(0.0, abs=1e-5)
    assert pose.center_mm.tolist() == [3.0, -4.0, 8.0]
    assert np.linalg.det(pose.rotation) == pytest.approx(1.0)


@pytest.mark.parametrize("angle_rad", [0.0, 1e-4, 1.0, np.pi - 1e-7, np.pi])
def test_turn_between_gives_back_the_turn(angle_rad: float) -> None:
    start = flat_pose(2, x_mm=0, y_mm=0, angle_deg=15.0).rotation
    end = rotation_about(np.array([0.6, 0.0, 0.8]), angle_rad) @ start
    axis, found_rad = turn_between(start, end)
    assert rotation_about(axis, found_rad) @ start == pytest.approx(end, abs=1e-5)
    assert np.linalg.norm(axis) == pytest.approx(1.0)
