# SPDX-License-Identifier: MIT
"""The truth of a rendered scene: its dice, the owners of pixels, planted doubts."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from vision.training.scenes import DieState, RenderedScene, SceneSpec, TrueDie, render_scene

SIZE_WH = (320, 180)
SEEDS = (3, 8, 21)


@cache
def scene_with(seed: int, doubt: str | None, expect: int | None = 3) -> RenderedScene:
    return render_scene(seed, SIZE_WH, spec=SceneSpec(doubt=doubt, expect=expect))


def inner_pixels(die: TrueDie, shape: tuple[int, ...], share: float) -> np.ndarray:
    middle = die.quad_px.mean(0)
    inner = middle + (die.quad_px - middle) * share
    lid = np.zeros(shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(lid, np.round(inner).astype(np.int32), 1)
    return lid > 0


def test_seed_and_spec_determine_the_picture() -> None:
    one, again = (render_scene(5, SIZE_WH, spec=SceneSpec(expect=2)) for _ in range(2))
    other = render_scene(6, SIZE_WH, spec=SceneSpec(expect=2))
    assert np.array_equal(one.image_bgr, again.image_bgr)
    assert np.array_equal(one.owner, again.owner)
    assert [die.face for die in one.dice] == [die.face for die in again.dice]
    assert not np.array_equal(one.image_bgr, other.image_bgr)


@pytest.mark.parametrize("seed", SEEDS)
def test_without_a_doubt_all_dice_are_flat_and_visible(seed: int) -> None:
    scene = scene_with(seed, None)
    assert scene.doubt is None
    assert len(scene.dice) == scene.expect == 3
    for die in scene.dice:
        assert die.state is DieState.FLAT
        assert die.tilt_deg == 0
        assert die.visible >= 0.98
        assert die.contrast >= 10
        assert die.quad_px.min() >= 0
        assert (die.quad_px.max(0) <= np.array(SIZE_WH) - 1).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_middle_of_a_flat_upper_face_belongs_to_its_die(seed: int) -> None:
    scene = scene_with(seed, None)
    for number, die in enumerate(scene.dice, start=1):
        own = scene.owner[inner_pixels(die, scene.owner.shape, 0.6)]
        assert (own == number).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_pixels_surround_their_quad_and_quads_are_clockwise(seed: int) -> None:
    scene = scene_with(seed, None)
    for number, die in enumerate(scene.dice, start=1):
        rows, columns = np.nonzero(scene.owner == number)
        edge = np.linalg.norm(die.quad_px[1] - die.quad_px[0])
        spots = np.stack([columns, rows], axis=1)
        assert np.linalg.norm(spots - die.quad_px.mean(0), axis=1).max() < 3 * edge
        x, y = die.quad_px.T
        assert np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_planted_cocked_die_leans_by_more_than_a_flat_one_may(seed: int) -> None:
    scene = scene_with(seed, "cocked")
    cocked = [die for die in scene.dice if die.state is DieState.COCKED]
    assert scene.doubt == "cocked"
    assert len(cocked) == 1
    assert 7 <= cocked[0].tilt_deg <= 46


@pytest.mark.parametrize("seed", SEEDS)
def test_a_planted_stack_has_one_die_on_top_and_one_under_it(seed: int) -> None:
    scene = scene_with(seed, "stacked")
    states = [die.state for die in scene.dice]
    assert states.count(DieState.STACKED) == states.count(DieState.UNDER) == 1
    under = scene.dice[states.index(DieState.UNDER)]
    assert under.visible < 0.75


@pytest.mark.parametrize("seed", SEEDS)
def test_a_planted_cut_goes_through_an_upper_face(seed: int) -> None:
    scene = scene_with(seed, "cut off")
    (cut,) = [die for die in scene.dice if die.state is DieState.CUT_OFF]
    assert 0.15 <= cut.visible <= 0.85


@pytest.mark.parametrize("seed", SEEDS)
def test_a_planted_count_is_one_die_more_than_belongs_there(seed: int) -> None:
    scene = scene_with(seed, "count")
    assert len(scene.dice) == scene.expect + 1 == 4
    assert all(die.state is DieState.FLAT for die in scene.dice)


def test_clear_dice_are_large_enough_and_stand_out() -> None:
    scene = render_scene(4, SIZE_WH, spec=SceneSpec(expect=2, clear=True))
    for die in scene.dice:
        edges = np.linalg.norm(die.quad_px - np.roll(die.quad_px, 1, axis=0), axis=1)
        assert edges.mean() >= 24 * SIZE_WH[0] / 1280
        assert die.contrast >= 40


@pytest.mark.parametrize(
    "wish",
    [{"doubt": "melted"}, {"expect": 9}, {"doubt": "stacked", "expect": 1}, {"tilt_deg": 70.0}],
)
def test_an_impossible_spec_is_refused(wish: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"drawn|doubt|tilt"):
        SceneSpec(**wish)  # type: ignore[arg-type]
