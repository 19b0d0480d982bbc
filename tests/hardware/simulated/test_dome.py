# SPDX-License-Identifier: MIT
"""Dice in a simulated dome: shaken, pushed and taken away with it, and never touched."""

from __future__ import annotations

import numpy as np

from hardware.simulated.dome import BASE_RADIUS_MM, FOOT_RADIUS_MM, SimulatedDomeTray
from hardware.simulated.placement import FELT_WH_MM, compute_footprint_mm, do_overlap
from hardware.simulated.pose import DieKind, DiePose

KINDS = (DieKind.WHITE,) * 5
LATER_S = 10.0


def _tray(seed: int = 7) -> SimulatedDomeTray:
    return SimulatedDomeTray(KINDS, seed=seed)


def _dice(tray: SimulatedDomeTray, at_s: float) -> list[DiePose]:
    return [pose for _, pose in tray.visible_dice(at_s)]


def _middle(tray: SimulatedDomeTray, at_s: float) -> np.ndarray:
    middle = tray.dome_mm(at_s)
    assert middle is not None
    return np.array(middle)


def test_a_shake_ends_elsewhere_with_the_faces_asked_for() -> None:
    tray = _tray()
    tray.throw([6, 5, 5, 1, 2], None, at_s=0.0)
    assert [die.face for die in tray.truth(LATER_S)] == [6, 5, 5, 1, 2]
    assert all(die.is_flat and die.is_in_tray for die in tray.truth(LATER_S))
    assert np.linalg.norm(_middle(tray, LATER_S) - _middle(tray, 0.0)) > 5.0
    assert not tray.is_moving(LATER_S)


def test_dice_rest_apart_in_the_dome_and_the_dome_on_the_felt() -> None:
    tray = _tray()
    for shake in range(20):
        tray.throw(None, None, at_s=LATER_S * shake)
        at_s = LATER_S * (shake + 1)
        middle, dice = _middle(tray, at_s), _dice(tray, at_s)
        assert (np.abs(middle) + BASE_RADIUS_MM <= np.array(FELT_WH_MM) / 2.0).all()
        for index, pose in enumerate(dice):
            away = np.linalg.norm(compute_footprint_mm(pose) - middle, axis=1)
            assert away.max() <= FOOT_RADIUS_MM
            assert not any(do_overlap(pose, other) for other in dice[index + 1 :])


def test_dice_never_leave_the_dome_while_it_is_shaken() -> None:
    tray = _tray()
    tray.throw(None, None, at_s=0.0)
    for at_s in np.linspace(0.0, 2.0, 80):
        middle = _middle(tray, float(at_s))
        for pose in _dice(tray, float(at_s)):
            assert np.linalg.norm(pose.center_mm[:2] - middle) <= FOOT_RADIUS_MM


def test_a_push_takes_the_dice_along_as_they_are() -> None:
    tray = _tray()
    before = [(die.face, die.x_mm, die.y_mm) for die in tray.truth(0.0)]
    tray.nudge(None, at_s=0.0)
    shift = _middle(tray, LATER_S)
    after = [(die.face, die.x_mm - shift[0], die.y_mm - shift[1]) for die in tray.truth(LATER_S)]
    assert np.allclose(before, after)
    assert np.linalg.norm(shift) > 5.0


def test_a_die_that_leans_is_in_the_dome_too() -> None:
    tray = _tray()
    tray.tilt(2, at_s=0.0)
    assert [die.is_flat for die in tray.truth(LATER_S)] == [True, True, False, True, True]


def test_no_hand_turns_a_die_through_the_dome() -> None:
    tray = _tray()
    before = tray.truth(0.0)
    tray.turn(0, 6, at_s=0.0)
    assert tray.truth(LATER_S) == before
    assert not tray.is_moving(0.0)


def test_the_dome_is_taken_away_and_put_back_with_its_dice() -> None:
    tray = _tray()
    faces = [die.face for die in tray.truth(0.0)]
    tray.take_out(None, at_s=0.0)
    assert tray.dome_mm(LATER_S) is None
    assert _dice(tray, LATER_S) == []
    tray.put_back(at_s=LATER_S)
    assert tray.dome_mm(2 * LATER_S) is not None
    assert [die.face for die in tray.truth(2 * LATER_S)] == faces
    assert len(_dice(tray, 2 * LATER_S)) == 5


def test_dice_of_another_game_get_in_with_the_next_shake() -> None:
    tray = _tray()
    tray.change_dice((DieKind.WHITE, DieKind.BLACK), at_s=0.0)
    assert _dice(tray, LATER_S) == []
    tray.throw(None, None, at_s=LATER_S)
    assert [kind for kind, _ in tray.visible_dice(2 * LATER_S)] == [DieKind.WHITE, DieKind.BLACK]
