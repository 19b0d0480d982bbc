# SPDX-License-Identifier: MIT
"""The screen of Würfelspiel: cells and holds by taps and arrows, and what a hint says of them."""

from __future__ import annotations

import pytest

from controller.games.contract import ActionEvent, RollEvent
from controller.games.ui import EMPTY_SELECTION
from controller.games.wuerfelspiel.game import WUERFELSPIEL
from controller.games.wuerfelspiel.notation import CELLS
from controller.games.wuerfelspiel.rules import WuerfelspielState
from controller.table.choosing import list_choices, list_offers
from controller.table.events import ActionRequested, ChoiceTapped, Key, KeyPressed
from controller.table.state import Phase, TableState, require_game
from tests.controller.games.playing import played
from tests.controller.games.wuerfelspiel.test_rules import nearly_finished, start
from tests.support.table import (
    BACK,
    CONFIRM,
    LEFT,
    RIGHT,
    chosen,
    groups_of,
    notice_of,
    play,
    table,
    tapped,
    throw_of,
    view,
    with_cursor_on,
)


def thrown_table(faces: str) -> TableState:
    return play(table("Ada", game="wuerfelspiel"), *throw_of(faces))


def third_throw(faces: str) -> TableState:
    state = thrown_table(faces)
    for spot in (1, 2):
        state = play(state, ActionRequested("Ada", "hold"), *throw_of(faces, spot=spot))
    return state


def test_offers_go_from_counting_cells_to_empty_ones() -> None:
    choices = list_choices(thrown_table("13446"))
    gains = [choice.gain for choice in choices]
    kinds = [(choice.kind, bool(choice.gain)) for choice in choices]
    first_hold, last_hold = kinds.index(("throw", False)), gains.index(None) + gains.count(None) - 1
    assert all(kind == ("fill", True) for kind in kinds[:first_hold])
    assert all(gain is None for gain in gains[first_hold : last_hold + 1])
    assert all(kind == ("fill", False) for kind in kinds[last_hold + 1 :])
    counting = [gain or 0 for gain in gains[:first_hold]]
    assert counting == sorted(counting, reverse=True)


def test_a_gain_counts_the_factor_and_the_bonus() -> None:
    state = thrown_table("66666")
    gains = {choice.action: choice.gain for choice in list_choices(state)}
    assert [gains[f"five*{column}"] for column in (1, 2, 3)] == [50, 100, 150]
    game = require_game(state)
    for choice in list_offers(state, "Ada"):
        if choice.gain is not None:
            after = game.apply(ActionEvent("Ada", choice.action)).totals()["Ada"]
            assert (choice.gain, choice.total) == (after, after)


def test_the_gain_of_a_cell_includes_its_bonus() -> None:
    state = table("Ada", game="wuerfelspiel")
    for spot, (faces, row) in enumerate(
        (("22222", "twos"), ("33333", "threes"), ("44444", "fours"))
    ):
        state = play(state, *throw_of(faces, spot=spot), ActionRequested("Ada", f"{row}*2"))
    state = play(state, *throw_of("55551", spot=5))
    gains = {choice.action: choice.gain for choice in list_choices(state)}
    assert (gains["fives*1"], gains["fives*2"]) == (20, 2 * (20 + 35))


@pytest.mark.parametrize(
    ("faces", "better", "worse"),
    [
        ("44456", "hold 444", "hold 44"),
        ("44456", "hold 444", "hold 456"),
        ("44456", "hold 444", "hold 4445"),
        ("12346", "hold 1234", "hold 123"),
        ("11566", "hold 66", "hold 11"),
        ("11566", "hold 66", "hold 56"),
        ("11566", "hold 1", "hold"),
    ],
)
def test_dice_that_go_together_are_the_more_promising_to_keep(
    faces: str, better: str, worse: str
) -> None:
    actions = [choice.action for choice in list_choices(thrown_table(faces))]
    assert actions.index(better) < actions.index(worse)


def test_keeping_nothing_is_the_last_of_the_holds() -> None:
    for faces in ("13446", "66666", "12345"):
        holds = [choice for choice in list_choices(thrown_table(faces)) if choice.kind == "throw"]
        assert holds[-1].action == "hold"


