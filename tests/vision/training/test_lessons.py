# SPDX-License-Identifier: MIT
"""Lessons come back from their files as they were drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hardware.simulated.studio import draw_shot
from vision.training.lessons import Job, load_school, load_tiles, render
from vision.training.truth import truth_of


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lessons")
    return render(Job(folder / "few.npz", 900_004, 6, is_large=False))


def test_shots_and_truths_come_back(path: Path) -> None:
    school = load_school([path])
    assert school.images_bgr.shape == (6, 360, 640, 3)
    for seed, image, truth in zip(
        range(900_004, 900_010), school.images_bgr, school.truths, strict=True
    ):
        if seed % 7:
            shot = draw_shot(seed)
            np.testing.assert_array_equal(image, shot.image_bgr)
            np.testing.assert_allclose(truth.centers, truth_of(shot).centers)
            np.testing.assert_array_equal(truth.faces, truth_of(shot).faces)


def test_upright_shots_are_stored_lying_with_their_dice(path: Path) -> None:
    seed = next(seed for seed in range(900_004, 900_010) if seed % 7 == 0)
    school = load_school([path])
    shown, truth = school.owners[seed - 900_004], school.truths[seed - 900_004]
    shot = draw_shot(seed, (360, 640))
    np.testing.assert_array_equal(shown == 1, np.rot90(shot.owner) > 0)
    for (x, y), die in zip(truth.centers, shot.dice, strict=True):
        old_x, old_y = die.quad_px.mean(axis=0)
        np.testing.assert_allclose((x, y), (old_y, 359 - old_x))


def test_tiles_have_a_class_each(path: Path) -> None:
    tiles, names = load_tiles([path])
    assert tiles.shape == (len(names), 80, 80, 3)
    assert set(names) <= set(range(7))
    assert (names == 0).any()
    assert (names > 0).any()
