# SPDX-License-Identifier: MIT
"""A blurred or moved view is reported; people and light in it are not."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.drawn import EDGE_PX, FIVE, SIZE_WH, DrawnDie, draw_tray
from vision.camera_health.camera_shift import CameraShiftDetector, make_small_view
from vision.camera_health.health_check import FaultKind, HealthCheck, PictureFault
from vision.frame import Frame, Image

FPS = 10.0
BLURRED, MOVED = FaultKind.OUT_OF_FOCUS, FaultKind.MOVED
OTHER_FIVE = tuple(
    DrawnDie(7 - die.face, 640 - die.x, 360 - die.y, 90 - die.angle_deg) for die in FIVE
)


@cache
def clean(
    dice: tuple[DrawnDie, ...] = FIVE,
    light: float = 1.0,
    camera_xy: tuple[float, float] = (0.0, 0.0),
    plain: bool = False,
) -> Image:
    return draw_tray(dice, light=light, camera_xy=camera_xy, plain=plain)


@cache
def noise(seed: int) -> Image:
    return np.random.default_rng(seed).normal(0.0, 4.0, (*SIZE_WH[::-1], 3)).astype(np.float32)


def noisy(picture: Image, n: int) -> Image:
    return np.asarray(np.clip(picture + noise(n % 12), 0, 255), np.uint8)


def disc(picture: Image, wide_px: int) -> Image:
    """Put a picture out of focus: every point becomes a disc."""
    disc = np.zeros((wide_px, wide_px), np.float32)
    middle = (wide_px - 1) // 2
    cv2.circle(disc, (middle, middle), wide_px // 2, 1.0, -1, cv2.LINE_AA)
    return np.asarray(cv2.filter2D(picture, -1, disc / disc.sum()), np.uint8)


def turned(picture: Image, turn_deg: float) -> Image:
    turn = cv2.getRotationMatrix2D((100.0, 60.0), turn_deg, 1.0)
    return np.asarray(
        cv2.warpAffine(picture, turn, SIZE_WH, borderMode=cv2.BORDER_REFLECT), np.uint8
    )


def with_hand(picture: Image, x: int, size: tuple[int, int] = (90, 70)) -> Image:
    """Lay a hand with its arm over the tray."""
    picture = picture.copy()
    cv2.line(picture, (x, 200), (x + 60, 380), (110, 140, 190), 2 * size[1])
    cv2.ellipse(picture, (x, 170), size, 0, 0, 360, (120, 150, 200), -1, cv2.LINE_AA)
    return picture


class Camera:
    """Shows pictures to a check and records its faults."""

    def __init__(self, check: HealthCheck | None = None) -> None:
        self._check = check or HealthCheck()
        self._number = 0

    def show(
        self, picture: Image | Callable[[int], Image], seconds: float
    ) -> list[PictureFault | None]:
        found = []
        for n in range(round(seconds * FPS)):
            shown = picture(n) if callable(picture) else picture
            frame = Frame(noisy(shown, self._number), self._number / FPS, self._number)
            found.append(self._check.check(frame))
            self._number += 1
        return found

    def kinds(
        self, picture: Image | Callable[[int], Image], seconds: float
    ) -> list[FaultKind | None]:
        return [fault.kind if fault else None for fault in self.show(picture, seconds)]


@pytest.fixture
def camera() -> Camera:
    """A camera that has seen the tray for a while."""
    camera = Camera()
    camera.show(clean(), 2.0)
    return camera


@pytest.mark.parametrize("wide_px", [9, 15])
@pytest.mark.parametrize("light", [1.0, 0.5])
def test_out_of_focus_is_reported_within_two_seconds(
    camera: Camera, wide_px: int, light: float
) -> None:
    (*_, last) = camera.show(disc(clean(light=light), wide_px), 2.0)
    assert last is not None
    assert last.kind is BLURRED
    assert "lens" in last.remedy


def test_sharp_again_all_is_well(camera: Camera) -> None:
    camera.show(disc(clean(), 11), 3.0)
    assert set(camera.kinds(clean(), 1.0)[2:]) == {None}


@pytest.mark.parametrize("shift", [(18.0, 6.0), (-40.0, 30.0), (0.0, 70.0)])
def test_a_knocked_camera_is_reported_within_two_seconds(
    camera: Camera, shift: tuple[float, float]
) -> None:
    assert camera.kinds(clean(camera_xy=shift), 2.0)[-1] is MOVED


@pytest.mark.parametrize("turn_deg", [-6.0, 12.0])
def test_a_turned_camera_is_reported_within_two_seconds(camera: Camera, turn_deg: float) -> None:
    assert camera.kinds(turned(clean(), turn_deg), 2.0)[-1] is MOVED


def test_back_in_its_place_all_is_well(camera: Camera) -> None:
    camera.show(clean(camera_xy=(30.0, 10.0)), 2.0)
    assert set(camera.kinds(clean(), 1.0)[2:]) == {None}


def test_a_moved_view_is_accepted_after_a_while(camera: Camera) -> None:
    kinds = camera.kinds(clean(camera_xy=(30.0, 10.0)), 10.0)
    assert kinds[20] is MOVED
    assert set(kinds[50:]) == {None}
    assert camera.kinds(clean(), 2.0)[-1] is MOVED


def test_a_view_moved_from_its_calibration_is_never_accepted() -> None:
    camera = Camera(HealthCheck(in_place=lambda image: bool(image[5:15, 300:340, 2].mean() > 120)))
    assert set(camera.kinds(clean(), 3.0)) == {None}
    found = camera.show(clean(camera_xy=(0.0, 60.0)), 10.0)
    assert {fault.kind for fault in found[20:] if fault} == {MOVED}
    assert found[-1] is not None
    assert "calibrate" in found[-1].remedy
    assert set(camera.kinds(clean(), 2.0)[2:]) == {None}


def test_the_calibration_overrules_a_moved_view() -> None:
    camera = Camera(HealthCheck(in_place=lambda _: True))
    camera.show(clean(), 2.0)
    assert set(camera.kinds(clean(camera_xy=(30.0, 10.0)), 3.0)) == {None}


def test_a_camera_held_by_hand_is_never_moved() -> None:
    camera = Camera(HealthCheck(may_move=True))
    camera.show(clean(), 2.0)
    moved = camera.kinds(clean(camera_xy=(40.0, 30.0)), 2.0)
    assert {*moved, *camera.kinds(disc(clean(), 11), 2.0)} == {None}


def test_without_an_answer_of_the_calibration_the_view_decides() -> None:
    camera = Camera(HealthCheck(in_place=lambda _: None))
    camera.show(clean(), 2.0)
    assert camera.kinds(clean(camera_xy=(30.0, 10.0)), 2.0)[-1] is MOVED


def test_the_calibration_detects_bad_focus_from_the_start() -> None:
    camera = Camera(HealthCheck(is_sharp=lambda image: bool(image.std() > clean().std())))
    assert camera.kinds(disc(clean(), 11), 2.0)[-1] is BLURRED


def test_a_bump_without_a_lasting_shift_is_no_fault(camera: Camera) -> None:
    def swing(n: int) -> Image:
        return clean(camera_xy=(30.0 * (0.5**n) * (-1) ** n, 0.0))

    assert set(camera.kinds(swing, 3.0)) == {None}


def test_dice_thrown_again_and_again_are_no_fault(camera: Camera) -> None:
    for seed in range(8):
        places = np.random.default_rng(seed).uniform((70, 70), (570, 290), (5, 2))
        dice = tuple(
            replace(die, x=float(x), y=float(y), face=1 + seed % 6)
            for die, (x, y) in zip(FIVE, places, strict=True)
        )
        assert set(camera.kinds(clean(dice), 2.0)) == {None}


@pytest.mark.parametrize("plain", [False, True])
def test_dice_that_are_taken_out_or_raked_together_are_no_fault(plain: bool) -> None:
    camera = Camera()
    camera.show(clean(plain=plain), 2.0)
    raked = tuple(replace(die, x=320 + die.x / 5, y=100 + die.y / 4) for die in FIVE)
    for dice in (raked, (), FIVE):
        assert set(camera.kinds(clean(dice, plain=plain), 3.0)) == {None}


def test_dice_pushed_in_one_direction_are_no_moved_camera(camera: Camera) -> None:
    pushed = tuple(replace(die, x=die.x + EDGE_PX) for die in FIVE)
    assert set(camera.kinds(clean(pushed), 3.0)) == {None}


@pytest.mark.parametrize("size", [(90, 70), (150, 110)])
def test_a_moving_or_still_hand_over_the_tray_is_no_fault(
    camera: Camera, size: tuple[int, int]
) -> None:
    moving = camera.kinds(lambda n: with_hand(clean(), 160 + 12 * (n % 25), size), 4.0)
    resting = camera.kinds(with_hand(clean(OTHER_FIVE), 300, size), 6.0)
    gone = camera.kinds(clean(OTHER_FIVE), 3.0)
    assert {*moving, *resting, *gone} == {None}


def test_light_that_goes_down_and_comes_up_again_is_no_fault(camera: Camera) -> None:
    def dimmed(n: int) -> Image:
        return clean(light=max(0.3, 1.0 - 0.01 * n))

    kinds = [*camera.kinds(dimmed, 9.0), *camera.kinds(clean(light=0.3), 3.0)]
    assert {*kinds, *camera.kinds(clean(light=1.3), 3.0)} == {None}


def test_dark_felt_with_little_structure_gives_no_false_fault() -> None:
    camera = Camera()
    camera.show(clean((), light=0.35, plain=True), 2.0)
    assert set(camera.kinds(clean(FIVE[:2], light=0.35, plain=True), 3.0)) == {None}
    assert set(camera.kinds(clean(OTHER_FIVE[:2], light=0.35, plain=True), 3.0)) == {None}


def scatter(seed: int, count: int = 20) -> tuple[DrawnDie, ...]:
    """Return dice that lie apart from each other, as a throw of many leaves them."""
    chance = random.Random(seed)
    dice: list[DrawnDie] = []
    while len(dice) < count:
        x, y = chance.randint(60, 580), chance.randint(60, 300)
        if all(math.dist((x, y), (die.x, die.y)) > 1.5 * EDGE_PX for die in dice):
            dice.append(DrawnDie(chance.randint(1, 6), x, y, chance.randint(0, 89)))
    return tuple(dice)


def test_twenty_dice_thrown_anew_are_no_moved_view() -> None:
    """Dice are alike, so that by chance some of them seem to have moved together."""
    views = [
        make_small_view(cv2.cvtColor(clean(scatter(n)), cv2.COLOR_BGR2GRAY).astype(np.uint8))
        for n in (178, 179)
    ]
    assert CameraShiftDetector(views[0]).has_moved(views[1]) is False
