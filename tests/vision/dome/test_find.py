# SPDX-License-Identifier: MIT
"""A dome is found by its foot, wherever it stands, or it is honestly not found."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.drawn_dice import FaceDrawing, drawn_tray
from tests.vision.mapped import upright_map
from vision.dome.find import LEAST_SUPPORT, find_dome, mark_dome, measure_dome
from vision.frame import Image
from vision.tray_map import TrayMap

MIDDLE, RADIUS_PX = (330.0, 250.0), 150.0
TRAY = replace(upright_map(px_per_mm=3.0), dome_mm=100.0)
PLACES = ((-80.0, -30.0), (0.0, -90.0), (85.0, -20.0), (50.0, 80.0), (-50.0, 70.0))
DICE = [
    FaceDrawing(number, MIDDLE[0] + x, MIDDLE[1] + y, edge_px=50.0, angle_deg=17.0 * number)
    for number, (x, y) in enumerate(PLACES, start=1)
]


def draw_dome(
    middle: tuple[float, float] = MIDDLE,
    *,
    squash: float = 1.0,
    hand: bool = False,
    rims: tuple[float, ...] = (1.0, 1.18),
) -> Image:
    """Return a picture of dice under a dome with a floor, a base and a lamp's image."""
    shift = middle[0] - MIDDLE[0], middle[1] - MIDDLE[1]
    dice = [replace(die, x=die.x + shift[0], y=die.y + shift[1]) for die in DICE]
    picture = drawn_tray(dice)
    x, y = (round(16.0 * value) for value in middle)
    for rim, colour in zip(rims, ((200, 205, 200), (60, 60, 60)), strict=False):
        axes = round(16.0 * rim * RADIUS_PX), round(16.0 * rim * squash * RADIUS_PX)
        cv2.ellipse(picture, (x, y), axes, 25.0, 0.0, 360.0, colour, 3, cv2.LINE_AA, 4)
    cv2.circle(picture, (int(middle[0]) - 10, int(middle[1]) - 10), 7, (255, 255, 255), -1)
    if hand:
        cv2.rectangle(picture, (300, 350), (420, 479), (120, 150, 200), -1)
    return picture


def wood() -> Image:
    """Return a picture of boards and dice, without a dome."""
    picture = drawn_tray(DICE)
    grain = np.random.default_rng(4).integers(-14, 14, (480, 1, 3))
    picture = np.clip(picture.astype(int) + grain, 0, 255).astype(np.uint8)
    for y in range(20, 480, 70):
        cv2.line(picture, (0, y), (639, y + 12), (40, 60, 80), 3)
    return picture


@pytest.mark.parametrize("middle", [(330.0, 250.0), (200.0, 200.0), (430.0, 270.0)])
@pytest.mark.parametrize("tray", [None, TRAY], ids=["without a map", "with its size"])
def test_a_dome_is_found_where_it_stands(middle: tuple[float, float], tray: TrayMap | None) -> None:
    foot = find_dome(draw_dome(middle), tray)
    assert foot is not None
    assert foot.center_px == pytest.approx(middle, abs=4.0)
    away = np.linalg.norm(np.array(foot.outline_px) - middle, axis=1)
    assert away == pytest.approx(np.full(len(away), RADIUS_PX), abs=6.0)
    assert foot.support > 0.8


def test_a_dome_of_known_size_is_found_on_a_patterned_ground() -> None:
    """The strongest edges are the pattern's, not the dome's."""
    rng = np.random.default_rng(7)
    bare = drawn_tray(DICE).astype(np.float32)
    faint = bare + 0.33 * (draw_dome().astype(np.float32) - bare)
    spots = cv2.resize(rng.normal(0.0, 60.0, (240, 320)).astype(np.float32), (640, 480))
    pattern = spots[..., None]
    foot = find_dome(np.clip(faint + pattern, 0, 255).astype(np.uint8), TRAY)
    assert foot is not None
    assert foot.center_px == pytest.approx(MIDDLE, abs=4.0)
    for tray in (TRAY, None):
        assert find_dome(np.clip(bare + pattern, 0, 255).astype(np.uint8), tray) is None


def test_the_foot_is_the_inner_one_of_the_rims() -> None:
    """The base around it is as round, but no die is on it."""
    foot = find_dome(draw_dome(rims=(1.0, 1.18)), None)
    assert foot is not None
    away = np.linalg.norm(np.array(foot.outline_px) - foot.center_px, axis=1)
    assert away.mean() == pytest.approx(RADIUS_PX, abs=4.0)


def test_a_dome_seen_at_a_slant_is_an_ellipse() -> None:
    foot = find_dome(draw_dome(squash=0.9), None)
    assert foot is not None
    away = np.linalg.norm(np.array(foot.outline_px) - foot.center_px, axis=1)
    assert away.min() == pytest.approx(0.9 * RADIUS_PX, abs=4.0)
    assert away.max() == pytest.approx(RADIUS_PX, abs=4.0)


def test_a_hand_on_the_dome_hides_a_part_of_its_foot() -> None:
    whole, held = (find_dome(draw_dome(hand=hand), TRAY) for hand in (False, True))
    assert whole is not None
    assert held is not None
    assert held.support < whole.support
    assert held.center_px == pytest.approx(whole.center_px, abs=2.0)


@pytest.mark.parametrize("tray", [None, TRAY], ids=["without a map", "with its size"])
@pytest.mark.parametrize(
    "picture",
    [
        wood(),
        drawn_tray(DICE),
        drawn_tray([]),
        np.zeros((480, 640, 3), np.uint8),
        draw_dome((120.0, 240.0)),
        draw_dome((330.0, 400.0)),
    ],
    ids=["wood", "dice", "felt", "dark", "cut off at the side", "cut off below"],
)
def test_no_dome_is_found_where_none_is_seen_completely(
    picture: Image, tray: TrayMap | None
) -> None:
    assert find_dome(picture, tray) is None


def test_a_dome_of_another_size_is_not_the_one_of_the_map() -> None:
    assert find_dome(draw_dome(rims=(1.0,)), replace(TRAY, dome_mm=70.0)) is None


def test_the_size_of_a_dome_is_measured_on_the_felt() -> None:
    found = measure_dome(draw_dome(), replace(TRAY, dome_mm=0.0))
    assert found is not None
    assert found.diameter_mm == pytest.approx(100.0, abs=2.0)
    assert found.foot.support >= LEAST_SUPPORT
    assert measure_dome(wood(), TRAY) is None


def test_a_dome_is_marked_by_its_middle_and_its_rim() -> None:
    found = mark_dome(TRAY, MIDDLE, (MIDDLE[0], MIDDLE[1] + 120.0))
    assert found is not None
    assert found.diameter_mm == pytest.approx(80.0, abs=0.1)
    assert mark_dome(TRAY, MIDDLE, (MIDDLE[0] + 9.0, MIDDLE[1])) is None
