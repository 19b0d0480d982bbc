# SPDX-License-Identifier: MIT
"""Where the corners of a felt may be: in its colour, with dice on it, at any turn."""

from __future__ import annotations

from math import dist

import cv2
import numpy as np
import pytest

from vision.calibration.find_felt import propose_felt
from vision.frame import Image

FELT, WOOD, WHITE = (50, 110, 40), (40, 70, 110), (225, 230, 230)


def draw_felt(corners: list[tuple[int, int]], *, felt: tuple[int, int, int] = FELT) -> Image:
    """Draw a felt with two dice, one of them at its rim, on wood; 640 x 360."""
    image = np.full((360, 640, 3), WOOD, np.uint8)
    cv2.fillConvexPoly(image, np.array(corners), felt)
    cv2.rectangle(image, (300, 150), (330, 180), WHITE, -1)
    (x, y), (end_x, end_y) = corners[0], corners[1]
    middle = ((x + end_x) // 2, (y + end_y) // 2)
    cv2.rectangle(image, middle, (middle[0] + 30, middle[1] + 30), WHITE, -1)
    return image


@pytest.mark.parametrize("felt", [FELT, (25, 25, 25), (120, 60, 30)])
@pytest.mark.parametrize(
    "corners",
    [[(60, 40), (580, 40), (580, 320), (60, 320)], [(150, 40), (500, 60), (600, 320), (40, 300)]],
)
def test_corners_of_a_plain_felt_are_proposed(
    corners: list[tuple[int, int]], felt: tuple[int, int, int]
) -> None:
    proposed = propose_felt(draw_felt(corners, felt=felt))
    assert len(proposed) == 4
    assert all(dist(*pair) < 12.0 for pair in zip(corners, proposed, strict=True))


def test_corners_in_a_small_picture_are_inside_of_it() -> None:
    felt = draw_felt([(60, 40), (580, 40), (639, 359), (0, 359)])
    image = np.asarray(cv2.resize(felt, (160, 120)), np.uint8)
    assert max(y for _, y in propose_felt(image)) <= 119.0


@pytest.mark.parametrize("name", ["plain", "noise", "round", "small"])
def test_nothing_is_proposed_without_a_felt(name: str) -> None:
    image = np.full((360, 640, 3), WOOD, np.uint8)
    if name == "noise":
        image = np.random.default_rng(1).integers(0, 255, image.shape, np.uint8)
    if name == "round":
        cv2.circle(image, (320, 180), 150, FELT, -1)
    if name == "small":
        cv2.rectangle(image, (300, 170), (340, 190), FELT, -1)
    assert propose_felt(image) == ()
