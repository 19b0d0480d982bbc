# SPDX-License-Identifier: MIT
"""The sharpness number falls with focus and does not care about light or noise."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.calibration.pictures import open_camera_with_cards, take_picture
from vision.calibration.sharpness import measure_sharpness
from vision.frame import Image


@pytest.fixture(scope="module")
def picture() -> Image:
    return take_picture(open_camera_with_cards())


def blur(picture: Image, sigma_px: float) -> Image:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), np.uint8)


def test_it_falls_with_every_turn_out_of_focus(picture: Image) -> None:
    numbers = [
        measure_sharpness(picture),
        *(measure_sharpness(blur(picture, s)) for s in (1, 2, 4, 8, 16)),
    ]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[0] > 1.2 * numbers[1]
    assert numbers[-1] < 0.2 * numbers[0]


@pytest.mark.parametrize("sigma_px", [0.6, 2.0, 5.0])
@pytest.mark.parametrize("light", [0.4, 0.7, 1.2])
def test_light_does_not_change_it(picture: Image, sigma_px: float, light: float) -> None:
    seen = blur(picture, sigma_px)
    lit = np.clip(seen * light, 0, 255).astype(np.uint8)
    assert measure_sharpness(lit) == pytest.approx(measure_sharpness(seen), rel=0.08)


def test_noise_is_not_taken_for_sharpness(picture: Image) -> None:
    soft = blur(picture, 4.0)
    noise = np.random.default_rng(1).normal(0.0, 4.0, soft.shape)
    noisy = np.clip(soft + noise, 0, 255).astype(np.uint8)
    assert measure_sharpness(noisy) < 1.5 * measure_sharpness(soft)


def test_a_picture_of_nothing_has_none() -> None:
    assert measure_sharpness(np.full((240, 320, 3), 90, np.uint8)) == 0.0
