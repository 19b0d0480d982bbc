# SPDX-License-Identifier: MIT
"""A proposed face lies upright, in the middle, with a known edge in its tile."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.drawn_dice import FaceDrawing, drawn_tray
from vision.frame import Image
from vision.pyramid import Pyramid
from vision.tiles import FACE_PX, TILE_PX, cut_tiles


def _half_edges(edge_px: float, angle_deg: float) -> NDArray[np.float64]:
    turn = np.deg2rad(angle_deg)
    along = np.array([np.cos(turn), np.sin(turn)]) * edge_px / 2.0
    return np.stack([along, np.array([-along[1], along[0]])], axis=1)


def _ramp(size_wh: tuple[int, int]) -> Image:
    """A picture whose blue grows by 1 a pixel to the right and whose green grows downwards."""
    columns, rows = np.meshgrid(np.arange(size_wh[0]), np.arange(size_wh[1]))
    return np.stack([columns, rows, np.zeros_like(rows)], axis=2).astype(np.uint8)


@pytest.mark.parametrize(("tile_px", "face_px"), [(TILE_PX, FACE_PX), (116, 34), (41, 20)])
def test_a_tile_pixel_shows_its_position_in_the_picture(tile_px: int, face_px: int) -> None:
    center, halves = np.array([100.3, 90.8]), _half_edges(face_px, 40.0)
    ramp = _ramp((220, 200))
    (tile,) = cut_tiles(ramp, center[None], halves[None], tile_px=tile_px, face_px=face_px)
    assert tile.shape == (tile_px, tile_px, 3)
    middle = (tile_px - 1) / 2.0
    for x, y in ((0, 0), (tile_px - 1, 3), (tile_px // 2, tile_px // 2), (5, tile_px - 2)):
        expected = center + halves @ (np.array([x, y]) - middle) / (face_px / 2.0)
        np.testing.assert_allclose(tile[y, x, :2], expected, atol=0.6)


@pytest.mark.parametrize("edge_px", [20.0, 30.0, 43.0, 60.0, 95.0, 260.0])
def test_the_position_holds_for_pictures_that_are_shrunk(edge_px: float) -> None:
    """A large face is cut from a smaller copy, which may not shift it."""
    spot, center = np.array([406.3, 388.6]), np.array([400.0, 392.0])
    columns, rows = np.meshgrid(np.arange(800), np.arange(780))
    away = np.square(columns - spot[0]) + np.square(rows - spot[1])
    levels = 240.0 * np.exp(-away / (2.0 * (0.2 * edge_px) ** 2))
    image = np.repeat(np.rint(levels).astype(np.uint8)[:, :, None], 3, axis=2)
    (tile,) = cut_tiles(image, center[None], _half_edges(edge_px, 0.0)[None])
    weights = tile[:, :, 0] / tile[:, :, 0].sum()
    seen = np.array([weights.sum(axis=0), weights.sum(axis=1)]) @ np.arange(TILE_PX)
    expected = (spot - center) * FACE_PX / edge_px + (TILE_PX - 1) / 2.0
    np.testing.assert_allclose(seen, expected, atol=0.05)


def test_fine_stripes_become_gray_when_they_shrink() -> None:
    stripes = np.zeros((600, 600, 3), np.uint8)
    stripes[:, ::2] = 200
    tile = cut_tiles(stripes, np.array([[300.0, 300.0]]), _half_edges(400, 20.0)[None])[0]
    assert np.ptp(tile) < 40


@pytest.mark.parametrize("edge_px", [3.0, 60.0, 900.0])
def test_beyond_the_picture_its_border_goes_on(edge_px: float) -> None:
    image = np.full((50, 50, 3), 90, np.uint8)
    tile = cut_tiles(image, np.array([[1.0, 49.0]]), _half_edges(edge_px, 0.0)[None])[0]
    assert (tile == 90).all()


def test_a_pyramid_gives_the_same_tiles_as_its_picture() -> None:
    image = drawn_tray([FaceDrawing(5, 240, 200, edge_px=150)])
    centers = np.array([(240.0, 200.0), (250.0, 210.0)])
    halves = np.stack([_half_edges(150, 10.0), _half_edges(40, 70.0)])
    pyramid = Pyramid(image)
    for _ in range(2):
        np.testing.assert_array_equal(
            cut_tiles(pyramid, centers, halves), cut_tiles(image, centers, halves)
        )
