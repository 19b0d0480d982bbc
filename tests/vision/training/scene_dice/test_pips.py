# SPDX-License-Identifier: MIT
"""Pips are as on real dice: opposite faces add up to seven, and no two pips touch."""

from __future__ import annotations

import numpy as np
import pytest

from vision.training.scene_dice.materials import (
    Marks,
    draw_light_material,
    draw_marked_faces,
    draw_material,
    lightness,
)
from vision.training.scene_dice.pips import (
    FAR,
    PipStyle,
    draw_asian_style,
    draw_pips,
    draw_style,
)


@pytest.mark.parametrize("seed", range(6))
def test_opposite_faces_sum_to_seven_and_pips_match_numbers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pips = draw_pips(rng, draw_style(rng, clear=False))
    assert sorted(pips.numbers) == [1, 2, 3, 4, 5, 6]
    for face, number in enumerate(pips.numbers):
        assert number + pips.numbers[face ^ 1] == 7
        assert int((pips.places[face, :, 0] < FAR).sum()) == number


def test_dice_of_both_hands_are_drawn() -> None:
    rng = np.random.default_rng(0)
    hands = set()
    for _ in range(20):
        numbers = draw_pips(rng, draw_style(rng, clear=False)).numbers
        turns = [(numbers.index(n) // 2, 1 - 2 * (numbers.index(n) % 2)) for n in (1, 2, 3)]
        axes = np.zeros((3, 3))
        for row, (axis, side) in enumerate(turns):
            axes[row, axis] = side
        hands.add(round(float(np.linalg.det(axes))))
    assert hands == {-1, 1}


def draw_any_style(seed: int) -> PipStyle:
    rng = np.random.default_rng(seed)
    return draw_asian_style(rng) if seed % 4 == 0 else draw_style(rng, clear=False)


@pytest.mark.parametrize("seed", range(60))
def test_pips_never_touch_and_stay_on_their_face(seed: int) -> None:
    pips = draw_pips(np.random.default_rng(seed), draw_any_style(seed))
    for face, number in enumerate(pips.numbers):
        spots, radius = pips.places[face, :number], pips.radii[face, 0]
        apart = np.linalg.norm(spots[:, None] - spots[None], axis=2) + np.eye(number) * FAR
        assert apart.min() > 2 * radius
        assert np.abs(spots).max() + radius < 0.5


@pytest.mark.parametrize("seed", range(20))
def test_pips_contrast_with_the_body_as_the_material_states(seed: int) -> None:
    made = draw_material(np.random.default_rng(seed), clear=False)
    gap = lightness(made.body) - lightness(made.pip[0])
    assert abs(gap) >= 0.1
    assert made.is_light == (gap > 0)


def test_asian_dice_have_a_red_one_and_a_red_four() -> None:
    rng = np.random.default_rng(3)
    numbers = (1, 6, 2, 5, 3, 4)
    albedo = draw_marked_faces(rng, draw_light_material(rng, clear=False), Marks.ASIAN, numbers)
    redness = albedo[:, 2] - albedo[:, 0]
    assert [number for number, red in zip(numbers, redness, strict=True) if red > 0.3] == [1, 4]
