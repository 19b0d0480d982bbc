# SPDX-License-Identifier: MIT
"""What holds in every game of Black'n'White, however the dice fall and whatever is decided."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.black_n_white.game import BLACK_N_WHITE
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.contract import ActionEvent, GameEvent
from tests.controller.games.playing import random_game


@settings(max_examples=25)
@given(st.integers(2, 5), st.integers(0, 2**32))
def test_what_holds_in_every_game(players: int, seed: int) -> None:
    for state, event, after in random_game(BLACK_N_WHITE, players, seed):
        assert isinstance(state, BlackNWhiteState)
        assert isinstance(after, BlackNWhiteState)
        chips_move_from_the_middle_to_players_and_out(state, after)
        nobody_throws_more_often_than_the_starter_did(after)
        the_tens_are_said_once_by_the_first_without_a_double(state, event, after)
        players_with_chips_throw_in_the_order_of_seats(state)
        in_a_throw_off_all_who_may_roll_hold_most_chips(state)
        dice_that_lie_amount_to_the_throws_that_are_legal(state)
        if after.outcome() is not None:
            one_player_is_left_with_chips(after)


def all_chips(state: BlackNWhiteState) -> int:
    return state.middle + sum(state.totals().values())


def chips_move_from_the_middle_to_players_and_out(
    state: BlackNWhiteState, after: BlackNWhiteState
) -> None:
    moved = after.round != state.round or after.outcome() is not None
    assert state.middle - after.middle == (1 if moved and state.phase == 1 else 0)
    assert all_chips(state) - all_chips(after) == (1 if moved and state.phase == 2 else 0)
    assert state.phase <= after.phase
    assert state.phase == (1 if state.middle else 2)


def nobody_throws_more_often_than_the_starter_did(after: BlackNWhiteState) -> None:
    assert all(0 <= after.throws_of(name) <= after.limit <= 3 for name in after.players)
    for starter in after.acted[:1]:
        assert after.throws_of(starter) == after.limit


def the_tens_are_said_once_by_the_first_without_a_double(
    state: BlackNWhiteState, event: GameEvent, after: BlackNWhiteState
) -> None:
    houses = [name for name in after.acted if len({*(after.result_of(name) or ())}) == 2]
    assert after.tens_by == (houses[0] if houses else "")
    if isinstance(event, ActionEvent) and event.action.startswith("tens"):
        assert state.tens == ""


def players_with_chips_throw_in_the_order_of_seats(state: BlackNWhiteState) -> None:
    if state.is_throw_off:
        return
    seats = [state.players.index(name) for name in (*state.acted, *state.expects().roll)]
    steps = [(seat - seats[0]) % len(state.players) for seat in seats]
    assert steps == sorted(set(steps))
    if state.phase == 2 and seats:
        assert all(state.chips[seat] for seat in seats)
        assert state.chips[seats[0]] == max(state.chips)


def in_a_throw_off_all_who_may_roll_hold_most_chips(state: BlackNWhiteState) -> None:
    waiting = state.expects().roll
    if state.is_throw_off:
        assert all(state.chips_of(name) == max(state.chips) for name in waiting)
        assert waiting
    else:
        assert len(waiting) + len(state.expects().do) == 1


def dice_that_lie_amount_to_the_throws_that_are_legal(state: BlackNWhiteState) -> None:
    for name, actions in state.expects().do.items():
        white, black = state.player_dice(name)
        throws = [state.hold_action(name, kept) for kept in ((black,), (white,), ())]
        assert actions in (("stop", *throws), ("tens white", "tens black"))


def one_player_is_left_with_chips(end: BlackNWhiteState) -> None:
    outcome = end.outcome()
    assert outcome is not None
    assert outcome.losers == tuple(name for name, chips in end.totals().items() if chips)
    assert len(outcome.losers) == 1
