# SPDX-License-Identifier: MIT
"""How a cell or a hold is found in Würfelspiel."""

from __future__ import annotations

import pytest

from controller.games.contract import ActionEvent
from controller.games.ui import EMPTY_SELECTION
from controller.table.choosing import list_choices, list_offers
from controller.table.events import ActionRequested, ChoiceTapped, Key, KeyPressed
from controller.table.state import Phase, TableState, require_game
from controller.table.view.snapshot import build_snapshot
from tests.support.table import BACK, CONFIRM, chosen, notice_of, play, table, tapped, throw_of


def thrown_table(faces: str) -> TableState:
    return play(table("Ada", game="wuerfelspiel"), *throw_of(faces))


def marks(state: TableState) -> list[str | None]:
    return [die["group"] for die in build_snapshot(state, version=1)["dice"]]


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
    assert marks(state) == ["thrown", "kept", "thrown", "kept", "kept"]
    assert chosen(tapped(state, 4)) == "hold 44"
    assert chosen(tapped(state, 1, 3, 4)) == "hold"
    assert play(state, CONFIRM).phase is Phase.AWAITING_ROLL


def test_a_tap_starts_from_what_the_dice_show() -> None:
    """The hold came by the list or by keys; a tap changes the one die that is tapped."""
    state = thrown_table("13446")
    actions = [choice.action for choice in list_choices(state)]
    shown = play(state, ChoiceTapped(actions.index("hold 446")))
    assert marks(shown) == ["thrown", "thrown", "kept", "kept", "kept"]
    assert chosen(tapped(shown, 4)) == "hold 44"
    assert chosen(tapped(shown, 0)) == "hold 1446"


def test_letting_the_last_die_stay_selects_nothing() -> None:
    state = tapped(thrown_table("13446"), 2, 2)
    assert (state.screen.selection, state.screen.cursor) == (EMPTY_SELECTION, -1)
    freed = play(tapped(thrown_table("13446"), 2), BACK)
    assert (freed.screen.selection, freed.screen.cursor) == (EMPTY_SELECTION, -1)


def test_an_early_confirm_fills_no_cell() -> None:
    for state in (thrown_table("13446"), third_throw("13446")):
        assert build_snapshot(state, version=1)["buttons"]["confirm"] is None
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
