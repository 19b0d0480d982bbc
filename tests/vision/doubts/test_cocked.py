# SPDX-License-Identifier: MIT
"""A die that leans is a doubt with its place; flat dice are none, however the camera looks."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.clock import SteppedClock
from hardware.simulated.body import DieKind
from hardware.simulated.camera import SimulatedCamera
from tests.support.drawn_dice import FaceDrawing, drawn_tray
from tests.vision.doubts.found import size_wh_of, tops_in
from tests.vision.mapped import simulated_map, upright_map
from vision.doubts.cocked import find_cocked
from vision.doubts.fit import see_plane
from vision.doubts.params import DoubtParams
from vision.frame import Image
from vision.geometry.choose import Candidate
from vision.tray_map import TrayMap

PARAMS = DoubtParams()
WHITE, BLACK = DieKind.WHITE, DieKind.BLACK


def _cocked(
    image: Image, *, tray: TrayMap | None = None, odd: float = 0.0
) -> tuple[list[Candidate], list[Candidate]]:
    """All top faces of a picture, and those of them that lean."""
    tops = tops_in(image)
    plane = see_plane(tops, size_wh_of(image), PARAMS.planes, tray=tray)
    return tops, find_cocked(image, tops, plane, PARAMS, odds=[odd] * len(tops))


def _simulated(
    seed: int, dice: tuple[DieKind, ...], *, leaning: bool
) -> tuple[Image, TrayMap, tuple[float, float]]:
    """A picture of the simulated tray, its map, and where the first die's top is seen."""
    clock = SteppedClock()
    with SimulatedCamera(clock, seed=seed, dice=dice) as camera:
        if leaning:
            camera.tilt(0)
        clock.wait_s(3.0)
        die = camera.truth()[0]
        place = camera.project(die.x_mm, die.y_mm, 14.0)
        return camera.frame(1.0).image_bgr, simulated_map(camera), place


@pytest.mark.parametrize("dice", [(WHITE,), (BLACK,), (WHITE, BLACK), (WHITE,) * 5])
@pytest.mark.parametrize("seed", [3, 8])
def test_on_a_calibrated_tray_each_die_is_told_by_itself(
    seed: int, dice: tuple[DieKind, ...]
) -> None:
    image, tray, place = _simulated(seed, dice, leaning=True)
    _, cocked = _cocked(image, tray=tray, odd=0.5)
    assert len(cocked) == 1
    assert np.hypot(*(cocked[0].face.center - place)) < 35.0


@pytest.mark.parametrize("seed", [1, 5, 7])
def test_a_die_that_seems_odd_leans_when_its_sides_show(seed: int) -> None:
    image, tray, _ = _simulated(seed, (WHITE,) * 5, leaning=True)
    assert _cocked(image, tray=tray)[1] == []
    assert len(_cocked(image, tray=tray, odd=0.5)[1]) == 1


@pytest.mark.parametrize("dice", [(WHITE,) * 5, (BLACK,) * 5, (WHITE, BLACK), (BLACK,)])
@pytest.mark.parametrize("seed", [3, 11])
def test_flat_dice_all_over_the_tray_do_not_lean(seed: int, dice: tuple[DieKind, ...]) -> None:
    image, tray, _ = _simulated(seed, dice, leaning=False)
    for known in (tray, None):
        tops, cocked = _cocked(image, tray=known)
        assert len(tops) == len(dice)
        assert cocked == []


@pytest.mark.parametrize("squash", [1.0, 0.9])
def test_one_of_many_that_is_seen_flatter_leans(squash: float) -> None:
    places = ((110, 100), (320, 90), (520, 110), (130, 360), (510, 350))
    faces = [FaceDrawing(5, x, y, edge_px=80, squash=squash, angle_deg=x) for x, y in places]
    assert _cocked(drawn_tray(faces))[1] == []
    odd = FaceDrawing(4, 320, 240, edge_px=80, squash=squash * 0.75)
    _, cocked = _cocked(drawn_tray([*faces, odd]))
    assert [die.face.number for die in cocked] == [4]


def test_where_most_disagree_with_any_plane_none_is_blamed() -> None:
    faces = [
        FaceDrawing(5, 110 + 200 * (i % 3), 120 + 220 * (i // 3), edge_px=80, squash=0.6 + 0.08 * i)
        for i in range(6)
    ]
    assert _cocked(drawn_tray(faces))[1] == []


def test_of_two_dice_that_contradict_each_other_none_is_believed() -> None:
    one = FaceDrawing(5, 200, 200, edge_px=80)
    other = FaceDrawing(4, 420, 220, edge_px=80, squash=0.6)
    assert len(_cocked(drawn_tray([one, other]))[1]) == 2
    assert _cocked(drawn_tray([one, FaceDrawing(4, 420, 220, edge_px=80)]))[1] == []


def test_a_die_alone_leans_when_no_camera_would_look_at_it_so() -> None:
    from_the_front = drawn_tray([FaceDrawing(4, 320, 240, edge_px=80, squash=0.7)])
    assert _cocked(from_the_front)[1] == []
    sideways = np.ascontiguousarray(np.rot90(from_the_front))
    assert len(_cocked(sideways)[1]) == 1


def test_a_side_that_shows_from_straight_above_is_no_flat_dies() -> None:
    image = drawn_tray([FaceDrawing(5, 320, 240, edge_px=80)])
    tray = upright_map(px_per_mm=4.0)
    assert _cocked(image, tray=tray, odd=0.5)[1] == []
    cv2.rectangle(image, (359, 203), (380, 277), (150, 155, 155), -1)
    assert len(_cocked(image, tray=tray, odd=0.5)[1]) == 1
    assert _cocked(image, tray=tray, odd=0.1)[1] == []


def test_nothing_leans_where_nothing_lies() -> None:
    assert _cocked(drawn_tray([])) == ([], [])
