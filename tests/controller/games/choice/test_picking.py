# SPDX-License-Identifier: MIT
"""How a choice is found in Choice, by cursor or by tapping dice, and confirmed."""

from __future__ import annotations

import pytest

from controller.games.contract import ActionEvent
from controller.games.ui import EMPTY_SELECTION
from controller.table.choosing import list_choices, list_offers
from controller.table.events import ActionRequested, ChoiceTapped
from controller.table.state import Phase, TableState, require_game
from tests.support.table import (
    BACK,
    CONFIRM,
    LEFT,
    RIGHT,
    chosen,
    finished_table,
    journalled,
    notice_of,
    play,
    rolled_table,
    table,
    tapped,
    throw_of,
)


def full_fifth_table() -> TableState:
    """Ada alone, 1, 2 and 3 in her fifth-die table, and a roll that shows a 1."""
    state = table("Ada")
    for spot, (faces, action) in enumerate(
        (("11144", "2+8/1"), ("22244", "4+8/2"), ("33344", "6+8/3"))
    ):
        state = play(state, *throw_of(faces, spot=spot), ActionRequested("Ada", action))
    return play(state, *throw_of("14566", spot=9))


def test_choices_are_offered_best_result_first() -> None:
    state = full_fifth_table()
    choices = list_choices(state)
    gains = [one.gain or 0 for one in choices]
    assert gains == sorted(gains, reverse=True)
    assert {one.action for one in choices} == set(require_game(state).legal_actions("Ada"))


def test_a_choice_tells_what_the_game_makes_of_it() -> None:
    state = full_fifth_table()
    game = require_game(state)
    before = game.totals()["Ada"]
    for one in list_offers(state, "Ada"):
        after = game.apply(ActionEvent("Ada", one.action)).totals()["Ada"]
        assert (one.total, one.gain) == (after, after - before)


def test_nobody_is_offered_anything_while_a_roll_is_awaited() -> None:
    assert list_choices(TableState()) == list_choices(table()) == ()
    assert list_choices(finished_table("Ada")) == ()


def test_the_cursor_goes_round_at_both_ends() -> None:
    state = rolled_table("13446")
    last = len(list_choices(state)) - 1
    assert play(state, LEFT).screen.cursor == last
    assert play(state, LEFT, RIGHT).screen.cursor == 0
    assert play(state, RIGHT, RIGHT, LEFT).screen.cursor == 1


def test_confirm_applies_the_choice_under_the_cursor() -> None:
    state = play(rolled_table("13446"), RIGHT, RIGHT)
    wanted = chosen(state)
    after, (entry,) = journalled(state, CONFIRM)
    assert (entry.kind, dict(entry.body)) == ("action", {"by": "Ada", "do": wanted})
    assert (after.chooser, after.screen.cursor) == ("Ben", 0)


def test_a_tapped_choice_gets_the_cursor_and_is_not_confirmed() -> None:
    state, effects = journalled(rolled_table("13446"), ChoiceTapped(3))
    assert (state.screen.cursor, state.chooser, effects) == (3, "Ada", ())


@pytest.mark.parametrize("index", [-1, 99])
def test_a_choice_that_is_not_there_is_refused(index: int) -> None:
    state = play(rolled_table("13446"), RIGHT)
    after = play(state, ChoiceTapped(index))
    assert after.screen.cursor == state.screen.cursor
    assert notice_of(after).kind == "refused"


def test_four_tapped_dice_make_two_pairs_and_leave_the_fifth() -> None:
    state = tapped(rolled_table("13446"), 0, 1, 2, 4)
    assert chosen(state) == "4+10/4"
    assert state.screen.selection.dice == (0, 1, 2, 4)
    assert play(state, CONFIRM).play.undoable[-1].action == "4+10/4"


def test_nothing_is_under_the_cursor_while_dice_are_being_tapped() -> None:
    for taps in ((0,), (0, 1), (0, 1, 2)):
        state = tapped(rolled_table("13446"), *taps)
        assert state.screen.cursor == -1
        after, effects = journalled(state, CONFIRM)
        assert after.screen.selection == state.screen.selection
        assert (after.play.position, effects) == (state.play.position, ())
        assert notice_of(after).text == "Nothing is selected yet."


