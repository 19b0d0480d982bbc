# SPDX-License-Identifier: MIT
"""A proposed face lies upright, in the middle, with a known edge in its tile."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.drawn_dice import BLACK, WHITE, FaceDrawing, drawn_tray
from vision.cutout import FACE_PX, TILE_PX, cut_tiles, to_picture


def _half_edges(edge_px: float, angle_deg: float) -> NDArray[np.float64]:
    turn = np.deg2rad(angle_deg)
    along = np.array([np.cos(turn), np.sin(turn)]) * edge_px / 2.0
    return np.stack([along, np.array([-along[1], along[0]])], axis=1)


@pytest.mark.parametrize("edge_px", [20, 48, 170])
@pytest.mark.parametrize("angle_deg", [0.0, 31.0])
def test_a_face_fills_the_middle_of_its_tile(edge_px: int, angle_deg: float) -> None:
    die = FaceDrawing(1, 240, 200, edge_px=edge_px, angle_deg=angle_deg)
    image = drawn_tray([die])
    tiles = cut_tiles(image, np.array([[240.0, 200.0]]), _half_edges(edge_px, angle_deg)[None])
    assert tiles.shape == (1, TILE_PX, TILE_PX, 3)
    light = tiles[0].min(axis=2) > (WHITE[0] + BLACK[0]) / 2
    rim = (TILE_PX - FACE_PX) // 2
    assert light[rim + 5 : -rim - 5, rim + 3].mean() > 0.9
    assert light[:, : rim - 3].mean() < 0.02
    assert not light[TILE_PX // 2, TILE_PX // 2]


def test_a_tile_pixel_has_its_place_in_the_picture() -> None:
    center, halves = np.array([100.0, 60.0]), _half_edges(30, 40.0)
    matrix, offset = to_picture(center, halves)
    middle = np.full(2, (TILE_PX - 1) / 2.0)
    np.testing.assert_allclose(matrix @ middle + offset, center)
    side = middle + np.array([FACE_PX / 2.0, 0.0])
    np.testing.assert_allclose(matrix @ side + offset, center + halves[:, 0])


def test_fine_stripes_become_grey_when_they_shrink() -> None:
    stripes = np.zeros((600, 600, 3), np.uint8)
    stripes[:, ::2] = 200
    tile = cut_tiles(stripes, np.array([[300.0, 300.0]]), _half_edges(400, 20.0)[None])[0]
    assert np.ptp(tile) < 40


def test_beyond_the_picture_its_border_goes_on() -> None:
    image = np.full((50, 50, 3), 90, np.uint8)
    tile = cut_tiles(image, np.array([[1.0, 49.0]]), _half_edges(60, 0.0)[None])[0]
    assert (tile == 90).all()
