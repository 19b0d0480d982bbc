# SPDX-License-Identifier: MIT
"""By what a picture shows a knock is noticed, and that a bare felt has nothing of it."""

from __future__ import annotations

import pytest

from tests.vision.calibration.pictures import find_tray, open_camera_with_cards, take_picture
from tests.vision.drawn import FIVE, draw_tray
from tests.vision.readings import make_die, make_reading
from vision.calibration.knock_visibility import can_detect_camera_shift
from vision.frame import Image
from vision.reading import TrayReading

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
    camera = open_camera_with_cards(seed=6)
    picture = take_picture(camera)
    tray = find_tray(picture).tray
    assert can_detect_camera_shift(picture, take_picture(camera), NOTHING, tray)
