# SPDX-License-Identifier: MIT
"""The arrows go along the rows and the columns of the sheet of Würfelspiel."""

from __future__ import annotations

import pytest

from controller.games.wuerfelspiel.notation import CELLS
from controller.table.choosing import list_choices
from controller.table.events import ActionRequested
from controller.table.state import TableState
from controller.table.view.snapshot import build_snapshot
from tests.support.table import LEFT, RIGHT, chosen, play, table, throw_of, with_cursor_on

DOWN = LEFT
"""Of the four buttons left goes to the next row."""


def thrown_table(*filled: str) -> TableState:
    """Return a table whose player has filled these cells, and has thrown again."""
    state = table("Ada", game="wuerfelspiel")
    for spot, action in enumerate(filled):
        state = play(state, *throw_of("13446", spot=spot), ActionRequested("Ada", action))
    return play(state, *throw_of("13446", spot=len(filled)))


def arrows_of(state: TableState) -> dict[str, str]:
    """Return the actions that the arrows lead to."""
    choices = list_choices(state)
    arrows = build_snapshot(state, version=1)["arrows"]
    return {name: choices[index].action for name, index in arrows.items()}


def test_four_arrows_lead_to_the_cells_around() -> None:
    around = {"up": "ones*2", "down": "threes*2", "left": "twos*1", "right": "twos*3"}
    assert arrows_of(with_cursor_on(thrown_table(), "twos*2")) == around


def test_the_first_arrow_leads_to_the_first_empty_cell() -> None:
    state = thrown_table("ones*1")
    assert set(arrows_of(state).values()) == {"twos*1"}
    assert chosen(play(state, DOWN)) == chosen(play(state, RIGHT)) == "twos*1"


def test_filled_cells_are_passed_over() -> None:
    state = with_cursor_on(thrown_table("twos*1", "threes*2", "ones*2"), "twos*2")
    around = {"up": "hold 1346", "down": "fours*2", "left": "ones*1", "right": "twos*3"}
    assert {**arrows_of(state), "up": ""} == {**around, "up": ""}
    assert arrows_of(state)["up"].startswith("hold")


def test_sides_go_round_and_holds_are_the_last_row() -> None:
    state = thrown_table()
    assert arrows_of(with_cursor_on(state, "chance*3"))["right"] == "chance*1"
    first_hold = arrows_of(with_cursor_on(state, "chance*3"))["down"]
    assert first_hold == next(one.action for one in list_choices(state) if one.kind == "throw")
    below = arrows_of(with_cursor_on(state, first_hold))
    assert (below["up"], below["down"]) == ("chance*1", "ones*1")
    assert below["right"].startswith("hold")


@pytest.mark.parametrize("filled", [(), ("ones*1", "chance*3", "twos*2", "twos*3")])
def test_two_buttons_reach_every_cell_and_hold(filled: tuple[str, ...]) -> None:
    state = thrown_table(*filled)
    reached, ways = set[str](), [state]
    while ways:
        here = ways.pop()
        if chosen(here) not in reached:
            reached.add(chosen(here))
            ways += [play(here, key) for key in (DOWN, RIGHT)]
    assert reached == {choice.action for choice in list_choices(state)}


def test_every_cell_is_at_most_sixteen_presses_away() -> None:
    """Down goes round 13 rows and the holds, right round three columns."""
    start = with_cursor_on(thrown_table(), "ones*1")
    row = [start, play(start, RIGHT), play(start, RIGHT, RIGHT)]
    found = set[str]()
    for state in row:
        for _ in range(13):
            found.add(chosen(state))
            state = play(state, DOWN)
    assert found == set(CELLS)


def test_the_buttons_name_what_they_move_along() -> None:
    buttons = build_snapshot(thrown_table(), version=1)["buttons"]
    assert (buttons["left"], buttons["right"]) == ("next row", "next column")


def test_without_a_throw_left_the_column_goes_round() -> None:
    state = thrown_table()
    for spot in (1, 2):
        state = play(state, ActionRequested("Ada", "hold"), *throw_of("13446", spot=spot))
    assert arrows_of(with_cursor_on(state, "chance*2"))["down"] == "ones*2"
