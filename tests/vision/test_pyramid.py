# SPDX-License-Identifier: MIT
"""Halvings of a picture are made once, with the documented pixel positions."""

from __future__ import annotations

import numpy as np
import pytest

from vision.pyramid import Pyramid


def _spot(size_wh: tuple[int, int], at: tuple[float, float], sigma: float) -> Pyramid:
    columns, rows = np.meshgrid(np.arange(size_wh[0]), np.arange(size_wh[1]))
    levels = 240.0 * np.exp(-((columns - at[0]) ** 2 + (rows - at[1]) ** 2) / (2.0 * sigma**2))
    return Pyramid(np.repeat(np.rint(levels).astype(np.uint8)[:, :, None], 3, axis=2))


@pytest.mark.parametrize("size_wh", [(640, 480), (643, 479)])
@pytest.mark.parametrize("halvings", [0, 1, 2, 3])
def test_a_position_is_halved_around_the_pixels_middles(
    size_wh: tuple[int, int], halvings: int
) -> None:
    at = np.array([310.3, 222.8])
    level = _spot(size_wh, (310.3, 222.8), 30.0).level(halvings)[:, :, 0].astype(float)
    weights = level / level.sum()
    rows, columns = np.indices(level.shape)
    seen = (columns * weights).sum(), (rows * weights).sum()
    np.testing.assert_allclose(seen, (at + 0.5) / 2**halvings - 0.5, atol=0.03)


def test_each_level_is_made_once() -> None:
    pyramid = _spot((64, 48), (30.0, 20.0), 5.0)
    assert pyramid.level(2) is pyramid.level(2)
    assert pyramid.level(0) is pyramid.image


@pytest.mark.parametrize(
    ("shrink", "halvings"), [(0.3, 0), (1.4, 0), (1.5, 1), (2.8, 1), (2.9, 2), (11.0, 3)]
)
def test_no_more_shrinkage_is_left_than_wanted(shrink: float, halvings: int) -> None:
    pyramid = _spot((640, 480), (30.0, 20.0), 5.0)
    assert pyramid.halvings_for(shrink, 1.4) == halvings


@pytest.mark.parametrize("size_wh", [(256, 144), (320, 180), (640, 360), (100, 7)])
def test_copies_have_the_wanted_size_and_brightness(size_wh: tuple[int, int]) -> None:
    image = np.random.default_rng(1).integers(0, 256, (720, 1280, 3)).astype(np.uint8)
    copy = Pyramid(image).shrunk(size_wh)
    assert copy.shape == (size_wh[1], size_wh[0], 3)
    assert copy.mean() == pytest.approx(image.mean(), abs=1.5)
