# SPDX-License-Identifier: MIT
"""From throw to throw only the dice change, and what was planted."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from vision.training.scenes import DieState, TrueDie
from vision.training.scenes.layout import NoRoomError
from vision.training.scenes.session import Fault, SceneTable, ThrownScene, draw_table

SIZE_WH = (320, 180)
LOW_RIM, HIGH_RIM, ONE_DIE = 63, 3, 2
"""Seeds: five dice with strangers on a felt with a low rim, a rail as high as a die, one die."""
UNDER_DOME = 4  # A seed: five dice.


@cache
def table_of(seed: int = LOW_RIM) -> SceneTable:
    return draw_table(seed, SIZE_WH)


@cache
def throw_of(number: int, fault: Fault | None = None) -> ThrownScene:
    return table_of().throw(number, fault)


def ground_of(*throws: ThrownScene) -> np.ndarray:
    """Return which pixels show neither a die nor a solid stranger in any of the throws."""
    free = np.all([one.scene.owner == 0 for one in throws], axis=0).astype(np.uint8)
    # Not the shadows either.
    return cv2.erode(free, np.ones((41, 41))) > 0


def is_within(point: np.ndarray, circles: np.ndarray) -> bool:
    return any(np.hypot(*(point - (x, y))) < radius for x, y, radius in circles)


def middle_of(die: TrueDie) -> np.ndarray:
    return np.asarray(die.quad_px.mean(axis=0))


def test_the_seed_determines_the_table_and_the_number_the_throw() -> None:
    again = draw_table(LOW_RIM, SIZE_WH).throw(1)
    assert np.array_equal(again.scene.image_bgr, throw_of(1).scene.image_bgr)
    assert not np.array_equal(again.scene.image_bgr, throw_of(2).scene.image_bgr)


def test_the_ground_stays_and_the_dice_move() -> None:
    one, other = throw_of(1), throw_of(2)
    before, after = (thrown.scene.image_bgr.astype(float) for thrown in (one, other))
    still = ground_of(one, other)
    assert still.mean() > 0.1
    assert np.abs(before - after)[still].mean() < 6
    places = [{tuple(middle_of(die).round()) for die in one.scene.dice} for one in (one, other)]
    assert places[0].isdisjoint(places[1])


def test_a_fair_throw_has_all_dice_flat_and_visible() -> None:
    thrown = throw_of(1)
    assert thrown.fault is None
    assert len(thrown.circles_px) == 0
    assert len(thrown.scene.dice) == thrown.scene.expect == 5
    assert all(die.state is DieState.FLAT and die.visible > 0.98 for die in thrown.scene.dice)
    felt = table_of().felt_px.astype(np.float32)
    for die in thrown.scene.dice:
        x, y = die.foot_px.tolist()
        assert cv2.pointPolygonTest(felt, (x, y), False) > 0


def test_dice_show_other_faces_and_keep_their_colours() -> None:
    throws = [throw_of(number).scene for number in (1, 2, 3)]
    colours = {tuple(sorted(die.colour for die in scene.dice)) for scene in throws}
    assert len(colours) == 1
    assert len({tuple(sorted(die.face for die in scene.dice)) for scene in throws}) > 1


@pytest.mark.parametrize(
    ("fault", "state"), [(Fault.COCKED, DieState.COCKED), (Fault.STACKED, DieState.STACKED)]
)
def test_a_planted_pose_is_within_its_circle(fault: Fault, state: DieState) -> None:
    thrown = throw_of(4, fault)
    (planted,) = [die for die in thrown.scene.dice if die.state is state]
    assert is_within(middle_of(planted), thrown.circles_px)


def test_a_die_off_the_felt_lies_on_the_rim() -> None:
    thrown = throw_of(5, Fault.OFF_FELT)
    (circle,) = thrown.circles_px
    (die,) = [one for one in thrown.scene.dice if is_within(middle_of(one), thrown.circles_px)]
    felt = table_of().felt_px.astype(np.float32)
    edge = float(np.linalg.norm(die.quad_px[1] - die.quad_px[0]))
    assert -edge < cv2.pointPolygonTest(felt, die.foot_px.tolist(), True) < 0
    assert die.contrast >= 40, "the rail does not shade a die that lies on it"
    assert circle[2] < 1.5 * edge


def test_one_die_too_many_may_be_any() -> None:
    thrown = throw_of(6, Fault.TOO_MANY)
    assert len(thrown.scene.dice) == thrown.scene.expect + 1 == 6
    assert len(thrown.circles_px) == 0


def test_a_foreign_object_is_new_on_the_felt() -> None:
    thrown, fair = throw_of(7, Fault.FOREIGN), throw_of(1)
    new = (thrown.scene.owner == -1) & (fair.scene.owner >= 0)
    middle = np.argwhere(new)[:, ::-1].mean(axis=0)
    assert is_within(middle, thrown.circles_px)
    assert len(thrown.scene.dice) == 5


def test_a_swapped_die_has_another_colour_than_all_others() -> None:
    thrown = throw_of(8, Fault.SWAPPED)
    known = {kind.material.colour for kind in table_of().kit}
    (swapped,) = [die for die in thrown.scene.dice if die.colour not in known]
    assert is_within(middle_of(swapped), thrown.circles_px)
    assert len(thrown.scene.dice) == 5


def test_a_changed_light_changes_the_ground() -> None:
    """The exposure is locked, so no meter takes the change back."""
    fair, changed = throw_of(1), throw_of(9, Fault.LIGHT)
    still = ground_of(fair, changed)
    levels = [thrown.scene.image_bgr[still].mean() for thrown in (fair, changed)]
    assert abs(np.log(levels[1] / levels[0])) > 0.06
    assert not Fault.LIGHT.must_be_doubted


def test_a_nudged_camera_moves_the_ground() -> None:
    fair, nudged = throw_of(1), throw_of(10, Fault.NUDGED)
    still = ground_of(fair, nudged)
    off = np.abs(fair.scene.image_bgr.astype(float) - nudged.scene.image_bgr)[still].mean()
    noise = np.abs(fair.scene.image_bgr.astype(float) - throw_of(2).scene.image_bgr)[still].mean()
    assert off > 2 * noise


def test_a_dome_stays_in_fair_throws_and_may_move_with_its_dice() -> None:
    table = draw_table(UNDER_DOME, SIZE_WH, under_dome=True)
    throws = [table.throw(1), table.throw(2), table.throw(3, Fault.DOME_MOVED)]
    outlines = []
    for thrown in throws:
        outline = thrown.scene.dome_px
        assert outline is not None
        foot = outline.astype(np.float32)
        for x, y in (die.foot_px.tolist() for die in thrown.scene.dice):
            assert cv2.pointPolygonTest(foot, (x, y), False) == 1
        outlines.append(outline)
    fair, again, moved = outlines
    assert np.array_equal(fair, again)
    radius = float(np.ptp(fair, axis=0).max()) / 2
    assert np.linalg.norm(moved.mean(axis=0) - fair.mean(axis=0)) > 0.2 * radius
    assert not Fault.DOME_MOVED.must_be_doubted


@pytest.mark.parametrize(
    ("seed", "fault"),
    [(ONE_DIE, Fault.STACKED), (HIGH_RIM, Fault.OFF_FELT), (ONE_DIE, Fault.DOME_MOVED)],
)
def test_a_fault_that_a_table_cannot_have_is_refused(seed: int, fault: Fault) -> None:
    with pytest.raises(NoRoomError):
        table_of(seed).throw(0, fault)
