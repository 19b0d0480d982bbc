# SPDX-License-Identifier: MIT
"""What a sparse copy shows of a frame, and that it is never less strict than a full one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawn import FIVE, draw_tray
from vision.tracking.motion import MotionParams, Reference, make_small_copy
from vision.tracking.quick_compare import SparseReference

PARAMS = MotionParams()
TRAY = draw_tray(noise_seed=1)


@pytest.mark.parametrize("light", [1.0, 0.93, 1.05])
def test_a_still_tray_under_a_flickering_lamp_is_unchanged(light: float) -> None:
    assert SparseReference(TRAY, PARAMS).is_unchanged(draw_tray(noise_seed=2, light=light))


@pytest.mark.parametrize("by_px", [4.0, 40.0])
def test_a_moved_die_is_not_unchanged(by_px: float) -> None:
    moved = [replace(FIVE[0], x=FIVE[0].x + by_px), *FIVE[1:]]
    assert not SparseReference(TRAY, PARAMS).is_unchanged(draw_tray(moved, noise_seed=2))


def test_a_sparse_copy_misses_no_creep_that_a_full_one_detects() -> None:
    sparse, reference = (
        SparseReference(TRAY, PARAMS),
        Reference(make_small_copy(TRAY, PARAMS), PARAMS),
    )
    for by_px in np.arange(0.2, 4.0, 0.2):
        moved = draw_tray([replace(FIVE[0], x=FIVE[0].x + by_px), *FIVE[1:]], noise_seed=3)
        is_same = reference.matches(make_small_copy(moved, PARAMS), tolerance=2.0)
        assert is_same or not sparse.is_unchanged(moved)


def test_a_picture_of_much_noise_is_left_to_the_full_comparison() -> None:
    rng = np.random.default_rng(4)
    noisy = [
        np.clip(TRAY + rng.normal(0.0, 25.0, TRAY.shape), 0, 255).astype(np.uint8) for _ in "ab"
    ]
    assert not SparseReference(noisy[0], PARAMS).is_unchanged(noisy[1])


def test_a_picture_of_another_size_is_not_unchanged() -> None:
    assert not SparseReference(TRAY, PARAMS).is_unchanged(TRAY[:-2])
