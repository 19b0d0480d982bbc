# SPDX-License-Identifier: MIT
"""If the count of dice is unknown, a body like those of the read dice is a doubt."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.faces import make_face
from vision.checks.plane import Plane
from vision.checks.unread import find_unread_bodies
from vision.face import Face
from vision.frame import Image
from vision.nets.finder import Sighting
from vision.reading import Doubt, DoubtKind

_SCALE = 0.25
_FACES = [make_face(120, 100), make_face(300, 220)]
_PLANE = Plane(np.array([0.0, 0.0, -1.0]), np.array([319.5, 239.5]), 1e6, is_known=True)
_WHITE, _BLUE = (225, 230, 230), (200, 90, 30)
_SIDE_PX = 60


def _tray(x: int, y: int, *, side_px: int = _SIDE_PX, bgr: tuple[int, int, int] = _WHITE) -> Image:
    """A square body on dark felt."""
    image = np.full((480, 640, 3), 40, np.uint8)
    half = side_px // 2
    image[y - half : y + half, x - half : x + half] = bgr
    return image


def _sighting(image: Image, *, as_die: bool) -> Sighting:
    """The body on one of the finder's maps, and the read dice on the map of dice."""
    body = (image.max(axis=2) > 60)[::4, ::4].astype(np.float32)
    dice = np.zeros_like(body)
    for face in _FACES:
        x, y = (face.center * _SCALE).astype(int)
        dice[y - 7 : y + 8, x - 7 : x + 8] = 1.0
    nothing = np.zeros_like(body)
    die_map, thing_map = (np.maximum(dice, body), nothing) if as_die else (dice, body)
    return Sighting((), die_map, thing_map, _SCALE)


def _doubts(image: Image, *, as_die: bool = False, faces: list[Face] = _FACES) -> list[Doubt]:
    sighting = _sighting(image, as_die=as_die)
    return find_unread_bodies(image, sighting, faces, _PLANE)


def test_an_object_of_their_size_and_colour_is_a_doubt() -> None:
    (doubt,) = _doubts(_tray(480, 360))
    assert doubt.kind is DoubtKind.UNSURE
    assert doubt.center_px == pytest.approx((480, 360), abs=4)


def test_an_object_of_another_colour_is_none() -> None:
    assert _doubts(_tray(480, 360, bgr=_BLUE)) == []


def test_a_part_of_a_die_counts_in_any_colour() -> None:
    assert len(_doubts(_tray(480, 360, bgr=_BLUE), as_die=True)) == 1


@pytest.mark.parametrize("side_px", [28, 120])
def test_an_object_of_another_size_is_none(side_px: int) -> None:
    assert _doubts(_tray(480, 360, side_px=side_px)) == []


def test_read_dice_are_no_doubts() -> None:
    assert _doubts(_tray(120, 100)) == []


def test_without_a_read_die_nothing_says_how_large_a_die_is() -> None:
    assert _doubts(_tray(480, 360), as_die=True, faces=[]) == []
