# SPDX-License-Identifier: MIT
"""Movement, and changes that are none."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.drawn import FIVE, DrawnDie, draw_tray
from vision.frame import Image
from vision.tracking.motion import Reference, SparseReference, make_small_copy


def is_same(before: Image, *later: Image) -> bool:
    """Return whether the last of several pictures matches the first."""
    reference = Reference(make_small_copy(before))
    return [reference.matches(make_small_copy(image)) for image in later][-1]


@pytest.mark.parametrize("noise", [2.0, 6.0, 12.0])
def test_sensor_noise_is_no_movement(noise: float) -> None:
    before, later = (draw_tray(noise_seed=seed, noise=noise) for seed in (1, 2))
    assert is_same(before, later)


@pytest.mark.parametrize("light", [0.6, 0.9, 1.1])
def test_another_brightness_is_no_movement(light: float) -> None:
    assert is_same(draw_tray(noise_seed=1), draw_tray(noise_seed=2, light=light))


@pytest.mark.parametrize("phase", [0.25, 0.5, 0.8])
def test_flicker_that_runs_over_the_rows_is_no_movement(phase: float) -> None:
    before = draw_tray(noise_seed=1, banding=0.08)
    assert is_same(before, draw_tray(noise_seed=2, banding=0.08, phase=phase))


def test_a_shaking_camera_is_no_movement() -> None:
    way = [(0.7, 0.2), (1.6, -0.6), (2.9, -0.9), (3.4, 0.3), (4.6, 1.1)]
    shaken = [draw_tray(noise_seed=n, camera_xy=xy) for n, xy in enumerate(way)]
    assert is_same(draw_tray(noise_seed=9), *shaken)


def test_a_die_that_moves_under_a_shaking_camera_is_movement() -> None:
    pushed = (replace(FIVE[0], x=FIVE[0].x + 5), *FIVE[1:])
    before = draw_tray(noise_seed=9)
    shaken = draw_tray(noise_seed=1, camera_xy=(1.2, 0.4))
    assert not is_same(before, shaken, draw_tray(pushed, noise_seed=2, camera_xy=(1.8, 0.8)))


@pytest.mark.parametrize("step_px", [2.0, 4.0, 20.0])
def test_one_pushed_die_is_movement(step_px: float) -> None:
    pushed = (replace(FIVE[0], x=FIVE[0].x + step_px), *FIVE[1:])
    assert not is_same(draw_tray(noise_seed=1), draw_tray(pushed, noise_seed=2))


def test_a_lone_die_on_plain_felt_is_no_shaking_camera() -> None:
    die = DrawnDie(4, 300, 180)
    moved = replace(die, x=302.0)
    before, later = (draw_tray([d], noise_seed=n, plain=True) for n, d in enumerate((die, moved)))
    assert not is_same(before, later)


def test_a_die_turned_to_another_face_in_its_place_is_movement() -> None:
    turned = (replace(FIVE[4], face=2), *FIVE[:4])
    assert not is_same(draw_tray(noise_seed=1), draw_tray(turned, noise_seed=2))


def test_a_dim_tray_still_shows_a_pushed_die() -> None:
    pushed = (replace(FIVE[0], x=FIVE[0].x + 6), *FIVE[1:])
    before = draw_tray(noise_seed=1, light=0.25)
    assert is_same(before, draw_tray(noise_seed=2, light=0.25))
    assert not is_same(before, draw_tray(pushed, noise_seed=3, light=0.25))


def test_patience_forgives_a_trifle() -> None:
    nudged = (replace(FIVE[0], x=FIVE[0].x + 0.5), *FIVE[1:])
    reference = Reference(make_small_copy(draw_tray()))
    copy = make_small_copy(draw_tray(nudged))
    assert not reference.matches(copy)
    assert reference.matches(copy, tolerance=2.0)


@pytest.mark.parametrize("size", [(720, 1280), (361, 641), (123, 77), (45, 3000)])
def test_any_size_of_picture_is_compared(size: tuple[int, int]) -> None:
    height, width = size
    image = draw_tray()[: min(height, 360), : min(width, 640)]
    tiled = image.repeat(-(-height // image.shape[0]), 0).repeat(-(-width // image.shape[1]), 1)
    picture = tiled[:height, :width].copy()
    assert is_same(picture, picture)


def test_small_picture_of_the_camera_is_taken_for_the_large_one() -> None:
    large = draw_tray(noise_seed=1)
    grey = cv2.resize(cv2.cvtColor(large, cv2.COLOR_BGR2GRAY), (320, 180))
    copy = make_small_copy(np.zeros_like(large), np.asarray(grey, np.uint8))
    own = make_small_copy(large)
    assert copy.grey.shape == own.grey.shape
    assert np.abs(copy.grey - own.grey).max() < 8.0


TRAY = draw_tray(noise_seed=1)


@pytest.mark.parametrize("light", [1.0, 0.93, 1.05])
def test_a_still_tray_under_a_flickering_lamp_is_unchanged(light: float) -> None:
    assert SparseReference(TRAY).is_unchanged(draw_tray(noise_seed=2, light=light))


@pytest.mark.parametrize("by_px", [4.0, 40.0])
def test_a_moved_die_is_not_unchanged(by_px: float) -> None:
    moved = [replace(FIVE[0], x=FIVE[0].x + by_px), *FIVE[1:]]
    assert not SparseReference(TRAY).is_unchanged(draw_tray(moved, noise_seed=2))


def test_a_sparse_copy_misses_no_creep_that_a_full_one_detects() -> None:
    sparse, reference = (SparseReference(TRAY), Reference(make_small_copy(TRAY)))
    for by_px in np.arange(0.2, 4.0, 0.2):
        moved = draw_tray([replace(FIVE[0], x=FIVE[0].x + by_px), *FIVE[1:]], noise_seed=3)
        is_same = reference.matches(make_small_copy(moved), tolerance=2.0)
        assert is_same or not sparse.is_unchanged(moved)


def test_a_picture_of_much_noise_is_left_to_the_full_comparison() -> None:
    rng = np.random.default_rng(4)
    noisy = [
        np.clip(TRAY + rng.normal(0.0, 25.0, TRAY.shape), 0, 255).astype(np.uint8) for _ in "ab"
    ]
    assert not SparseReference(noisy[0]).is_unchanged(noisy[1])


def test_a_picture_of_another_size_is_not_unchanged() -> None:
    assert not SparseReference(TRAY).is_unchanged(TRAY[:-2])
