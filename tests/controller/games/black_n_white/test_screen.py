# SPDX-License-Identifier: MIT
"""The screen of Black'n'White: stop, throws and tens by taps, and what a hint says of them."""

from __future__ import annotations

import pytest

from controller.games.black_n_white.game import BLACK_N_WHITE
from controller.games.ui import EMPTY_SELECTION
from controller.table.choosing import list_choices
from controller.table.events import ActionRequested, ChoiceTapped, Event, TrayDie
from controller.table.state import TableState
from tests.controller.games.black_n_white.test_rules import start
from tests.controller.games.playing import played
from tests.support.table import CONFIRM, die, play, rest_of, table, tapped


def pair(white: int, black: int, *, spot: int) -> tuple[TrayDie, TrayDie]:
    y = 100.0 * spot
    return die(white, 0.0, y), die(black, 300.0, y, is_black=True)


def throw(white: int, black: int, *, spot: int = 0) -> tuple[Event, ...]:
    return rest_of(*pair(white, black, spot=spot))


def thrown_table(white: int, black: int) -> TableState:
    return play(table("Ada", "Ben", "Cleo", game="black-n-white"), *throw(white, black))


def second_table(
    *, ada: tuple[int, int], tens: str, ben: tuple[int, int], throws: int = 2
) -> TableState:
    """Return the table where Ada stopped after some throws, and Ben threw once."""
    state = thrown_table(*ada)
    for spot in range(1, throws):
        state = play(state, ActionRequested("Ada", "throw both"), *throw(*ada, spot=spot))
    events = [
        ActionRequested("Ada", "stop"),
        *([ActionRequested("Ada", f"tens {tens}")] if tens else []),
    ]
    return play(state, *events, *throw(*ben, spot=9))


def actions_of(state: TableState) -> list[str]:
    return [choice.action for choice in list_choices(state)]


@pytest.mark.parametrize("dice", [(4, 5), (5, 2), (1, 6), (2, 2)])
def test_the_order_is_no_hint_whether_to_stop(dice: tuple[int, int]) -> None:
    expected = ["stop", "throw white", "throw black", "throw both"]
    assert actions_of(thrown_table(*dice)) == expected
    assert actions_of(second_table(ada=(6, 4), tens="white", ben=dice)) == expected


@pytest.mark.parametrize("dice", [(4, 6), (5, 2)])
def test_the_order_is_no_hint_which_die_gives_the_tens(dice: tuple[int, int]) -> None:
    state = play(thrown_table(*dice), ActionRequested("Ada", "stop"))
    assert actions_of(state) == ["tens white", "tens black"]
    assert {choice.kind for choice in list_choices(state)} == {"tens"}


def test_nothing_here_scores_by_itself() -> None:
    assert {choice.gain for choice in list_choices(thrown_table(4, 5))} == {None}


@pytest.mark.parametrize(
    ("taps", "action"),
    [
        ((0,), "throw white"),
        ((1,), "throw black"),
        ((0, 1), "throw both"),
        ((0, 1, 0), "throw black"),
    ],
)
def test_tapped_dice_are_thrown_again(taps: tuple[int, ...], action: str) -> None:
    state = tapped(thrown_table(4, 5), *taps)
    assert actions_of(state)[state.screen.cursor] == action
    assert play(state, CONFIRM).play.undoable[-1].action == action


def test_without_a_tapped_die_nothing_is_selected() -> None:
    """An early confirm neither stops nor throws."""
    for state in (thrown_table(4, 5), tapped(thrown_table(4, 5), 1, 1)):
        assert (state.screen.cursor, state.screen.selection) == (-1, EMPTY_SELECTION)
        assert play(state, CONFIRM).play.undoable == state.play.undoable


def test_a_tap_starts_from_what_the_dice_show() -> None:
    state = play(thrown_table(4, 5), ChoiceTapped(3))
    assert actions_of(state)[state.screen.cursor] == "throw both"
    state = tapped(state, 0)
    assert actions_of(state)[state.screen.cursor] == "throw black"


@pytest.mark.parametrize(("index", "action"), [(0, "tens white"), (1, "tens black")])
def test_a_tap_on_a_die_says_its_colour_for_the_tens(index: int, action: str) -> None:
    state = tapped(play(thrown_table(4, 5), ActionRequested("Ada", "stop")), index)
    assert actions_of(state)[state.screen.cursor] == action


@pytest.mark.parametrize(
    ("roll", "action", "reason"),
    [
        # Who stops with 6 and 1 says white tens, and then 10 throws are higher than 61.
        ("w6 b1", "stop", "10 of 36 throws of both dice are higher."),
        # While the tens are open, every throw may be read in both ways.
        ("w6 b1", "throw black", "Of 6 throws 5 are higher and 0 lower."),
        ("w6 b1", "throw white", "Of 6 throws 1 are higher and 4 lower."),
        ("w6 b1", "throw both", "Of 36 throws 14 are higher and 20 lower."),
        ("w6 b6", "stop", "0 of 36 throws of both dice are higher."),
        ("w1 b1", "stop", "5 of 36 throws of both dice are higher."),
        ("w1 b2", "throw white", "Of 6 throws 5 are higher and 0 lower."),
        ("w1 b2", "throw both", "Of 36 throws 34 are higher and 0 lower."),
    ],
)
def test_a_reason_counts_the_throws_that_change_a_result(
    roll: str, action: str, reason: str
) -> None:
    state = played(start(), f"Ada {roll}")
    assert str(BLACK_N_WHITE.ui.explain_action(state, "Ada", action)) == reason


@pytest.mark.parametrize(("tens", "higher"), [("tens white", 31), ("tens black", 10)])
def test_the_tens_decide_how_many_throws_are_higher(tens: str, higher: int) -> None:
    state = played(start(), "Ada w1 b6", "Ada stop")
    reason = f"{higher} of 36 throws of both dice are higher."
    assert str(BLACK_N_WHITE.ui.explain_action(state, "Ada", tens)) == reason
