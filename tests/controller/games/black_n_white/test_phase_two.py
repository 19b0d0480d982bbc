# SPDX-License-Identifier: MIT
"""Black'n'White, phase 2: who plays and who starts, the throw-off, and the end."""

from __future__ import annotations

from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.contract import Expects
from tests.controller.games.black_n_white.playing import doubles, phase_two, play


def awaits(state: BlackNWhiteState, *names: str) -> bool:
    return state.expects() == Expects(roll=names)


class TestChipsOut:
    def test_the_highest_puts_one_chip_out_of_the_game(self) -> None:
        state = phase_two(3, "Ben", "Ben", "Ada", "Ada", "Ben", "Cleo")
        state = doubles(state, {"Ben": 3, "Cleo": 2, "Ada": 5})
        assert state.totals() == {"Ada": 1, "Ben": 3, "Cleo": 1}
        assert state.middle == 0
        assert awaits(state, "Ben")

    def test_the_first_of_equal_highest_loses_the_chip(self) -> None:
        state = phase_two(3, "Ben", "Ben", "Ada", "Ada", "Ben", "Cleo")
        state = play(state, "Ben w2 b3", "Ben stop", "Ben tens white", "Cleo w5 b5")
        assert state.decisive_player() == "Cleo"
        state = play(state, "Ada w5 b5")
        assert state.totals() == {"Ada": 2, "Ben": 3, "Cleo": 0}


class TestThrowOff:
    def test_those_with_most_chips_throw_in_any_order(self) -> None:
        state = phase_two(3, "Cleo", "Ada", "Ben")
        assert state.is_throw_off
        assert awaits(state, "Ada", "Ben", "Cleo")
        state = play(state, "Ben w1 b2")
        assert awaits(state, "Ada", "Cleo")
        state = play(state, "Cleo w6 b3")
        assert awaits(state, "Ada")
        assert [state.throw_off_total(name) for name in state.players] == [None, 3, 9]

    def test_the_highest_total_of_pips_starts(self) -> None:
        # 6 and 4 are more pips than a double of fours.
        state = play(phase_two(3, "Cleo", "Ada", "Ben"), "Ada w4 b4", "Ben w6 b4", "Cleo w1 b2")
        assert not state.is_throw_off
        assert state.throw_off_total("Ben") is None
        assert awaits(state, "Ben")
        assert awaits(play(state, "Ben w1 b1", "Ben stop"), "Cleo")

    def test_nothing_is_decided_and_no_throw_is_counted(self) -> None:
        state = play(phase_two(2, "Ada", "Ben"), "Ada w4 b6")
        assert state.expects().do == {}
        assert (state.faces, state.acted, state.limit, state.tens) == ((), (), 3, "")
        assert (state.throws_of("Ada"), state.result_of("Ada"), state.decisive_player()) == (
            0,
            None,
            None,
        )
        assert state.dice_to_leave("Ben") == ()
