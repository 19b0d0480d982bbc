# SPDX-License-Identifier: MIT
"""Pictures that cannot come from a working camera, and ordinary ones that look odd."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.drawn import FIVE, SIZE_WH, draw_tray
from vision.camera_health.health_check import FaultKind, HealthCheck, PictureFault
from vision.frame import Frame, Image

FPS = 10.0
NOISES = 12  # Pictures of the same view that differ.


@cache
def tray(noise_seed: int, light: float = 1.0, *, dice: bool = True, plain: bool = False) -> Image:
    return draw_tray(FIVE if dice else (), noise_seed=noise_seed, light=light, plain=plain)


def noisy(picture: Image, seed: int) -> Image:
    noise = np.random.default_rng(seed).normal(0.0, 4.0, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def even(level: tuple[int, int, int]) -> Callable[[int], Image]:
    """Something close before the lens: out of focus, lighter to one side."""
    width, height = SIZE_WH
    slope = np.linspace(0.8, 1.2, width, dtype=np.float32)[None, :, None]
    picture = np.full((height, width, 3), level, np.float32) * slope

    @cache
    def at(n: int) -> Image:
        return noisy(picture.astype(np.uint8), n % NOISES)

    return at


def usual(n: int) -> Image:
    return tray(n % NOISES)


class Camera:
    """Counts the frames and seconds of one camera."""

    def __init__(self, check: HealthCheck | None = None) -> None:
        self.check = check or HealthCheck()
        self._number = 0

    def show(self, picture: Callable[[int], Image], seconds: float) -> list[PictureFault | None]:
        found = []
        for n in range(round(seconds * FPS)):
            frame = Frame(picture(n), self._number / FPS, self._number)
            found.append(self.check.check(frame))
            self._number += 1
        return found


def kinds(found: list[PictureFault | None]) -> set[FaultKind]:
    return {fault.kind for fault in found if fault}


@pytest.mark.parametrize("level", [0.0, 0.02, 0.05])
def test_a_covered_lens_is_dark_within_two_seconds(level: float) -> None:
    camera = Camera()
    camera.show(usual, 1.0)
    found = camera.show(lambda n: tray(n % NOISES, level), 2.0)
    assert found[-1] is not None
    assert found[-1].kind is FaultKind.DARK
    assert "dark" in found[-1].what
    assert "light" in found[-1].remedy


@pytest.mark.parametrize("buffers", [1, 4])
def test_pictures_that_come_again_are_frozen_in_two_seconds(buffers: int) -> None:
    camera = Camera()
    camera.show(usual, 1.0)
    found = camera.show(lambda n: tray(n % buffers), 2.0)
    assert found[-1] is not None
    assert found[-1].kind is FaultKind.FROZEN


def test_a_recording_may_repeat_its_pictures() -> None:
    camera = Camera(HealthCheck(may_repeat=True))
    assert not kinds(camera.show(lambda _: tray(0), 3.0))


@pytest.mark.parametrize("level", [(150, 170, 210), (40, 40, 45), (110, 90, 100)])
def test_something_before_the_lens_is_blocked_within_two_seconds(
    level: tuple[int, int, int],
) -> None:
    camera = Camera()
    camera.show(usual, 2.0)
    found = camera.show(even(level), 2.0)
    assert found[-1] is not None
    assert found[-1].kind is FaultKind.BLOCKED
    assert found[0] is None


def test_a_hand_that_comes_slowly_over_the_lens_blocks_it_too() -> None:
    camera = Camera()
    camera.show(usual, 2.0)
    cover = even((150, 170, 210))

    def coming(n: int) -> Image:
        picture = usual(n).copy()
        reach = SIZE_WH[0] * (n + 1) // 10
        picture[:, :reach] = cover(n)[:, :reach]
        return picture

    assert not kinds(camera.show(coming, 0.9))
    assert kinds(camera.show(cover, 2.0)) == {FaultKind.BLOCKED}


def test_the_first_frame_of_a_fault_is_already_suspicious() -> None:
    camera = Camera()
    suspicions = []
    for picture in (usual, even((150, 170, 210)), lambda _: tray(1)):
        camera.show(picture, 0.1)
        suspicions.append(camera.check.is_suspicious)
    assert suspicions == [False, True, False]


def test_health_comes_back_with_the_picture() -> None:
    camera = Camera()
    camera.show(usual, 1.0)
    assert camera.show(lambda _: tray(0), 2.0)[-1]
    assert camera.show(usual, 0.5)[1:] == [None] * 4


def test_faults_shorter_than_a_second_are_none() -> None:
    camera = Camera()
    for cover in (lambda n: tray(n % NOISES, 0.0), even((150, 170, 210)), lambda _: tray(0)):
        camera.show(usual, 1.0)
        assert not kinds(camera.show(cover, 0.8))


@pytest.mark.parametrize("plain", [False, True])
def test_an_empty_tray_is_healthy(plain: bool) -> None:
    camera = Camera()
    camera.show(lambda n: tray(n % NOISES, plain=plain), 2.0)
    assert not kinds(camera.show(lambda n: tray(n % NOISES, dice=False, plain=plain), 4.0))


@pytest.mark.parametrize("light", [0.2, 0.4, 1.6])
def test_dim_and_bright_light_is_healthy(light: float) -> None:
    camera = Camera()
    camera.show(usual, 2.0)
    assert not kinds(camera.show(lambda n: tray(n % NOISES, light), 4.0))


def test_a_hand_over_the_tray_is_healthy() -> None:
    camera = Camera()
    camera.show(usual, 2.0)

    def hand(n: int) -> Image:
        picture = usual(n).copy()
        cv2.ellipse(picture, (200 + 10 * (n % 20), 180), (150, 110), 0, 0, 360, (120, 150, 200), -1)
        return noisy(picture, n % NOISES)

    assert not kinds(camera.show(hand, 4.0))


def test_a_picture_without_any_noise_at_the_limit_is_not_frozen() -> None:
    glaring = np.full((*SIZE_WH[::-1], 3), 255, np.uint8)
    assert FaultKind.FROZEN not in kinds(Camera().show(lambda _: glaring, 3.0))


def test_a_camera_opened_again_is_checked_from_the_start() -> None:
    check = HealthCheck()
    Camera(check).show(usual, 2.0)
    assert not kinds(Camera(check).show(even((150, 170, 210)), 3.0))
