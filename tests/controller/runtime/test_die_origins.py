# SPDX-License-Identifier: MIT
"""How what the watcher saw and what the table knows become the origin of each die."""

from __future__ import annotations

import pytest

from controller.runtime.die_origins import match_dice_to_table
from controller.table.events import DiceRead, MotionStarted, TrayDie


def die(face: int, x: float, origin: str = "", *, was: int = 0) -> TrayDie:
    return TrayDie(face, "light", "white", (x, 100.0), 0.0, 30.0, origin, was)


def told(dice: list[TrayDie], lie: list[TrayDie]) -> list[tuple[int, str, int]]:
    event = match_dice_to_table(DiceRead(tuple(dice), "digest"), lie)
    assert isinstance(event, DiceRead)
    return [(die.face, die.origin, die.was) for die in event.dice]


def test_other_events_pass_unchanged() -> None:
    assert match_dice_to_table(MotionStarted(), [die(3, 100)]) == MotionStarted()


@pytest.mark.parametrize("origin", ["", "present", "kept", "placed"])
def test_a_die_where_the_table_knows_one_with_its_face_is_kept(origin: str) -> None:
    assert told([die(3, 105, origin)], [die(3, 100)]) == [(3, "kept", 0)]


def test_a_die_seen_flying_is_thrown_even_where_its_like_lay() -> None:
    assert told([die(3, 105, "thrown")], [die(3, 100)]) == [(3, "thrown", 0)]


def test_a_thrown_die_leaves_the_one_that_lay_there_to_another() -> None:
    dice = [die(3, 101, "thrown"), die(3, 115, "kept")]
    assert told(dice, [die(3, 100)]) == [(3, "thrown", 0), (3, "kept", 0)]


@pytest.mark.parametrize("origin", ["turned", "placed", "kept"])
def test_another_face_where_the_table_knows_a_die_is_turned(origin: str) -> None:
    assert told([die(6, 100, origin)], [die(3, 100)]) == [(6, "turned", 3)]


@pytest.mark.parametrize("origin", ["placed", "turned"])
def test_what_a_hand_set_where_none_lay_never_becomes_thrown(origin: str) -> None:
    assert told([die(6, 300, origin)], [die(3, 100)]) == [(6, "placed", 0)]


def test_what_was_not_seen_stays_unseen_and_is_never_turned() -> None:
    dice = [die(6, 100, "unseen"), die(2, 300, "unseen")]
    assert told(dice, [die(3, 100)]) == [(6, "unseen", 0), (2, "unseen", 0)]
    assert told([die(3, 105, "unseen")], [die(3, 100)]) == [(3, "kept", 0)]


def test_a_die_knocked_far_away_is_the_one_that_lay() -> None:
    lie = [die(2, 400), die(5, 100)]
    assert told([die(1, 300, "turned", was=5)], lie) == [(1, "turned", 5)]
    assert told([die(5, 300, "kept", was=5)], lie) == [(5, "kept", 0)]


def test_dice_of_an_ignored_rest_are_new_to_the_table() -> None:
    assert told([die(3, 300, "kept")], [die(3, 100)]) == [(3, "thrown", 0)]


def test_a_die_entered_by_hand_has_no_position_to_be_matched() -> None:
    entered = TrayDie(3, "light", "white")
    assert told([die(3, 0, "thrown")], [entered]) == [(3, "thrown", 0)]
