# SPDX-License-Identifier: MIT
"""Hands do what a page asks for to some die, and nothing where there is none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.hands import TrayHands
from hardware.simulated.tray import SimulatedDie

LONG_ENOUGH_S = 5.0


class Handled:
    """A small tray with hands at it."""

    def __init__(self) -> None:
        self.clock = SteppedClock()
        self.camera = SimulatedCamera(self.clock, seed=2, size_wh=(320, 180))
        self.hands = TrayHands(self.camera, seed=2)

    def after(self, move: Callable[[], None]) -> tuple[SimulatedDie, ...]:
        move()
        self.clock.wait_s(LONG_ENOUGH_S)
        return self.camera.truth()


@pytest.fixture
def tray() -> Handled:
    return Handled()


def test_a_throw_moves_every_die(tray: Handled) -> None:
    before = tray.camera.truth()
    after = tray.after(tray.hands.throw)
    assert all(old.x_mm != new.x_mm for old, new in zip(before, after, strict=True))


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


def test_a_fault_that_is_not_there_is_told(tray: Handled) -> None:
    with pytest.raises(ValueError, match="stolen"):
        tray.hands.set_fault("stolen")
