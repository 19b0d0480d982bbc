# SPDX-License-Identifier: MIT
"""A tray or camera that was moved is noticed; dice, hands, cards and light are not that."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np
import pytest

from hardware.simulated.camera import SimulatedCamera
from tests.vision.calibration.pictures import (
    PICTURE_WH,
    find_tray,
    open_camera_with_cards,
    take_picture,
)
from tests.vision.drawn import FIVE, draw_tray
from tests.vision.readings import make_die, make_reading
from vision.calibration.tray_shift import (
    RimProfile,
    TrayPosition,
    can_detect_camera_shift,
    check_position,
    measure_rim,
)
from vision.frame import Image
from vision.reading import TrayReading

Known = tuple[SimulatedCamera, Callable[[Image], TrayPosition]]


@pytest.fixture(scope="module")
def known() -> Known:
    """A camera, and where its pictures show the tray against its map."""
    camera = open_camera_with_cards()
    picture = take_picture(camera)
    tray = find_tray(picture).tray
    return camera, partial(check_position, rim=measure_rim(picture, tray), tray=tray)


@pytest.mark.parametrize(
    ("by_mm", "is_moved"),
    [
        ((6.0, 0.0), True),
        ((0.0, 6.0), True),
        ((-10.0, 12.0), True),
        ((20.0, -5.0), True),
        ((1.5, -1.0), False),
        ((0.0, 2.0), False),
    ],
)
def test_a_push_is_noticed_and_a_millimetre_is_none(
    known: Known, by_mm: tuple[float, float], is_moved: bool
) -> None:
    camera, check = known
    camera.knock(*by_mm)
    position = check(take_picture(camera))
    camera.knock(-by_mm[0], -by_mm[1])
    assert position is (TrayPosition.MOVED if is_moved else TrayPosition.IN_PLACE)


def test_a_turn_is_noticed(known: Known) -> None:
    camera, check = known
    turn = cv2.getRotationMatrix2D((640.0, 360.0), 2.5, 1.0)
    turned = np.asarray(cv2.warpAffine(take_picture(camera), turn, PICTURE_WH), np.uint8)
    assert check(turned) is TrayPosition.MOVED


def test_dice_and_hands_are_no_move(known: Known) -> None:
    camera, check = known
    for play in (camera.throw, camera.tilt, camera.put_back, lambda: camera.turn(0)):
        play()
        for _ in range(8):
            assert check(take_picture(camera)) is not TrayPosition.MOVED


def test_cards_that_were_taken_away_are_no_move(known: Known) -> None:
    camera, check = known
    camera.lay_cards(False)
    position = check(take_picture(camera))
    camera.lay_cards()
    assert position is TrayPosition.IN_PLACE


@pytest.mark.parametrize("light", [0.35, 0.6, 1.3])
def test_another_light_is_no_move(known: Known, light: float) -> None:
    camera, check = known
    lit = np.clip(take_picture(camera) * light + 4.0, 0, 255).astype(np.uint8)
    assert check(lit) is TrayPosition.IN_PLACE


def test_a_hidden_tray_is_unseen_and_not_moved(known: Known) -> None:
    camera, check = known
    cloth = np.full((PICTURE_WH[1], PICTURE_WH[0], 3), (60, 62, 96), np.uint8)
    assert check(cloth) is TrayPosition.UNSEEN
    half = take_picture(camera).copy()
    half[:, :640] = (60, 62, 96)
    assert check(half) is not TrayPosition.MOVED


def test_a_rim_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="rim: expected 1392 levels, found 3"):
        RimProfile(b"abc")


DICE = make_reading(*(make_die(die.x, die.y, die.face) for die in FIVE))
NOTHING = TrayReading(())


def take_two(*, plain: bool) -> tuple[Image, Image]:
    """Draw the same tray with dice twice, each time with other noise."""
    one, other = (draw_tray(FIVE, noise_seed=seed, plain=plain) for seed in (1, 2))
    return one, other


def test_by_walls_with_a_pattern_a_knock_is_noticed() -> None:
    assert can_detect_camera_shift(*take_two(plain=False), DICE, None)


def test_a_bare_felt_with_dice_detects_no_knock() -> None:
    assert not can_detect_camera_shift(*take_two(plain=True), DICE, None)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_landmarks_from_noise_do_not_count(seed: int) -> None:
    one, other = (draw_tray((), noise_seed=10 * seed + n, plain=True) for n in range(2))
    assert not can_detect_camera_shift(one, other, NOTHING, None)


def test_by_the_rim_that_a_calibration_knows_it_is_noticed() -> None:
    camera = open_camera_with_cards()
    picture = take_picture(camera)
    tray = find_tray(picture).tray
    assert can_detect_camera_shift(picture, take_picture(camera), NOTHING, tray)