def test_tapped_dice_are_the_ones_that_are_thrown() -> None:
    state = thrown_table("41446")
    assert chosen(tapped(state, 1)) == "hold 1446"
    state = tapped(state, 2, 0)
    assert (chosen(state), state.screen.selection.dice) == ("hold 446", (0, 2))
    assert groups_of(state) == ["thrown", "kept", "thrown", "kept", "kept"]
    assert chosen(tapped(state, 4)) == "hold 44"
    assert chosen(tapped(state, 1, 3, 4)) == "hold"
    assert play(state, CONFIRM).phase is Phase.AWAITING_ROLL


def test_a_tap_starts_from_what_the_dice_show() -> None:
    """The hold came by the list or by keys; a tap changes the one die that is tapped."""
    state = thrown_table("13446")
    actions = [choice.action for choice in list_choices(state)]
    shown = play(state, ChoiceTapped(actions.index("hold 446")))
    assert groups_of(shown) == ["thrown", "thrown", "kept", "kept", "kept"]
    assert chosen(tapped(shown, 4)) == "hold 44"
    assert chosen(tapped(shown, 0)) == "hold 1446"


def test_letting_the_last_die_stay_selects_nothing() -> None:
    state = tapped(thrown_table("13446"), 2, 2)
    assert (state.screen.selection, state.screen.cursor) == (EMPTY_SELECTION, -1)
    freed = play(tapped(thrown_table("13446"), 2), BACK)
    assert (freed.screen.selection, freed.screen.cursor) == (EMPTY_SELECTION, -1)


def test_an_early_confirm_fills_no_cell() -> None:
    for state in (thrown_table("13446"), third_throw("13446")):
        assert view(state)["buttons"]["confirm"] is None
        after = play(state, CONFIRM)
        assert (require_game(after), after.phase) == (require_game(state), Phase.CHOOSING)
        assert notice_of(after).text == "Nothing is selected yet."
        on_phone = play(state, KeyPressed(Key.CONFIRM, by="Ada"))
        assert require_game(on_phone) == require_game(state)


def test_a_tap_on_a_cell_and_a_confirm_fill_it() -> None:
    state = tapped(thrown_table("13446"), 2)
    actions = [choice.action for choice in list_choices(state)]
    filled = play(state, ChoiceTapped(actions.index("chance*3")), CONFIRM)
    assert filled.play.undoable[-1].action == "chance*3"


def test_after_the_third_throw_no_die_can_be_kept() -> None:
    state = third_throw("13446")
    after = tapped(state, 0)
    assert notice_of(after).text == "All 3 throws are used."
    assert (after.screen.cursor, after.screen.selection) == (state.screen.cursor, EMPTY_SELECTION)
    assert all(choice.kind == "fill" for choice in list_choices(after))


def test_a_die_that_is_not_there_is_refused() -> None:
    for index in (-1, 5):
        after = tapped(thrown_table("13446"), index)
        assert notice_of(after).text == f"There is no die number {index + 1}."


DOWN = LEFT
"""Of the four buttons left goes to the next row."""


def filled_table(*filled: str) -> TableState:
    """Return a table whose player has filled these cells, and has thrown again."""
    state = table("Ada", game="wuerfelspiel")
    for spot, action in enumerate(filled):
        state = play(state, *throw_of("13446", spot=spot), ActionRequested("Ada", action))
    return play(state, *throw_of("13446", spot=len(filled)))


def arrows_of(state: TableState) -> dict[str, str]:
    """Return the actions that the arrows lead to."""
    choices = list_choices(state)
    arrows = view(state)["arrows"]
    return {name: choices[index].action for name, index in arrows.items()}


def test_four_arrows_lead_to_the_cells_around() -> None:
    around = {"up": "ones*2", "down": "threes*2", "left": "twos*1", "right": "twos*3"}
    assert arrows_of(with_cursor_on(filled_table(), "twos*2")) == around


def test_the_first_arrow_leads_to_the_first_empty_cell() -> None:
    state = filled_table("ones*1")
    assert set(arrows_of(state).values()) == {"twos*1"}
    assert chosen(play(state, DOWN)) == chosen(play(state, RIGHT)) == "twos*1"


def test_filled_cells_are_passed_over() -> None:
    state = with_cursor_on(filled_table("twos*1", "threes*2", "ones*2"), "twos*2")
    around = {"up": "hold 1346", "down": "fours*2", "left": "ones*1", "right": "twos*3"}
    assert {**arrows_of(state), "up": ""} == {**around, "up": ""}
    assert arrows_of(state)["up"].startswith("hold")


