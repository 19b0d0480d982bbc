# SPDX-License-Identifier: MIT
"""What the table took for a roll is held against the dice as they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.games import GAMES
from controller.runtime.autoplay.ground_truth import GroundTruth
from controller.runtime.frame_events import to_seen_die
from controller.table.events import TrayDie
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.pose import DieKind
from tests.support.truthful_reader import TruthfulReader

CHOICE = GAMES["choice"]


class Tray:
    """Dice that lie with these faces, and what a perfect reader says of them."""

    def __init__(self, faces: list[int], kinds: tuple[DieKind, ...]) -> None:
        self.clock = SteppedClock()
        self.camera = SimulatedCamera(self.clock, seed=4, dice=kinds, size_wh=(320, 180))
        self.camera.throw(faces)
        self.clock.wait_s(5.0)
        self.truth = GroundTruth(self.camera)

    def read(self) -> tuple[TrayDie, ...]:
        with self.camera:
            image = self.camera.frame(1.0).image_bgr
        return tuple(to_seen_die(die) for die in TruthfulReader(self.camera).read(image).dice)


@pytest.fixture
def tray() -> Tray:
    return Tray([4, 4, 5, 1, 2], (DieKind.WHITE,) * 5)


def test_a_right_roll_has_no_complaint(tray: Tray) -> None:
    assert tray.truth.find_errors(tray.read(), thrown=None) == ()


def test_faces_of_two_dice_exchanged_are_two_wrong_dice(tray: Tray) -> None:
    one, *others, last = tray.read()
    swapped = (replace(one, face=last.face), *others, replace(last, face=one.face))
    assert len(tray.truth.find_errors(swapped, thrown=None)) == 2


def test_a_wrong_colour_is_told() -> None:
    tray = Tray([3, 6], (DieKind.WHITE, DieKind.BLACK))
    white, black = tray.read()
    assert tray.truth.find_errors((white, black), thrown=None) == ()
    (complaint,) = tray.truth.find_errors((white, replace(black, polarity="light")), thrown=None)
    assert "the black 6" in complaint


def test_a_missing_die_is_told(tray: Tray) -> None:
    (complaint,) = tray.truth.find_errors(tray.read()[1:], thrown=None)
    assert complaint == "5 dice lie in the tray, 4 were read"


def test_a_thrown_die_reported_as_kept_is_wrong_and_vice_versa(tray: Tray) -> None:
    kept = tuple(replace(die, origin="kept") for die in tray.read())
    told = (*kept[:3], replace(kept[3], origin="thrown"), replace(kept[4], origin="thrown"))
    assert tray.truth.find_errors(told, thrown=(3, 4)) == ()
    assert [
        "thrown, and read as kept" in one for one in tray.truth.find_errors(told, thrown=(2, 3, 4))
    ] == [True]
    assert [
        "kept, and read as thrown" in one for one in tray.truth.find_errors(told, thrown=(4,))
    ] == [True]


def test_dice_that_stay_are_not_thrown_each_only_once(tray: Tray) -> None:
    assert tray.truth.dice_to_throw(CHOICE, ("4", "5")) == (1, 3, 4)
    assert tray.truth.dice_to_throw(CHOICE, ()) == (0, 1, 2, 3, 4)


def test_dice_in_the_hand_are_thrown(tray: Tray) -> None:
    tray.camera.take_out([0])
    assert tray.truth.dice_to_throw(CHOICE, ("4",)) == (0, 2, 3, 4)


def test_just_the_dice_are_turned_that_show_what_is_not_wanted(tray: Tray) -> None:
    assert tray.truth.find_turns(CHOICE, ("1", "2", "4", "5", "6")) == {1: 6}
    assert tray.truth.find_turns(CHOICE, ("1", "2", "4", "4", "5")) == {}
