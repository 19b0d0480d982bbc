# SPDX-License-Identifier: MIT
"""Grounds are albedos of many kinds, and the same seed gives the same one."""

from collections.abc import Callable

import numpy as np
import pytest

from vision.training.scene_grounds.kinds import DARKEST, KINDS, LIGHTEST, draw_ground
from vision.training.scene_grounds.noise import Albedo, tile_texture

SIDE_PX = 160


@pytest.mark.parametrize("seed", range(20))
def test_a_ground_is_a_square_of_albedo(seed: int) -> None:
    albedo = draw_ground(np.random.default_rng(seed), SIDE_PX)
    assert albedo.shape == (SIDE_PX, SIDE_PX, 3)
    assert albedo.dtype == np.float32
    assert albedo.min() >= np.float32(DARKEST)
    assert albedo.max() <= np.float32(LIGHTEST)


def test_the_same_seed_gives_the_same_ground() -> None:
    for seed in range(6):
        one, again = (draw_ground(np.random.default_rng(seed), SIDE_PX) for _ in range(2))
        assert np.array_equal(one, again)


@pytest.mark.parametrize(("draw", "share"), KINDS, ids=[draw.__name__ for draw, _ in KINDS])
def test_every_kind_fits_small_and_odd_sides(
    draw: Callable[[np.random.Generator, int], Albedo], share: float
) -> None:
    assert share > 0
    for side_px in (64, 97):
        albedo = draw(np.random.default_rng(side_px), side_px)
        assert albedo.shape == (side_px, side_px, 3)
        assert np.isfinite(albedo).all()


def test_a_tile_goes_on_for_ever() -> None:
    tile = np.zeros((8, 8), np.float32)
    tile[:4] = 1
    for angle_rad in (0.0, 1.0, 4.0):
        rng = np.random.default_rng(3)
        found = tile_texture(rng, tile, 150, scale=(2.0, 2.0), angle_rad=angle_rad)
        quarters = [found[:75, :75], found[:75, 75:], found[75:, :75], found[75:, 75:]]
        assert [float(q.mean()) for q in quarters] == pytest.approx([0.5] * 4, abs=0.08)
