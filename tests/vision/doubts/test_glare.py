# SPDX-License-Identifier: MIT
"""Shine is a doubt where it may hide the pips of a larger number, and only there."""

from __future__ import annotations

from dataclasses import replace

import cv2
import pytest

from tests.support.drawn_dice import FaceDrawing, drawn_tray
from tests.vision.doubts.found import tops_in
from vision.doubts.glare import find_glare
from vision.doubts.params import GlareParams
from vision.frame import Image

RED, PALE = (40, 30, 190), (235, 240, 240)
STEP = 24


def _shining(number: int, places: list[tuple[int, int]], *, edge_px: int = 96) -> Image:
    """A red die with a lamp's mirror image in some of the places of pips."""
    image = drawn_tray([FaceDrawing(number, 320, 240, edge_px=edge_px, body=RED, pip=PALE)])
    for x, y in places:
        cv2.circle(image, (320 + x * STEP, 240 + y * STEP), 11, (255, 255, 255), -1)
    return image


def _told(clean: Image, shining: Image) -> bool:
    # The face as it was read before the lamp shone: whether it can be read is not asked here.
    (top,) = tops_in(clean)
    return bool(find_glare(shining, [top], GlareParams()))


@pytest.mark.parametrize(
    ("number", "places"),
    [
        (2, [(0, 0)]),
        (4, [(0, 0)]),
        (1, [(-1, -1), (1, 1)]),
        (4, [(-1, 0), (1, 0)]),
    ],
)
def test_a_larger_number_may_hide_there(number: int, places: list[tuple[int, int]]) -> None:
    assert _told(_shining(number, []), _shining(number, places))


@pytest.mark.parametrize(
    ("number", "places"),
    [(2, []), (5, [(0, 1)]), (6, [(0, 0)]), (3, [(1, 0)]), (4, [(0, 1)]), (1, [(1, 1)])],
)
def test_no_number_lacks_only_that(number: int, places: list[tuple[int, int]]) -> None:
    assert not _told(_shining(number, []), _shining(number, places))


def test_a_face_that_is_not_read_and_shines_is_told_why() -> None:
    image = _shining(5, [(0, 1), (1, 0)])
    (top,) = tops_in(_shining(5, []))
    assert find_glare(image, [replace(top, flaw="uneven")], GlareParams())
    assert not find_glare(_shining(5, []), [replace(top, flaw="uneven")], GlareParams())


def test_a_white_die_in_full_light_does_not_shine() -> None:
    white = (253, 253, 253)
    image = drawn_tray([FaceDrawing(2, 320, 240, edge_px=96, body=white)])
    assert find_glare(image, tops_in(image), GlareParams()) == []
