# SPDX-License-Identifier: MIT
"""Spots on a tile are found whole, whatever shines in them or touches them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.frame import Image
from vision.geometry.params import SpotParams
from vision.geometry.spots import Spots, find_spots
from vision.geometry.unlike import see_unlike

_BODY = (200, 210, 215)


def _tile(*circles: tuple[tuple[int, int], int, tuple[int, int, int]]) -> Image:
    """A plain face with discs: where, how large, of which colour."""
    tile = np.full((80, 80, 3), _BODY, np.uint8)
    for (x, y), radius, colour in circles:
        cv2.circle(tile, (x * 16, y * 16), radius * 16, colour, -1, cv2.LINE_AA, shift=4)
    return tile


def _spots(*tiles: Image) -> Spots:
    return find_spots(see_unlike(np.stack(tiles)), SpotParams())


def test_place_size_and_level_of_a_disc_are_measured() -> None:
    spots = _spots(_tile(((30, 45), 5, (20, 20, 20))))
    assert spots.there.sum() == 1
    assert spots.xy[0, 0] == pytest.approx((30, 45), abs=0.5)
    assert spots.radius[0, 0] == pytest.approx(5.0, abs=0.6)
    assert spots.level[0, 0] == pytest.approx(188, abs=8)
    assert spots.closed[0, 0] == 1.0


@pytest.mark.parametrize("radius", [2, 3, 4, 5, 6, 8, 10])
def test_a_disc_of_any_size_is_one_spot(radius: int) -> None:
    spots = _spots(_tile(((40, 40), radius, (20, 20, 20))))
    assert spots.there.sum() == 1
    assert spots.radius[0, 0] == pytest.approx(radius, abs=0.8)


def test_a_highlight_in_a_disc_leaves_it_one_spot() -> None:
    spots = _spots(_tile(((40, 40), 6, (20, 20, 20)), ((42, 38), 2, (255, 255, 255))))
    assert spots.there.sum() == 1
    assert spots.xy[0, 0] == pytest.approx((40, 40), abs=1.0)


def test_half_shade_and_half_shine_is_one_spot() -> None:
    tile = _tile(((40, 40), 5, (120, 130, 135)))
    cv2.ellipse(tile, (40, 40), (5, 5), 0, 0, 180, (255, 255, 255), -1, cv2.LINE_AA)
    spots = _spots(tile)
    assert spots.there.sum() == 1
    assert spots.xy[0, 0] == pytest.approx((40, 40), abs=1.5)


def test_discs_that_nearly_touch_are_spots_of_their_own() -> None:
    spots = _spots(_tile(*(((28 + 11 * k, 40), 5, (20, 20, 20)) for k in range(3))))
    assert spots.there.sum() == 3
    assert sorted(spots.xy[0, :3, 0]) == pytest.approx([28, 39, 50], abs=1.0)


def test_tiles_keep_their_spots_apart() -> None:
    spots = _spots(_tile(), _tile(((40, 40), 5, (0, 0, 200))))
    assert spots.there.sum(axis=1).tolist() == [0, 1]
    assert spots.tint[1, 0, 2] > spots.tint[1, 0, 0]


def test_light_that_falls_off_over_a_face_is_no_spot() -> None:
    slope = np.linspace(120, 220, 80)[None, :, None]
    tile = np.broadcast_to(slope, (80, 80, 3)).astype(np.uint8)
    assert not _spots(tile).there.any()
