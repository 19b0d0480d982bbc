# SPDX-License-Identifier: MIT
"""What a screen shows of Choice besides the pairs: jokers, words, rounds and how it ended."""

from __future__ import annotations

from typing import cast

import pytest

from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import ChoiceSheet, FifthDieRow
from controller.games.choice.view import ChoiceGameView, ChoiceSheetView
from controller.games.contract import GameOutcome
from controller.games.ui import TurnContext
from controller.games.wording import format_signed
from controller.table.events import ActionRequested, DieTapped, JokerTapped, PlayerTapped
from controller.table.state import TableState
from tests.support.table import (
    CONFIRM,
    dice_of,
    finished_table,
    groups_of,
    play,
    rest_of,
    table,
    throw_of,
    view,
    with_cursor_on,
)


def jokers(faces: str, *players: str) -> TableState:
    names = players or ("Ada",)
    return play(table(*names, options={"jokers": True}), *throw_of(faces))


def sheet_of(state: TableState, seat: int = 0) -> ChoiceSheetView:
    sheet = view(state)["players"][seat]["sheet"]
    assert sheet["kind"] == "choice"
    return cast("ChoiceSheetView", sheet)


def test_jokers_are_shown_where_the_game_has_them() -> None:
    assert sheet_of(table())["jokers"] == []
    sheet = sheet_of(table(options={"jokers": True}))
    assert [(one["name"], one["title"], one["state"]) for one in sheet["jokers"]] == [
        ("terminator", "Terminator", "unused"),
        ("corrector", "Corrector", "unused"),
        ("3:1", "3:1", "unused"),
    ]
    assert (sheet["jokers_points"], sheet["total"]) == (300, 300)


def test_a_joker_under_the_cursor_is_pending_and_then_used() -> None:
    state = with_cursor_on(jokers("13446", "Ada", "Ben"), "3:1 11+4/3")
    assert [one["state"] for one in sheet_of(state)["jokers"]] == ["unused", "unused", "pending"]
    assert [one["state"] for one in sheet_of(state, 1)["jokers"]] == ["unused"] * 3
    assert (sheet_of(state)["total"], sheet_of(state)["total_after"]) == (300, -200)
    used = sheet_of(play(state, CONFIRM))
    assert [one["state"] for one in used["jokers"]] == ["unused", "unused", "used"]
    assert used["jokers_points"] == 200


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("4+10/4", "4 and 10, leave 4"),
        ("3:1 11+4/3", "11 with three dice, 4 with one, leave 3"),
        ("terminator", "Terminator: throw all five again"),
        ("corrector 4>2", "Corrector: turn a 4 to 2"),
    ],
)
def test_every_choice_stands_there_in_words(action: str, text: str) -> None:
    texts = {choice["action"]: choice["text"] for choice in view(jokers("13446"))["choices"]}
    assert texts[action] == text


@pytest.mark.parametrize(
    ("action", "groups"),
    [
        ("3:1 11+4/3", ["a", "fifth", "a", "b", "a"]),
        ("corrector 4>2", [None, None, None, "turn", None]),
        ("terminator", ["thrown"] * 5),
    ],
)
def test_dice_show_what_a_joker_does_with_them(action: str, groups: list[str | None]) -> None:
    assert groups_of(with_cursor_on(jokers("13446"), action)) == groups


def test_the_corrector_turns_the_tapped_die() -> None:
    state = play(jokers("13446"), JokerTapped("corrector"), DieTapped(2))
    assert groups_of(state) == [None, None, "turn", None, None]
    assert groups_of(with_cursor_on(state, "corrector 4>2")) == [None, None, "turn", None, None]
    assert [die["taken"] for die in view(state)["dice"]] == [False, False, True, False, False]


def test_the_die_that_was_sent_over_stands_with_the_other_pair() -> None:
    state = play(jokers("12345"), *map(DieTapped, range(4)), JokerTapped("3:1"))
    assert groups_of(state) == ["a", "a", "b", "b", "fifth"]
    assert groups_of(play(state, DieTapped(0))) == ["a", "b", "a", "a", "fifth"]
    assert groups_of(play(state, DieTapped(3))) == ["a", "a", "b", "a", "fifth"]
    assert view(state)["hint"] == "Tap the die that moves to the other pair."
    sent = view(play(state, DieTapped(3)))
    assert sent["joker"] == "3:1"
    assert sent["hint"] == "Confirm, or tap another die to move that one instead."