def test_sides_go_round_and_holds_are_the_last_row() -> None:
    state = filled_table()
    assert arrows_of(with_cursor_on(state, "chance*3"))["right"] == "chance*1"
    first_hold = arrows_of(with_cursor_on(state, "chance*3"))["down"]
    assert first_hold == next(one.action for one in list_choices(state) if one.kind == "throw")
    below = arrows_of(with_cursor_on(state, first_hold))
    assert (below["up"], below["down"]) == ("chance*1", "ones*1")
    assert below["right"].startswith("hold")


@pytest.mark.parametrize("filled", [(), ("ones*1", "chance*3", "twos*2", "twos*3")])
def test_two_buttons_reach_every_cell_and_hold(filled: tuple[str, ...]) -> None:
    state = filled_table(*filled)
    reached, ways = set[str](), [play(state, DOWN), play(state, RIGHT)]
    while ways:
        here = ways.pop()
        if (action := chosen(here)) not in reached:
            reached.add(action)
            ways += [play(here, key) for key in (DOWN, RIGHT)]
    assert reached == {choice.action for choice in list_choices(state)}


def test_every_cell_is_at_most_sixteen_presses_away() -> None:
    """Down goes round 13 rows and the holds, right round three columns."""
    start = with_cursor_on(filled_table(), "ones*1")
    row = [start, play(start, RIGHT), play(start, RIGHT, RIGHT)]
    found = set[str]()
    for state in row:
        for _ in range(13):
            found.add(chosen(state))
            state = play(state, DOWN)
    assert found == set(CELLS)


def test_the_buttons_name_what_they_move_along() -> None:
    buttons = view(filled_table())["buttons"]
    assert (buttons["left"], buttons["right"]) == ("next row", "next column")


def test_without_a_throw_left_the_column_goes_round() -> None:
    state = filled_table()
    for spot in (1, 2):
        state = play(state, ActionRequested("Ada", "hold"), *throw_of("13446", spot=spot))
    assert arrows_of(with_cursor_on(state, "chance*2"))["down"] == "ones*2"


@pytest.mark.parametrize(
    ("rolls", "action", "reason"),
    [
        # A 4 in 11 of 36 throws or 5 and 5 in one; 3 and 6, or 2 and 3, in 4.
        (
            ("64451",),
            "hold 445",
            "Keeps 4 4 5 and throws 2 dice. Chances of the next throw: 3 of a kind 33 %, "
            "Small straight 11 %. After it 1 throw is left.",
        ),
        # A 4 in 91 of 216 throws, or three others alike in 5.
        (
            ("64451",),
            "hold 44",
            "Keeps 4 4 and throws 3 dice. Chances of the next throw: 3 of a kind 44 %, "
            "Small straight 8 %. After it 1 throw is left.",
        ),
        (
            ("64451", "hold 445", "44526"),
            "hold 4456",
            "Keeps 4 4 5 6 and throws one die. Chances of the next throw: Small straight 17 %, "
            "3 of a kind 17 %. After it no throw is left.",
        ),
        (("64451",), "chance*3", "20 points, times 3 in this column."),
        (("64451",), "five*2", "Gives up this row of the column: it counts nothing."),
        (("22555",), "fullhouse*1", "25 points, times 1 in this column."),
        (("22225",), "four*2", "13 points, times 2 in this column."),
        (
            ("22225",),
            "twos*1",
            "8 points, times 1 in this column. "
            "The column then lacks 55 points for its bonus of 35.",
        ),
        (("22222",), "five*3", "50 points, times 3 in this column."),
    ],
)
def test_a_reason_is_what_the_rules_make_of_a_choice(
    rolls: tuple[str, ...], action: str, reason: str
) -> None:
    # No line ends between a number and its unit.
    expected = reason.replace(" %", "\u00a0%")
    assert str(WUERFELSPIEL.ui.explain_action(played(start(), *rolls), "Ada", action)) == expected


def test_the_last_points_of_the_upper_rows_win_the_bonus() -> None:
    state = WuerfelspielState(("Ada",), (nearly_finished("sixes*2", points=11),))
    state = state.apply(RollEvent("Ada", "66125"))
    assert str(WUERFELSPIEL.ui.explain_action(state, "Ada", "sixes*2")) == (
        "12 points, times 2 in this column. It wins the bonus of the column: 35 points."
    )
