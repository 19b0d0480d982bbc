# SPDX-License-Identifier: MIT
"""Where the dice are in a blob of several."""

from __future__ import annotations

import numpy as np
import pytest

from vision.tracking.merged_blobs import split_blob


def square(x: float, y: float) -> list[tuple[float, float]]:
    return [(x + dx, y + dy) for dx in range(-5, 6) for dy in range(-5, 6)]


@pytest.mark.parametrize("expected", [((11, 20), (24, 20)), ((13, 24), (16, 15))])
def test_dice_side_by_side_are_found_from_wrong_guesses(
    expected: tuple[tuple[float, float], tuple[float, float]],
) -> None:
    pixels = np.array([*square(10, 20), *square(21, 20)], np.float64)
    found = split_blob(pixels, [np.array(each, np.float64) for each in expected])
    assert np.allclose(found, [(10, 20), (21, 20)], atol=1.0)


def test_a_die_without_pixels_keeps_its_predicted_position() -> None:
    places = [np.array([10.0, 20.0]), np.array([90.0, 90.0])]
    found = split_blob(np.array(square(10, 20), np.float64), places)
    assert np.allclose(found, places)