def test_a_die_that_has_to_be_turned_is_marked_in_the_tray() -> None:
    state = play(jokers("13446"), ActionRequested("Ada", "corrector 1>4"))
    assert groups_of(state) == ["turn", None, None, None, None]
    state = play(state, *rest_of(*dice_of("1344")))
    assert groups_of(state) == ["turn", None, None, None]


def test_each_player_sees_the_dice_that_they_choose_from() -> None:
    state = play(jokers("13446", "Ada", "Ben"), ActionRequested("Ada", "terminator"))
    state = play(state, *throw_of("22355", spot=4))
    assert [die["face"] for die in view(state)["dice"]] == [2, 2, 3, 5, 5]
    ben = play(state, CONFIRM)
    assert ben.chooser == "Ben"
    assert [die["face"] for die in view(ben)["dice"]] == [1, 3, 4, 4, 6]
    # The shared dice are not in the tray any more, so nothing is outlined there.
    assert {die["edge_px"] for die in view(ben)["dice"]} == {0.0}


def test_those_who_wait_for_dice_of_their_own_are_to_roll() -> None:
    state = play(jokers("13446", "Ada", "Ben", "Cleo"), ActionRequested("Ada", "terminator"))
    assert [player["state"] for player in view(state)["players"]] == ["rolls", "chooses", "waits"]
    assert view(state)["choices"] == []


def test_the_screen_is_about_whom_the_headline_asks() -> None:
    """It is the first who asked for the tray, until somebody brings other choices to the screen."""
    chosen = jokers("13446", "Ada", "Ben", "Cleo")
    state = play(chosen, ActionRequested("Cleo", "corrector 1>4"))
    assert view(state)["headline"] == "Cleo: turn the 1 to 4"
    state = play(state, ActionRequested("Ada", "terminator"))
    assert [player["state"] for player in view(state)["players"]] == ["rolls", "chooses", "rolls"]
    assert view(state)["active"] == "Cleo"
    assert view(play(state, PlayerTapped("Ben")))["active"] == "Ben"
    assert (view(chosen)["active"], view(TableState())["active"]) == ("Ada", None)


def test_rolls_for_everybody_are_counted_and_no_rounds() -> None:
    assert view(table())["progress"] == "Roll 1"
    state = jokers("13446", "Ada", "Ben")
    assert view(state)["progress"] == view(play(state, CONFIRM))["progress"] == "Roll 1"
    terminated = play(state, ActionRequested("Ada", "terminator"), *throw_of("22355", spot=4))
    assert (terminated.play.rolls, view(terminated)["progress"]) == (2, "Roll 1")
    second = play(state, CONFIRM, CONFIRM)
    assert view(second)["progress"] == view(play(second, *throw_of("66666", spot=6)))["progress"]
    assert view(second)["progress"] == "Roll 2"
    assert view(finished_table("Ada", "Ben"))["progress"] == "Roll 8"


def ended(totals: dict[str, int]) -> ChoiceGameView:
    """Return the view of a finished game with these results."""
    marks = {
        60: (0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0),
        0: (0,) * 11,
        -200: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        -400: (1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    }
    fifth = (FifthDieRow(1, 8),)
    game = ChoiceState(
        tuple(totals), tuple(ChoiceSheet(marks[one], fifth) for one in totals.values())
    )
    return ChoiceGameView(game, TurnContext())


@pytest.mark.parametrize(
    ("totals", "text"),
    [
        ({"Ada": 60}, "Ada wins with +60 points."),
        ({"Ada": 0}, "Ada wins with 0 points."),
        ({"Ada": -200}, "Ada loses with \N{MINUS SIGN}200 points."),
        ({"Ada": -400, "Ben": -200}, "Ben wins with \N{MINUS SIGN}200 points."),
        ({"Ada": 60, "Ben": 60, "Cleo": 0}, "Ada and Ben share the win with +60 points."),
    ],
)
def test_how_a_game_ended_is_told_in_one_sentence(totals: dict[str, int], text: str) -> None:
    ended_view = ended(totals)
    outcome = ended_view.game.outcome()
    assert isinstance(outcome, GameOutcome)
    assert ended_view.outcome_text(outcome) == text


def test_points_have_a_sign_unless_there_are_none() -> None:
    assert [format_signed(points) for points in (-30, 0, 30)] == ["\N{MINUS SIGN}30", "0", "+30"]
