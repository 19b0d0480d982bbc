# SPDX-License-Identifier: MIT
"""What a screen shows of Würfelspiel: the sheet with its offers, holds, turns and the end."""

from __future__ import annotations

import random
from typing import cast

import pytest

from controller.games.contract import ActionEvent, RollEvent
from controller.games.wuerfelspiel.game import WUERFELSPIEL
from controller.games.wuerfelspiel.sheet import ROWS, score_row
from controller.games.wuerfelspiel.view import CellView, WuerfelspielSheetView
from controller.table.events import ActionRequested, DieTapped
from controller.table.state import Phase, Play, TableState
from tests.support.table import dice_of, groups_of, play, rest_of, table, view, with_cursor_on

ROLL = dice_of("13446")


def sheet_of(state: TableState, seat: int = 0) -> WuerfelspielSheetView:
    sheet = view(state)["players"][seat]["sheet"]
    assert sheet["kind"] == "wuerfelspiel"
    return cast("WuerfelspielSheetView", sheet)


def cells_of(sheet: WuerfelspielSheetView, row: str) -> list[CellView]:
    return next(one["cells"] for one in sheet["rows"] if one["key"] == row)


@pytest.fixture
def state() -> TableState:
    """A table where Ada has thrown 1 3 4 4 6."""
    return play(table(game="wuerfelspiel"), *rest_of(*ROLL))


def test_the_sheet_has_the_rows_of_the_page_with_their_names(state: TableState) -> None:
    rows = sheet_of(state)["rows"]
    assert [row["key"] for row in rows] == list(ROWS)
    assert [row["label"] for row in rows][5:8] == ["Sixes", "3 of a kind", "4 of a kind"]
    assert sheet_of(state)["factors"] == [1, 2, 3]


def test_empty_cells_offer_the_chooser_what_the_dice_count_there(state: TableState) -> None:
    filled = play(state, ActionRequested("Ada", "chance*2"), *rest_of(*dice_of("22255", spot=3)))
    ada, ben = sheet_of(filled), sheet_of(filled, 1)
    for row in ben["rows"]:
        offer = score_row(row["key"], (2, 2, 2, 5, 5))
        assert [cell["offer"] for cell in row["cells"]] == [offer] * 3
    assert all(cell["offer"] is None for row in ada["rows"] for cell in row["cells"])
    assert [cell["points"] for cell in cells_of(ada, "chance")] == [None, 18, None]


def test_dice_in_the_hand_are_offered_nowhere(state: TableState) -> None:
    in_hand = sheet_of(play(state, *rest_of(*ROLL[2:])))
    assert all(cell["offer"] is None for row in in_hand["rows"] for cell in row["cells"])


def test_the_cell_under_the_cursor_is_pending_with_what_it_makes(state: TableState) -> None:
    sheet = sheet_of(with_cursor_on(state, "chance*3"))
    assert [cell["pending"] for cell in cells_of(sheet, "chance")] == [False, False, True]
    assert (sheet["columns"], sheet["columns_after"]) == ([0, 0, 0], [0, 0, 18])
    assert (sheet["total"], sheet["total_after"]) == (0, 54)
    assert (
        view(state)["players"][1]["sheet"]
        == view(with_cursor_on(state, "chance*3"))["players"][1]["sheet"]
    )


def test_a_bonus_that_would_be_reached_is_shown_before_it_is() -> None:
    state = table("Ada", game="wuerfelspiel")
    for spot, (face, row) in enumerate(((6, "sixes"), (5, "fives"))):
        dice = dice_of(f"{face}" * 5, spot=spot)
        state = play(state, *rest_of(*dice), ActionRequested("Ada", f"{row}*1"))
    sheet = sheet_of(with_cursor_on(play(state, *rest_of(*dice_of("44441", spot=4))), "fours*1"))
    assert sheet["upper"] == [55, 0, 0]
    assert (sheet["bonus"], sheet["bonus_after"]) == ([0, 0, 0], [35, 0, 0])


def test_nothing_is_pending_while_the_cursor_is_on_a_hold(state: TableState) -> None:
    sheet = sheet_of(with_cursor_on(state, "hold 44"))
    assert not any(cell["pending"] for row in sheet["rows"] for cell in row["cells"])
    assert sheet["total_after"] == sheet["total"]


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("chance*3", "Chance, column 3: 18 points"),
        ("five*1", "5 of a kind, column 1: nothing"),
        ("hold 446", "keep 4 4 6, throw 2"),
        ("hold", "throw all five"),
    ],
)
def test_every_choice_stands_there_in_words(state: TableState, action: str, text: str) -> None:
    texts = {choice["action"]: choice["text"] for choice in view(state)["choices"]}
    assert texts[action] == text


def test_dice_show_what_is_kept_and_what_is_thrown_again(state: TableState) -> None:
    assert groups_of(with_cursor_on(state, "hold 46")) == [
        "thrown",
        "thrown",
        "kept",
        "thrown",
        "kept",
    ]
    assert groups_of(with_cursor_on(state, "hold")) == ["thrown"] * 5
    assert groups_of(with_cursor_on(state, "chance*1")) == [None] * 5
    tapped = play(state, DieTapped(3), DieTapped(0))
    assert groups_of(tapped) == ["thrown", "kept", "kept", "thrown", "kept"]


def test_tapped_dice_are_told_with_what_comes_next(state: TableState) -> None:
    assert view(state)["hint"] == (
        "2 throws left: take or tap the dice that you throw again, or choose a cell."
    )
    three = view(play(state, *(DieTapped(index) for index in (0, 1, 3))))
    assert three["hint"] == "4 6 stay: throw the others."


def test_turns_and_throws_are_counted(state: TableState) -> None:
    assert view(table(game="wuerfelspiel"))["progress"] == "Turn 1 of 39, throw 1 of 3"
    assert view(state)["progress"] == "Turn 1 of 39, throw 1 of 3"
    held = play(state, ActionRequested("Ada", "hold 44"))
    assert view(held)["progress"] == "Turn 1 of 39, throw 2 of 3"
    third = play(state, *rest_of(*dice_of("12345", spot=2)), *rest_of(*dice_of("12345", spot=3)))
    assert view(third)["progress"] == "Turn 1 of 39, throw 3 of 3"
    assert view(third)["headline"] == "Ada: fill a cell"
    assert view(third)["hint"] == "No throw is left: choose a cell."


@pytest.mark.parametrize("players", [("Ada",), ("Ada", "Ben")])
def test_the_end_is_told_with_the_result(players: tuple[str, ...]) -> None:
    chance, game = random.Random(1), WUERFELSPIEL.start(players, {})
    while game.outcome() is None:
        (name,) = game.expects().roll
        roll = "".join(chance.choices("123456", k=5))
        game = game.apply(RollEvent(name, roll))
        game = game.apply(ActionEvent(name, game.legal_actions(name)[0]))
    outcome, totals = game.outcome(), game.totals()
    assert outcome is not None
    shown = view(TableState(phase=Phase.GAME_OVER, play=Play("wuerfelspiel", game)))
    best = f"with {max(totals.values())} points."
    who = " and ".join(outcome.winners)
    verb = "finishes" if len(players) == 1 else "wins"
    assert shown["outcome"] is not None
    assert shown["outcome"]["text"] == f"{who} {verb} {best}"
    assert shown["progress"] == "Turn 39 of 39"
