# SPDX-License-Identifier: MIT
"""Which dice are drawn, where, and what becomes of each, while some stay and some go."""

from __future__ import annotations

from controller.base.settings.choices import Confirm
from controller.table.events import ActionRequested, MotionStarted, MotionStopped
from controller.table.state import Phase, TableState
from controller.table.view.snapshot import build_snapshot
from controller.table.view.types import DieView
from tests.support.table import BACK, CONFIRM, dice_of, die, play, pushed, rest_of, table, throw_of

ONE, THREE, FOUR, OTHER_FOUR, FIVE = ROLL = dice_of("13445")
NEW = dice_of("26", spot=3)
WHITE, BLACK = die(4, 100.0), die(6, 300.0, is_black=True)


def wuerfelspiel() -> TableState:
    return play(table(game="wuerfelspiel"), *rest_of(*ROLL))


def drawn(state: TableState) -> list[DieView]:
    return build_snapshot(state, version=1)["dice"]


def groups_of(state: TableState) -> list[tuple[int, str | None]]:
    return [(one["face"], one["group"]) for one in drawn(state)]


def test_dice_in_the_hand_keep_their_place_in_the_row() -> None:
    state = play(wuerfelspiel(), *rest_of(THREE, OTHER_FOUR, FIVE))
    faces = [(1, "thrown"), (3, "kept"), (4, "thrown"), (4, "kept"), (5, "kept")]
    assert groups_of(state) == faces
    assert [one["edge_px"] for one in drawn(state)] == [0.0, 40.0, 0.0, 40.0, 40.0]


def test_a_kept_die_is_drawn_where_it_was_pushed_to() -> None:
    state = play(wuerfelspiel(), *rest_of(pushed(FOUR, 20.0), OTHER_FOUR, FIVE))
    assert drawn(state)[2]["center_px"] == pushed(FOUR, 20.0).center_px
    back = play(state, BACK, *rest_of(*ROLL[:2], pushed(FOUR, 20.0), *ROLL[3:]))
    assert drawn(back)[2]["center_px"] == pushed(FOUR, 20.0).center_px
    assert drawn(back)[2]["edge_px"] == 40.0


def test_the_row_stays_while_a_hand_reaches_into_the_tray() -> None:
    moving = play(wuerfelspiel(), MotionStarted())
    for state in (moving, play(moving, MotionStopped())):
        assert groups_of(state) == [(face, None) for face in (1, 3, 4, 4, 5)]
        assert {one["edge_px"] for one in drawn(state)} == {0.0}


def test_what_is_kept_is_still_told_while_the_others_roll() -> None:
    moving = play(wuerfelspiel(), *rest_of(*ROLL[2:]), MotionStarted())
    assert [group for _, group in groups_of(moving)] == ["thrown"] * 2 + ["kept"] * 3


def test_after_an_announced_hold_the_tray_shows_what_to_take() -> None:
    state = play(wuerfelspiel(), ActionRequested("Ada", "hold 45"))
    faces = [(1, "thrown"), (3, "thrown"), (4, "kept"), (4, "thrown"), (5, "kept")]
    assert groups_of(state) == faces
    assert groups_of(play(state, MotionStarted())) == [(4, "kept"), (5, "kept")]
    assert groups_of(play(state, *rest_of(FOUR, FIVE))) == [(4, "kept"), (5, "kept")]


def test_a_roll_that_waits_to_be_confirmed_shows_what_was_kept() -> None:
    first = play(table(game="wuerfelspiel", confirm=Confirm.BUTTON), *rest_of(*ROLL))
    assert groups_of(first) == [(face, None) for face in (1, 3, 4, 4, 5)]
    again = play(first, CONFIRM, *rest_of(*ROLL[2:]), *rest_of(*ROLL[2:], *NEW))
    assert again.phase is Phase.READING
    kept = [(4, "kept"), (4, "kept"), (5, "kept")]
    assert groups_of(again) == [(2, None), *kept, (6, None)], "in the order of the record"


def test_new_dice_beside_kept_ones_are_the_next_roll() -> None:
    state = play(wuerfelspiel(), *rest_of(*ROLL[2:]), *rest_of(*ROLL[2:], *NEW))
    assert sorted(one["face"] for one in drawn(state)) == [2, 4, 4, 5, 6]
    assert {one["edge_px"] for one in drawn(state)} == {40.0}


def test_the_white_die_is_drawn_first_however_they_were_read() -> None:
    state = play(table(game="black-n-white"), *rest_of(BLACK, WHITE))
    assert [one["polarity"] for one in drawn(state)] == ["light", "dark"]
    kept = play(state, *rest_of(BLACK))
    assert groups_of(kept) == [(4, "thrown"), (6, "kept")]


def test_a_joker_throw_shows_nothing_while_it_rolls() -> None:
    state = play(table("Ada", options={"jokers": True}), *throw_of("13446"))
    state = play(state, ActionRequested("Ada", "terminator"))
    assert [one["face"] for one in drawn(state)] == [1, 3, 4, 4, 6]
    assert drawn(play(state, MotionStarted())) == []
