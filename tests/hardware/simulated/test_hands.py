# SPDX-License-Identifier: MIT
"""Hands do what a page asks for to some die, and nothing where there is none."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.die import SimulatedDie
from hardware.simulated.hands import SimulatedHands

LONG_ENOUGH_S = 5.0


class Handled:
    """A small tray with hands at it."""

    def __init__(self) -> None:
        self.clock = SteppedClock()
        self.camera = SimulatedCamera(self.clock, seed=2, size_wh=(320, 180))
        self.hands = SimulatedHands(self.camera, seed=2)

    def after(self, move: Callable[[], None]) -> tuple[SimulatedDie, ...]:
        move()
        self.clock.wait_s(LONG_ENOUGH_S)
        return self.camera.truth()

    def place_px(self, index: int) -> tuple[float, float]:
        """Return where a die's upper face is seen."""
        die = self.camera.truth()[index]
        return self.camera.project(die.x_mm, die.y_mm, 16.0)

    def away_from_all(self) -> tuple[float, float]:
        """Return a place in the picture that is far from every die."""
        places = [self.place_px(index) for index in range(5)]
        corners = [(x, y) for x in (30.0, 290.0) for y in (30.0, 150.0)]
        return max(corners, key=lambda corner: min(math.dist(corner, place) for place in places))


@pytest.fixture
def tray() -> Handled:
    return Handled()


def test_a_nudge_moves_one_die_and_turns_none_over(tray: Handled) -> None:
    before = tray.camera.truth()
    after = tray.after(tray.hands.nudge)
    assert [die.face for die in after] == [die.face for die in before]
    moved = [old.x_mm != new.x_mm for old, new in zip(before, after, strict=True)]
    assert sum(moved) == 1


def test_a_turned_die_shows_another_face(tray: Handled) -> None:
    before = tray.camera.truth()
    after = tray.after(tray.hands.turn)
    changed = [old.face != new.face for old, new in zip(before, after, strict=True)]
    assert sum(changed) == 1


def test_a_tilted_die_leans(tray: Handled) -> None:
    assert sum(not die.is_flat for die in tray.after(tray.hands.tilt)) == 1


def test_dice_are_taken_out_one_by_one_and_put_back_together(tray: Handled) -> None:
    for left in (4, 3, 2, 1, 0, 0):
        assert sum(die.is_in_tray for die in tray.after(tray.hands.take_out)) == left
    for nothing_to_do in (tray.hands.nudge, tray.hands.turn, tray.hands.tilt):
        nothing_to_do()
    assert sum(die.is_in_tray for die in tray.after(tray.hands.put_back)) == 5


@pytest.mark.parametrize("index", range(5))
def test_the_die_that_is_pointed_at_is_taken_and_no_other(tray: Handled, index: int) -> None:
    x_px, y_px = tray.place_px(index)
    after = tray.after(lambda: tray.hands.pick_up(x_px + 2.0, y_px - 2.0))
    assert [die.is_in_tray for die in after] == [number != index for number in range(5)]


def test_a_place_without_a_die_is_a_grasp_at_nothing(tray: Handled) -> None:
    x_px, y_px = tray.away_from_all()
    before = tray.camera.truth()
    tray.after(lambda: tray.hands.pick_up(x_px, y_px))
    assert tray.after(lambda: tray.hands.turn_at(x_px, y_px)) == before


def test_the_place_of_a_die_in_the_hand_is_empty(tray: Handled) -> None:
    place_px = tray.place_px(3)
    tray.after(lambda: tray.hands.pick_up(*place_px))
    assert sum(die.is_in_tray for die in tray.after(lambda: tray.hands.pick_up(*place_px))) == 4


def test_dice_in_the_hand_are_thrown_and_the_others_lie_on(tray: Handled) -> None:
    for index in (1, 4):
        tray.hands.pick_up(*tray.place_px(index))
    before = tray.camera.truth()
    after = tray.after(tray.hands.throw)
    assert all(die.is_in_tray and die.is_flat for die in after)
    assert [after[index] == before[index] for index in range(5)] == [True, False, True, True, False]


def test_announced_dice_are_thrown_and_the_others_lie_on(tray: Handled) -> None:
    before = tray.camera.truth()
    tray.hands.announce([tray.place_px(1), tray.place_px(4)])
    after = tray.after(tray.hands.throw)
    moved = [old.x_mm != new.x_mm for old, new in zip(before, after, strict=True)]
    assert moved == [False, True, False, False, True]
    tray.hands.announce([])
    all_thrown = tray.after(tray.hands.throw)
    assert all(old.x_mm != new.x_mm for old, new in zip(after, all_thrown, strict=True))


def test_a_chosen_die_turns_to_the_next_face_in_position(tray: Handled) -> None:
    before = tray.camera.truth()
    after = tray.after(lambda: tray.hands.turn_at(*tray.place_px(2)))
    assert after[2].face == before[2].face % 6 + 1
    assert (after[2].x_mm, after[2].y_mm) == (before[2].x_mm, before[2].y_mm)
    assert [after[index] for index in (0, 1, 3, 4)] == [before[index] for index in (0, 1, 3, 4)]


def test_other_dice_are_ready_for_the_next_throw(tray: Handled) -> None:
    after = tray.after(lambda: tray.hands.change_dice(["light", "dark"]))
    assert [(die.kind.polarity, die.is_in_tray) for die in after] == [
        ("light", False),
        ("dark", False),
    ]
    assert all(die.is_in_tray for die in tray.after(tray.hands.throw))
    after = tray.after(lambda: tray.hands.change_dice([""] * 5))
    assert [die.kind.polarity for die in after] == ["light"] * 5


def test_a_fault_that_is_not_there_is_told(tray: Handled) -> None:
    with pytest.raises(ValueError, match="stolen"):
        tray.hands.set_fault("stolen")
