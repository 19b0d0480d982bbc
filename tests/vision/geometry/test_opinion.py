# SPDX-License-Identifier: MIT
"""On a tile, pips make a number only if nothing is missing and nothing is left."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.drawn_dice import BLACK, RED, WHITE, Colour, FaceDrawing, drawn_tray
from vision.cutout import cut_tiles
from vision.frame import Image
from vision.geometry.opinion import GeometricOpinion, judge_tiles
from vision.geometry.params import GeometryParams

_EDGE_PX = 60


def _tile(die: FaceDrawing, *, size: float = 1.0, turn_deg: float = 0.0) -> Image:
    """The die's tile, cut with the errors that a finder makes."""
    image = drawn_tray([die])
    turn = np.deg2rad(die.angle_deg + turn_deg)
    along = np.array([np.cos(turn), np.sin(turn)]) * _EDGE_PX / 2.0 * size
    halves = np.stack([along, np.array([-along[1], along[0]])], axis=1)
    tiles = cut_tiles(image, np.array([[die.x, die.y]], float), halves[None])
    return np.asarray(tiles[0], np.uint8)


def _opinion(tile: Image) -> GeometricOpinion:
    return judge_tiles(tile[None], GeometryParams())[0]


_DIE = FaceDrawing(5, 200, 180, edge_px=_EDGE_PX, angle_deg=24.0)


@pytest.mark.parametrize("size", [0.85, 1.0, 1.15])
@pytest.mark.parametrize("turn_deg", [-12.0, 0.0, 12.0])
@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6])
def test_each_number_is_read_though_the_tile_is_cut_badly(
    number: int, turn_deg: float, size: float
) -> None:
    tile = _tile(replace(_DIE, number=number), size=size, turn_deg=turn_deg)
    assert _opinion(tile).number == number


@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
@pytest.mark.parametrize("number", [2, 3, 6])
def test_a_quarter_turn_changes_nothing(number: int, quarter: int) -> None:
    tile = np.ascontiguousarray(np.rot90(_tile(replace(_DIE, number=number)), quarter))
    assert _opinion(tile).number == number


@pytest.mark.parametrize(("body", "pip", "light"), [(WHITE, BLACK, False), (RED, WHITE, True)])
def test_polarity_is_told(body: Colour, pip: Colour, light: bool) -> None:
    face = _opinion(_tile(replace(_DIE, body=body, pip=pip))).face
    assert face is not None
    assert face.light is light


def test_yellow_pips_on_a_green_die_are_seen() -> None:
    die = replace(_DIE, number=3, body=(60, 130, 30), pip=(40, 130, 170))
    opinion = _opinion(_tile(die))
    assert opinion.number == 3
    assert opinion.face is not None
    assert opinion.face.light


def test_tiles_side_by_side_are_judged_each_for_itself() -> None:
    tiles = np.stack([_tile(replace(_DIE, number=n)) for n in (4, 1, 6, 2)])
    assert [o.number for o in judge_tiles(tiles, GeometryParams())] == [4, 1, 6, 2]


@pytest.mark.parametrize("number", [4, 5, 6])
def test_a_pip_under_a_highlight_makes_no_smaller_number(number: int) -> None:
    tile = _tile(replace(_DIE, number=number))
    cv2.circle(tile, (28, 28), 9, WHITE, -1)
    assert _opinion(tile).number is None


def test_a_pip_too_many_is_no_number() -> None:
    tile = _tile(replace(_DIE, number=4))
    cv2.circle(tile, (40, 28), 5, BLACK, -1, cv2.LINE_AA)
    opinion = _opinion(tile)
    assert opinion.number is None
    assert "5 spots" in opinion.against


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6])
def test_a_lamp_mirrored_in_every_pip_changes_nothing(number: int) -> None:
    tile = _tile(replace(_DIE, number=number))
    dark = cv2.cvtColor(tile, cv2.COLOR_BGR2GRAY) < 100
    _, _, _, middles = cv2.connectedComponentsWithStats(dark[16:64, 16:64].astype(np.uint8))
    for x, y in middles[1:]:
        cv2.circle(tile, (round(x) + 17, round(y) + 15), 1, WHITE, -1, cv2.LINE_AA)
    assert _opinion(tile).number == number


def test_a_shadow_that_touches_a_pip_leaves_it_a_pip() -> None:
    tile = _tile(replace(_DIE, number=4))
    cv2.line(tile, (52, 0), (52, 24), (150, 150, 150), 4)
    assert _opinion(tile).number == 4


def test_a_part_of_a_six_is_no_four() -> None:
    tile = _tile(replace(_DIE, number=6), size=0.8)
    shifted = np.roll(tile, 9, axis=0)
    assert _opinion(shifted).number in (None, 6)


@pytest.mark.parametrize("corner", [(28, 28), (52, 28), (28, 52), (52, 52)])
def test_pips_of_a_side_below_the_face_are_none_of_its_own(corner: tuple[int, int]) -> None:
    tile = _tile(replace(_DIE, number=4))
    cv2.ellipse(tile, (corner[0], 67), (5, 2), 0, 0, 360, BLACK, -1, cv2.LINE_AA)
    assert _opinion(tile).number == 4


def test_a_bare_tile_says_that_there_are_no_pips() -> None:
    opinion = _opinion(np.full((80, 80, 3), 120, np.uint8))
    assert (opinion.number, opinion.against) == (None, "no pips")


def test_no_tiles_no_opinions() -> None:
    assert judge_tiles(np.empty((0, 80, 80, 3), np.uint8), GeometryParams()) == []