@pytest.mark.parametrize(
    ("freed", "slots"),
    [(0, (None, 1, 2, 4)), (1, (0, None, 2, 4)), (2, (0, 1, None, 4)), (4, (0, 1, 2, None))],
)
def test_freeing_a_die_keeps_the_other_pair(
    freed: int, slots: tuple[int | None, int | None, int | None, int | None]
) -> None:
    state = tapped(rolled_table("13446"), 0, 1, 2, 4, freed)
    assert (state.screen.selection.dice, state.screen.cursor) == (slots, -1)
    refilled = tapped(state, 3)
    assert refilled.screen.selection.dice == tuple(3 if place is None else place for place in slots)


def test_freeing_the_last_taken_die_brings_the_cursor_back() -> None:
    state = tapped(rolled_table("13446"), 2, 2)
    assert (state.screen.selection, state.screen.cursor) == (EMPTY_SELECTION, 0)


def test_tapping_the_fifth_die_changes_nothing() -> None:
    state = tapped(rolled_table("13446"), 0, 1, 2, 4)
    assert tapped(state, 3) == state


def test_an_impossible_fifth_die_keeps_the_taps() -> None:
    state = tapped(full_fifth_table(), 0, 1, 2, 3)
    assert (state.screen.selection.dice, state.screen.cursor) == ((0, 1, 2, 3), -1)
    assert notice_of(state).text == "The fifth die must be 1."
    after, effects = journalled(state, CONFIRM)
    assert (after.play.position, effects) == (state.play.position, ())
    mended = tapped(state, 0, 4)
    assert (mended.notice, chosen(mended)) == (None, "10+11/1")


@pytest.mark.parametrize("index", [-1, 5])
def test_a_die_that_is_not_there_is_refused(index: int) -> None:
    state = tapped(rolled_table("13446"), 0)
    after = tapped(state, index)
    assert after.screen.selection == state.screen.selection
    assert notice_of(after).text == f"There is no die number {index + 1}."


def test_left_goes_to_the_last_choice_while_dice_are_tapped() -> None:
    state = tapped(rolled_table("13446"), 0, 1)
    last = len(list_choices(state)) - 1
    assert (play(state, LEFT).screen.cursor, play(state, RIGHT).screen.cursor) == (last, 0)
    assert play(state, LEFT).screen.selection == EMPTY_SELECTION


def test_back_frees_tapped_dice_before_it_undoes() -> None:
    first = play(rolled_table("13446"), CONFIRM)
    state, effects = journalled(tapped(first, 0, 1), BACK)
    assert (state.screen.selection, state.chooser, effects) == (EMPTY_SELECTION, "Ben", ())
    assert play(state, BACK).chooser == "Ada"


def test_tapped_dice_are_forgotten_with_the_choice() -> None:
    state = play(tapped(rolled_table("13446"), 0, 1, 2, 4), CONFIRM)
    assert state.screen.selection == EMPTY_SELECTION
    assert (state.screen.cursor, state.phase) == (0, Phase.CHOOSING)


def test_players_may_choose_out_of_turn_from_their_own_pages() -> None:
    state = play(rolled_table("13446"), ActionRequested("Ben", "4+10/4"))
    assert (state.phase, state.chooser) == (Phase.CHOOSING, "Ada")
    assert play(state, CONFIRM).phase is Phase.AWAITING_ROLL


def test_another_players_choice_keeps_tapped_dice() -> None:
    state = tapped(rolled_table("13446"), 0, 1)
    after = play(state, ActionRequested("Ben", "4+10/4"))
    assert after.screen.selection == state.screen.selection
    assert (after.screen.cursor, after.chooser) == (-1, "Ada")


def test_dice_are_shown_and_tapped_in_rising_order() -> None:
    state = rolled_table("64431")
    assert [die.face for die in state.play.roll_dice] == [1, 3, 4, 4, 6]
    assert [die.center_px[0] for die in state.play.roll_dice] == [400.0, 300.0, 100.0, 200.0, 0.0]
    assert chosen(tapped(state, 0, 1, 4, 2)) == "4+10/4"
