# SPDX-License-Identifier: MIT
"""A camera may do much to a picture, but what is in it stays in it."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.training.scenes.lens import expose


def scene() -> NDArray[np.float32]:
    """Return a white square with five dark spots on grey, in linear light."""
    light = np.full((180, 320, 3), 0.12, np.float32)
    light[60:120, 130:190] = 0.6
    for x, y in ((142, 72), (178, 72), (160, 90), (142, 108), (178, 108)):
        cv2.circle(light, (x, y), 5, (0.02, 0.02, 0.02), -1, cv2.LINE_AA)
    return light


def expose_scene(seed: int, *, gentle: bool = False) -> NDArray[np.uint8]:
    """Return the picture a camera takes of it."""
    return expose(np.random.default_rng(seed), scene(), gentle=gentle)


@pytest.mark.parametrize("gentle", [False, True])
def test_spots_are_darker_than_the_face_in_every_picture(gentle: bool) -> None:
    for seed in range(80):
        image = expose_scene(seed, gentle=gentle).astype(float).mean(2)
        spots = np.mean([image[y, x] for x, y in ((142, 72), (178, 72), (160, 90), (142, 108))])
        face = np.mean([image[y, x] for x, y in ((160, 70), (160, 110), (142, 90), (178, 90))])
        assert face > spots + 12


def test_a_careful_camera_stays_nearer_to_the_scene() -> None:
    truth = scene() ** (1 / 2.2) * 255

    def strays(gentle: bool) -> float:
        offs = []
        for seed in range(30):
            image = expose_scene(seed, gentle=gentle).astype(float)
            gain = float((image * truth).sum() / (image * image).sum())
            offs.append(float(np.abs(image * gain - truth).mean()))
        return float(np.mean(offs))

    assert strays(gentle=True) < 0.7 * strays(gentle=False)


def test_a_locked_exposure_shows_that_the_light_went() -> None:
    def level(light: NDArray[np.float32], meter: NDArray[np.float32] | None) -> float:
        image = expose(np.random.default_rng(3), light, gentle=True, meter=meter)
        return float(image.mean())

    full, half = scene(), scene() * np.float32(0.5)
    assert level(full, full) == pytest.approx(level(full, None), abs=1)
    assert level(half, full) < level(half, None) - 5
