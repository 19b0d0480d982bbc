# SPDX-License-Identifier: MIT
"""Faults of the light have a position and a remedy."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest

from tests.vision.calibration.pictures import (
    PICTURE_WH,
    find_tray,
    open_camera_with_cards,
    take_picture,
)
from vision.calibration.lighting import LightFault, LightKind, find_light_faults
from vision.calibration.markers import find_markers
from vision.frame import Image


@pytest.fixture(scope="module")
def picture() -> Image:
    return take_picture(open_camera_with_cards())


def find_kinds(
    picture: Image, seen: np.ndarray, *, has_cards: bool = True
) -> tuple[LightFault, ...]:
    tray = find_tray(picture).tray
    image = np.clip(seen, 0, 255).astype(np.uint8)
    return find_light_faults(image, tray, find_markers(image) if has_cards else ())


@pytest.mark.parametrize("has_cards", [True, False])
def test_good_light_is_not_faulted(picture: Image, has_cards: bool) -> None:
    assert find_kinds(picture, picture, has_cards=has_cards) == ()


@pytest.mark.parametrize("has_cards", [True, False])
def test_too_little_light_is_reported(picture: Image, has_cards: bool) -> None:
    (fault,) = find_kinds(picture, picture * 0.3, has_cards=has_cards)
    assert fault.kind is LightKind.DARK
    assert "Add light" in fault.text


def test_too_much_light_is_reported(picture: Image) -> None:
    faults = find_kinds(picture, picture * 1.6)
    assert LightKind.BRIGHT in {fault.kind for fault in faults}
    assert LightKind.GLARE not in {fault.kind for fault in faults}


@pytest.mark.parametrize(
    ("place", "side"), [((640, 360), "middle"), ((240, 360), "left"), ((1000, 560), "front right")]
)
def test_glare_is_reported_with_its_position(
    picture: Image, place: tuple[int, int], side: str
) -> None:
    shining = cv2.circle(picture.copy(), place, 30, (255, 255, 255), -1)
    (fault,) = find_kinds(picture, shining)
    assert fault.kind is LightKind.GLARE
    assert re.match(f"Glare (at|in) the {side}:", fault.text)
    assert fault.center_px == pytest.approx(place, abs=6.0)
    assert fault.radius_px == pytest.approx(30.0, rel=0.25)


@pytest.mark.parametrize(("fading", "side"), [((0.1, 1.0), "left"), ((1.0, 0.1), "right")])
def test_uneven_light_is_reported_with_its_dark_side(
    picture: Image, fading: tuple[float, float], side: str
) -> None:
    light = np.linspace(*fading, PICTURE_WH[0])[None, :, None]
    uneven = [f for f in find_kinds(picture, picture * light) if f.kind is LightKind.UNEVEN]
    assert len(uneven) == 1
    assert side in uneven[0].text
    assert uneven[0].center_px is not None
