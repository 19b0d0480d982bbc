# SPDX-License-Identifier: MIT
"""What is of a die's size and no read die is told; shadows, rails and lamps' light are not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.drawn_dice import GREEN_FELT, FaceDrawing, drawn_tray
from tests.vision.doubts.found import no_stances, pips_in, size_wh_of, tops_in
from vision.doubts.fit import see_plane
from vision.doubts.params import DoubtParams
from vision.doubts.spots import spots_left
from vision.doubts.telling import doubt_at, each_once
from vision.doubts.things import find_things, see_things, usual_edge_px
from vision.frame import Image
from vision.reading import Doubt, DoubtKind

PARAMS = DoubtParams()
DICE = [
    FaceDrawing(n, 90 + 130 * (n % 3), 110 + 150 * (n // 3), angle_deg=17 * n) for n in (2, 3, 4, 5)
]
FREE = (500, 340)


def _things(image: Image) -> list[Doubt]:
    tops = tops_in(image)
    plane = see_plane(tops, size_wh_of(image), PARAMS.planes, stances=no_stances(tops))
    return find_things(image, tops, PARAMS.things, plane=plane)


@pytest.mark.parametrize("colour", [(225, 230, 230), (40, 30, 190), (200, 120, 30), (10, 20, 8)])
def test_a_thing_of_a_dies_size_is_told_where_it_lies(colour: tuple[int, int, int]) -> None:
    image = drawn_tray([*DICE, FaceDrawing(0, *FREE, body=colour)])
    (doubt,) = _things(image)
    assert doubt.kind is DoubtKind.FOREIGN_OBJECT
    assert doubt.center_px == pytest.approx(FREE, abs=8)
    assert 30 < doubt.radius_px < 70


def test_read_dice_are_no_things() -> None:
    assert _things(drawn_tray(DICE)) == []


def test_what_is_no_dies_size_or_shape_is_ground() -> None:
    image = drawn_tray(DICE)
    cv2.line(image, (420, 400), (620, 300), (40, 200, 240), 10)
    cv2.rectangle(image, (0, 0), (639, 479), (30, 60, 90), 34)
    assert _things(image) == []


def test_a_shadow_that_hangs_on_a_die_is_no_thing() -> None:
    image = drawn_tray(DICE)
    for die in DICE:
        x, y = int(die.x), int(die.y)
        dark = tuple(int(0.4 * level) for level in GREEN_FELT)
        cv2.rectangle(image, (x + 30, y - 20), (x + 62, y + 38), dark, -1)
    assert _things(image) == []


def test_the_light_of_a_lamp_on_the_felt_is_no_thing() -> None:
    light = np.zeros((480, 640), np.float32)
    cv2.circle(light, (480, 330), 70, 1.0, -1)
    light = cv2.GaussianBlur(light, (0, 0), 35.0)[:, :, None] * 60.0
    image = np.clip(drawn_tray(DICE) + light, 0, 255).astype(np.uint8)
    assert _things(image) == []


def test_without_dice_things_of_usual_sizes_are_told() -> None:
    assert find_things(drawn_tray([]), [], PARAMS.things) == []
    (doubt,) = find_things(drawn_tray([FaceDrawing(0, *FREE)]), [], PARAMS.things)
    assert doubt.center_px == pytest.approx(FREE, abs=8)


@pytest.mark.parametrize("size_wh", [(1, 1), (9, 5), (40, 7)])
def test_tiny_pictures_hold_no_things(size_wh: tuple[int, int]) -> None:
    image = np.zeros((size_wh[1], size_wh[0], 3), np.uint8)
    assert find_things(image, [], PARAMS.things) == []


def _spots(image: Image, dice: Image) -> list[Doubt]:
    """Spots of a picture that the dice of another one leave unexplained."""
    tops = tops_in(dice)
    edge = usual_edge_px(tops)
    things = see_things(image, edge, PARAMS.things, tops=tops)
    return spots_left(pips_in(image), tops, edge, PARAMS.spots, things=things)


def test_pips_of_a_die_that_was_not_read_are_told() -> None:
    broken = drawn_tray([*DICE, FaceDrawing(6, *FREE, left_out=(1, 3))])
    told = _spots(broken, drawn_tray(DICE))
    assert len(told) == 4
    assert {doubt.kind for doubt in told} == {DoubtKind.UNSURE}
    for doubt in told:
        assert doubt.center_px is not None
        assert np.abs(np.subtract(doubt.center_px, FREE)).max() < 30


def test_pips_beside_those_of_a_read_face_are_told() -> None:
    image = drawn_tray(DICE)
    die = DICE[0]
    cv2.circle(image, (int(die.x) + 38, int(die.y) + 4), 6, (35, 35, 35), -1)
    cv2.circle(image, (int(die.x) + 38, int(die.y) + 4), 9, (225, 230, 230), 4)
    assert _spots(image, drawn_tray(DICE))


def test_read_dice_leave_no_spots() -> None:
    assert _spots(drawn_tray(DICE), drawn_tray(DICE)) == []
    assert spots_left(pips_in(drawn_tray([])), [], 60.0, PARAMS.spots) == []


def test_striking_spots_are_told_where_no_die_was_read() -> None:
    image = drawn_tray([FaceDrawing(6, *FREE, left_out=(1, 3))])
    assert len(spots_left(pips_in(image), [], 60.0, PARAMS.spots)) == 4


def test_the_same_is_told_once_of_a_place() -> None:
    one = doubt_at(DoubtKind.UNSURE, np.array([10.0, 10.0]), 20.0)
    near = doubt_at(DoubtKind.UNSURE, np.array([25.0, 10.0]), 5.0)
    other = doubt_at(DoubtKind.COCKED, np.array([10.0, 10.0]), 20.0)
    far = doubt_at(DoubtKind.UNSURE, np.array([60.0, 10.0]), 20.0)
    count = Doubt(DoubtKind.COUNT, "4 of 5 dice are read.")
    assert each_once([one, near, other, far, count]) == [one, other, far, count]
