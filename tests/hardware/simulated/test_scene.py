# SPDX-License-Identifier: MIT
"""What the drawn pictures show, measured in their pixels at places known beforehand."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.simulated.pose import DieKind, DiePose, flat_pose, rotation_about
from hardware.simulated.scene import TrayScene, VisibleDie
from hardware.simulated.scene.optics import Optics
from vision.frame import Image

SIZE_WH = (1280, 720)


@pytest.fixture(scope="module")
def scene() -> TrayScene:
    return TrayScene(SIZE_WH, seed=3)


def _grey(picture: Image) -> NDArray[np.float64]:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.float64)


def _white(pose: DiePose) -> VisibleDie:
    return VisibleDie(DieKind.WHITE, pose)


def _brightness_at(
    scene: TrayScene, grey: NDArray[np.float64], place_mm: NDArray[np.float64]
) -> float:
    x_px, y_px = (round(value) for value in scene.project(*(float(value) for value in place_mm)))
    return float(grey[y_px - 1 : y_px + 2, x_px - 1 : x_px + 2].mean())


@pytest.mark.parametrize("kind", list(DieKind))
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize(("x_mm", "y_mm", "angle_deg"), [(0, 0, 0), (-115, 60, 27), (90, -65, 71)])
def test_the_upper_face_has_as_many_pips_as_its_number(
    scene: TrayScene, kind: DieKind, face: int, x_mm: float, y_mm: float, angle_deg: float
) -> None:
    pose = flat_pose(face, x_mm=x_mm, y_mm=y_mm, angle_deg=angle_deg)
    grey = _grey(scene.picture([VisibleDie(kind, pose)]))
    turn = np.radians(angle_deg)
    along = np.array([np.cos(turn), np.sin(turn), 0.0])
    across = np.array([-along[1], along[0], 0.0])
    top = np.array([x_mm, y_mm, 16.0])
    # Between the nine places of a die's pips there is bare body.
    body = np.median(
        [_brightness_at(scene, grey, top + 2.0 * (a * along + b * across))
         for a in (-1, 1) for b in (-1, 1)]
    )  # fmt: skip
    spots = [
        _brightness_at(scene, grey, top + 4.0 * (a * along + b * across))
        for a in (-1, 0, 1)
        for b in (-1, 0, 1)
    ]
    assert sum(abs(spot - body) > 80.0 for spot in spots) == face


@pytest.mark.parametrize(("x_mm", "y_mm"), [(0.0, 0.0), (-100.0, 50.0), (118.0, -68.0)])
def test_a_die_is_drawn_where_it_is(scene: TrayScene, x_mm: float, y_mm: float) -> None:
    pose = flat_pose(1, x_mm=x_mm, y_mm=y_mm, angle_deg=12.0)
    grey = _grey(scene.picture([_white(pose)]))
    x_px, y_px = scene.project(x_mm, y_mm, 16.0)
    left, top = round(x_px) - 14, round(y_px) - 14
    pip = np.argwhere(grey[top : top + 29, left : left + 29] < 110.0)
    assert len(pip) > 60
    row, column = pip.mean(axis=0)
    assert np.hypot(left + column - x_px, top + row - y_px) < 1.0


def test_things_higher_up_are_seen_larger_and_further_out(scene: TrayScene) -> None:
    assert scene.project(50.0, 0.0, 40.0)[0] > scene.project(50.0, 0.0, 0.0)[0]
    assert scene.project(0.0, 60.0, 0.0)[1] < scene.project(0.0, -60.0, 0.0)[1]


def test_a_die_off_the_middle_shows_a_side_and_throws_a_shadow(scene: TrayScene) -> None:
    empty = _grey(scene.picture([]))
    die = _grey(scene.picture([_white(flat_pose(6, x_mm=100.0, y_mm=0.0, angle_deg=0.0))]))
    side_x, side_y = (round(value) for value in scene.project(92.0, 0.0, 3.0))
    assert die[side_y, side_x] - empty[side_y, side_x] > 25.0
    shadow_x, shadow_y = (round(value) for value in scene.project(107.0, -11.5, 0.0))
    around = np.s_[shadow_y - 2 : shadow_y + 3, shadow_x - 2 : shadow_x + 3]
    assert die[around].mean() < 0.8 * empty[around].mean()


def test_the_nearer_die_hides_the_one_below(scene: TrayScene) -> None:
    below = flat_pose(1, x_mm=0.0, y_mm=0.0, angle_deg=0.0)
    above = DiePose(below.center_mm + np.array([0.0, 0.0, 30.0]), below.rotation)
    x_px, y_px = (round(value) for value in scene.project(0.0, 0.0, 46.0))
    for dice in ([VisibleDie(DieKind.BLACK, below), _white(above)],
                 [_white(above), VisibleDie(DieKind.BLACK, below)]):  # fmt: skip
        assert _grey(scene.picture(dice))[y_px + 8, x_px + 18] > 150.0


def test_dice_may_stick_out_of_the_picture_or_be_outside(scene: TrayScene) -> None:
    tumbling = rotation_about(np.array([0.6, 0.8, 0.0]), 1.0)
    for place in [
        (-170.0, 0.0, 60.0),
        (0.0, -90.0, 50.0),
        (165.0, 92.0, 70.0),
        (0.0, -300.0, 80.0),
    ]:
        picture = scene.picture([_white(DiePose(np.array(place), tumbling))])
        assert picture.shape == (720, 1280, 3)


def test_no_two_pictures_are_equal_and_they_differ_only_by_noise(scene: TrayScene) -> None:
    dice = [_white(flat_pose(4, x_mm=10.0, y_mm=20.0, angle_deg=5.0))]
    one, other = scene.picture(dice), scene.picture(dice)
    difference = one.astype(np.float64) - other
    assert 1.0 < difference.std() < 5.0
    assert abs(difference.mean()) < 0.1


def test_a_picture_that_was_returned_is_never_written_to(scene: TrayScene) -> None:
    pose = flat_pose(4, x_mm=10.0, y_mm=20.0, angle_deg=5.0)
    first = scene.picture([_white(pose)])
    kept = first.copy()
    scene.picture([_white(flat_pose(3, x_mm=0.0, y_mm=0.0, angle_deg=5.0))])
    scene.picture([], optics=Optics((0.1, 0.1, 0.1), smear=0.01))
    scene.covered_picture()
    assert np.array_equal(first, kept)
