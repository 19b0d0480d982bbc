# SPDX-License-Identifier: MIT
"""The tray's dice through time: thrown, handled, and at rest again."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from hardware.simulated.placement import FELT_WH_MM, do_overlap, is_in_corner
from hardware.simulated.pose import DieKind, DiePose, compute_reach_mm
from hardware.simulated.tray import SimulatedTray

KINDS = (DieKind.WHITE, DieKind.WHITE, DieKind.BLACK, DieKind.WHITE, DieKind.BLACK)
LATER_S = 10.0


def _tray(seed: int = 7) -> SimulatedTray:
    return SimulatedTray(KINDS, seed=seed)


def _faces(tray: SimulatedTray, at_s: float) -> list[int]:
    return [die.face for die in tray.truth(at_s)]


def _in_tray(tray: SimulatedTray, at_s: float) -> list[DiePose]:
    return [pose for _, pose in tray.visible_dice(at_s)]


def test_the_same_seed_throws_the_same_and_another_seed_does_not() -> None:
    rolls = []
    for seed in (1, 1, 2):
        tray = _tray(seed)
        for number in range(4):
            tray.throw(None, None, at_s=LATER_S * number)
        rolls.append([(die.face, die.x_mm) for die in tray.truth(100.0)])
    assert rolls[0] == rolls[1] != rolls[2]


def test_random_throws_show_every_face_about_equally_often() -> None:
    tray = _tray()
    counts = np.zeros(6, dtype=int)
    for number in range(120):
        tray.throw(None, None, at_s=LATER_S * number)
        for face in _faces(tray, LATER_S * (number + 1)):
            counts[face - 1] += 1
    assert counts.sum() == 600
    # 100 each, standard deviation 9.1: five of them on either side.
    assert counts.min() > 54
    assert counts.max() < 146


def test_a_throw_takes_about_a_second_and_moves_smoothly() -> None:
    tray = _tray()
    tray.take_out(None, at_s=0.0)
    step_s = 1.0 / 120.0
    for number in range(1, 31):
        start_s = LATER_S * number
        tray.throw(None, None, at_s=start_s)
        times = start_s + step_s * np.arange(0, 240)
        moving = [tray.is_moving(at_s) for at_s in times]
        assert 0.7 <= step_s * sum(moving) <= 1.8
        places = np.array([[pose.center_mm for pose in _in_tray(tray, at)] for at in times[12:]])
        steps_mm = np.linalg.norm(np.diff(places, axis=0), axis=2)
        assert steps_mm.max() < 2500.0 * step_s
        last = sum(moving) - 13
        assert steps_mm[last - 1 :].max() < 0.5
        # Taken out between the throws, so that each of them starts outside.
        tray.take_out(None, at_s=start_s + 5.0)


def test_moving_dice_stay_above_the_felt_and_inside_the_walls() -> None:
    tray = _tray()
    for number in range(20):
        start_s = LATER_S * number
        tray.throw(None, None, at_s=start_s)
        for at_s in start_s + np.arange(0.9, 1.9, 0.02):
            for pose in _in_tray(tray, float(at_s)):
                assert pose.center_mm[2] - compute_reach_mm(pose.rotation)[2] > -1e-9
                assert (np.abs(pose.center_mm[:2]) < np.array(FELT_WH_MM) / 2.0 - 7.0).all()


def test_dice_are_picked_up_before_they_are_thrown_again() -> None:
    tray = _tray()
    tray.throw(None, None, at_s=0.0)
    tray.throw(None, None, at_s=LATER_S)
    just_lifted = _in_tray(tray, LATER_S + 0.3)
    assert all(pose.center_mm[1] < -FELT_WH_MM[1] / 2.0 - 40.0 for pose in just_lifted)


def test_dice_that_are_not_thrown_stay_where_they_are() -> None:
    tray = _tray()
    before = tray.truth(0.0)
    tray.throw([4, 4], [3, 1], at_s=0.0)
    for at_s in (0.2, 0.7, LATER_S):
        now = tray.truth(at_s)
        assert [now[i] for i in (0, 2, 4)] == [before[i] for i in (0, 2, 4)]
    assert _faces(tray, LATER_S)[1] == _faces(tray, LATER_S)[3] == 4
    assert not any(do_overlap(a, b) for a, b in combinations(_in_tray(tray, LATER_S), 2))


def test_a_nudge_moves_one_die_a_little_and_keeps_its_face() -> None:
    tray = _tray()
    before = tray.truth(0.0)
    tray.nudge(2, at_s=0.0)
    after = tray.truth(LATER_S)
    moved_mm = np.hypot(after[2].x_mm - before[2].x_mm, after[2].y_mm - before[2].y_mm)
    assert 2.0 < moved_mm < 10.0
    assert after[2].face == before[2].face
    assert [after[i] for i in (0, 1, 3, 4)] == [before[i] for i in (0, 1, 3, 4)]


def test_a_turned_die_shows_the_new_face_in_its_place() -> None:
    tray = _tray()
    tray.throw([1, 2, 3, 4, 5], None, at_s=0.0)
    before = tray.truth(LATER_S)[1]
    tray.turn(1, 6, at_s=LATER_S)
    assert tray.is_moving(LATER_S + 0.2)
    after = tray.truth(2 * LATER_S)[1]
    assert (after.face, after.is_flat) == (6, True)
    assert (after.x_mm, after.y_mm) == (before.x_mm, before.y_mm)


def test_a_tilted_die_leans_until_it_is_nudged() -> None:
    tray = _tray()
    tray.tilt(0, at_s=0.0)
    leaning = tray.truth(LATER_S)[0]
    assert leaning.is_in_tray
    assert not leaning.is_flat
    tray.nudge(0, at_s=LATER_S)
    straight = tray.truth(2 * LATER_S)[0]
    assert straight.is_flat
    assert straight.face == leaning.face


def test_a_throw_without_indexes_throws_the_dice_in_the_hand() -> None:
    tray = _tray()
    tray.take_out([1, 3], at_s=0.0)
    left = [tray.truth(LATER_S)[index] for index in (0, 2, 4)]
    tray.throw([6, 6], None, at_s=LATER_S)
    now = tray.truth(2 * LATER_S)
    assert [now[index] for index in (0, 2, 4)] == left
    assert (now[1].face, now[3].face) == (6, 6)
    assert not any(do_overlap(a, b) for a, b in combinations(_in_tray(tray, 2 * LATER_S), 2))


def test_dice_return_to_their_old_positions_and_faces() -> None:
    tray = _tray()
    before = tray.truth(0.0)
    tray.take_out([0, 2, 3], at_s=0.0)
    tray.put_back(at_s=LATER_S)
    assert tray.is_moving(LATER_S + 0.2)
    assert tray.truth(2 * LATER_S) == before


def test_a_die_is_put_beside_its_occupied_position() -> None:
    tray = SimulatedTray((DieKind.WHITE,) * 30, seed=3)
    faces = _faces(tray, 0.0)
    tray.take_out([0, 1, 2], at_s=0.0)
    tray.throw(None, list(range(3, 30)), at_s=LATER_S)
    tray.put_back(at_s=2 * LATER_S)
    poses = _in_tray(tray, 3 * LATER_S)
    assert not any(do_overlap(one, other) for one, other in combinations(poses, 2))
    assert _faces(tray, 3 * LATER_S)[:3] == faces[:3]


def test_dice_of_another_game_lie_ready_until_they_are_thrown() -> None:
    tray = _tray()
    tray.change_dice((DieKind.WHITE, DieKind.BLACK), at_s=0.0)
    assert [die.kind for die in tray.truth(0.0)] == [DieKind.WHITE, DieKind.BLACK]
    assert len(_in_tray(tray, 0.1)) == len(KINDS), "the others are seen being taken away"
    assert _in_tray(tray, LATER_S) == []
    tray.throw([2, 5], None, at_s=LATER_S)
    assert _faces(tray, 2 * LATER_S) == [2, 5]
    assert [kind for kind, _ in tray.visible_dice(2 * LATER_S)] == [DieKind.WHITE, DieKind.BLACK]


def test_dice_that_the_next_game_needs_as_well_stay_as_they_lie() -> None:
    tray = _tray()
    before = tray.truth(0.0)
    tray.change_dice(KINDS, at_s=0.0)
    assert tray.truth(LATER_S) == before


def test_dice_that_lie_ready_can_be_set_into_the_tray() -> None:
    tray = _tray()
    tray.change_dice((DieKind.BLACK,) * 4, at_s=0.0)
    tray.put_back(at_s=LATER_S)
    poses = _in_tray(tray, 2 * LATER_S)
    assert len(poses) == 4
    assert not any(do_overlap(one, other) for one, other in combinations(poses, 2))


def test_a_die_turned_without_a_face_shows_the_next_one() -> None:
    tray = _tray()
    tray.throw([5, 1, 1, 1, 1], None, at_s=0.0)
    shown = []
    for number in range(1, 4):
        tray.turn(0, None, at_s=LATER_S * number)
        shown.append(_faces(tray, LATER_S * (number + 1))[0])
    assert shown == [6, 1, 2]


def test_a_die_turned_twice_in_haste_is_turned_two_faces_further() -> None:
    tray = _tray()
    tray.throw([2, 1, 1, 1, 1], None, at_s=0.0)
    tray.turn(0, None, at_s=LATER_S)
    tray.turn(0, None, at_s=LATER_S + 0.2)
    assert _faces(tray, 2 * LATER_S)[0] == 4


@pytest.mark.parametrize(
    "call",
    [
        lambda tray: tray.throw([7], [0], at_s=0.0),
        lambda tray: tray.throw([1, 2], None, at_s=0.0),
        lambda tray: tray.throw(None, [0, 0], at_s=0.0),
        lambda tray: tray.throw(None, [5], at_s=0.0),
        lambda tray: tray.nudge(9, at_s=0.0),
        lambda tray: tray.turn(0, 0, at_s=0.0),
        lambda tray: tray.tilt(-1, at_s=0.0),
        lambda tray: tray.take_out([5], at_s=0.0),
        lambda tray: tray.take_out([1, 1], at_s=0.0),
    ],
)
def test_what_does_not_exist_is_refused_and_nothing_moves(
    call: Callable[[SimulatedTray], None],
) -> None:
    tray = _tray()
    before = tray.truth(LATER_S)
    with pytest.raises(ValueError, match=r"expected .* found"):
        call(tray)
    assert tray.truth(LATER_S) == before


def test_a_die_that_was_taken_out_cannot_be_nudged() -> None:
    tray = _tray()
    tray.take_out([0], at_s=0.0)
    with pytest.raises(ValueError, match="found 0"):
        tray.nudge(0, at_s=LATER_S)


def test_no_die_stays_in_a_corner_that_is_cleared() -> None:
    tray = _tray(34)
    before = tray.truth(0.0)
    tray.clear_corners(36.0)
    moved = [die.index for die, was in zip(tray.truth(0.0), before, strict=True) if die != was]
    assert len(moved) == 1
    assert [die.face for die in tray.truth(0.0)] == [die.face for die in before]
    assert not any(is_in_corner(pose, 36.0) for _, pose in tray.visible_dice(0.0))
