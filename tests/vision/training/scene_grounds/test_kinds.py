# SPDX-License-Identifier: MIT
"""Grounds are albedos of many kinds, and the same seed gives the same one."""

from collections.abc import Callable

import numpy as np
import pytest

from vision.training.scene_grounds.kinds import DARKEST, KINDS, LIGHTEST, draw_ground
from vision.training.scene_grounds.noise import Albedo, draw_cloud, tile_texture

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


def test_grounds_are_dark_and_light_grey_and_coloured() -> None:
    means = np.array([draw_ground(np.random.default_rng(s), 64).mean((0, 1)) for s in range(60)])
    light = means.mean(1)
    assert light.min() < 0.05
    assert light.max() > 0.5
    colourful = means.max(1) / means.min(1)
    assert (colourful < 1.3).any()
    assert (colourful > 3).any()


@pytest.mark.parametrize(("draw", "share"), KINDS, ids=[draw.__name__ for draw, _ in KINDS])
def test_every_kind_fits_small_and_odd_sides(
    draw: Callable[[np.random.Generator, int], Albedo], share: float
) -> None:
    assert share > 0
    for side_px in (64, 97):
        albedo = draw(np.random.default_rng(side_px), side_px)
        assert albedo.shape == (side_px, side_px, 3)
        assert np.isfinite(albedo).all()


@pytest.mark.parametrize("cell_px", [1.0, 2.5, 17.0, 300.0])
def test_a_cloud_has_about_unit_spread_and_no_smears(cell_px: float) -> None:
    found = [draw_cloud(np.random.default_rng(s), 200, cell_px) for s in range(8)]
    assert 0.5 < np.std(found) < 1.6
    rough = [float(np.abs(np.diff(part, axis=0)).mean()) for part in (found[0], found[0][150:])]
    assert rough[1] > rough[0] * 0.4


def test_a_tile_goes_on_for_ever() -> None:
    tile = np.zeros((8, 8), np.float32)
    tile[:4] = 1
    for angle_rad in (0.0, 1.0, 4.0):
        rng = np.random.default_rng(3)
        found = tile_texture(rng, tile, 150, scale=(2.0, 2.0), angle_rad=angle_rad)
        quarters = [found[:75, :75], found[:75, 75:], found[75:, :75], found[75:, 75:]]
        assert [float(q.mean()) for q in quarters] == pytest.approx([0.5] * 4, abs=0.08)
