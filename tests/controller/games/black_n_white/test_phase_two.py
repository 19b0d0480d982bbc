# SPDX-License-Identifier: MIT
"""Black'n'White, phase 2: who plays and who starts, the throw-off, and the end."""

from __future__ import annotations

from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.contract import Expects, GameOutcome
from tests.controller.games.black_n_white.playing import THROWS, doubles, phase_two, play, refused


def awaits(state: BlackNWhiteState, *names: str) -> bool:
    return state.expects() == Expects(roll=names)


class TestWhoPlays:
    def test_only_players_with_chips_play_clockwise_from_the_starter(self) -> None:
        state = phase_two(4, "Cleo", "Ada", "Cleo", "Dora")
        assert state.totals() == {"Ada": 1, "Ben": 0, "Cleo": 2, "Dora": 1}
        state = play(state, "Cleo w1 b1", "Cleo stop", "Dora w2 b2")
        assert awaits(state, "Ada")
        assert state.acted == ("Cleo", "Dora")
        assert refused(state, "Ben w4 b6") == ("a roll by Ada",)

    def test_whoever_holds_most_chips_starts(self) -> None:
        state = phase_two(3, "Ben", "Ada", "Ben")
        assert not state.is_throw_off
        assert awaits(state, "Ben")

    def test_a_player_without_chips_has_won_already(self) -> None:
        state = phase_two(3, "Ben", "Ada", "Ben")
        assert [state.is_finished(name) for name in state.players] == [False, False, True]
        assert state.outcome() is None

    def test_throws_limits_and_tens_are_as_in_phase_one(self) -> None:
        state = play(phase_two(3, "Ben", "Ada", "Ben"), "Ben w4 b2", "Ben throw black")
        assert state.dice_to_leave("Ben") == ("w4",)
        state = play(state, "Ben w4 b6", "Ben stop", "Ben tens black", "Ada w1 b1")
        assert (state.limit, state.tens) == (2, "black")
        assert state.legal_actions("Ada") == THROWS


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

    def test_equal_house_numbers_must_be_beaten_too(self) -> None:
        state = phase_two(3, "Ben", "Ada", "Ben")
        state = play(state, "Ben w6 b5", "Ben stop", "Ben tens white", "Ada w6 b5")
        assert state.chips_of("Ben") == 1

    def test_whoever_gets_rid_of_the_last_chip_throws_no_more(self) -> None:
        state = phase_two(3, "Ben", "Ben", "Ada", "Ada", "Ben", "Cleo")
        state = doubles(state, {"Ben": 1, "Cleo": 6, "Ada": 2})
        assert state.is_finished("Cleo")
        state = play(state, "Ben w2 b2", "Ben stop")
        assert awaits(state, "Ada")
        assert awaits(play(state, "Ada w1 b1"), "Ada", "Ben")

    def test_the_starter_is_found_anew_for_every_round(self) -> None:
        state = phase_two(2, "Ben", "Ada", "Ben", "Ben")
        state = doubles(state, {"Ben": 6, "Ada": 1})
        assert state.totals() == {"Ada": 1, "Ben": 2}
        assert awaits(state, "Ben")
        state = doubles(state, {"Ben": 6, "Ada": 1})
        assert state.is_throw_off


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

    def test_it_belongs_to_the_round_that_it_opens(self) -> None:
        state = phase_two(2, "Ada", "Ben")
        assert state.round == 3
        state = play(state, "Ada w4 b6", "Ben w5 b5", "Ada w4 b6", "Ben w5 b6")
        assert state.round == 3

    def test_equal_totals_throw_again(self) -> None:
        state = play(phase_two(2, "Ada", "Ben"), "Ben w5 b5", "Ada w4 b6")
        assert awaits(state, "Ada", "Ben")
        assert state.throw_off_total("Ada") is None
        assert awaits(play(state, "Ada w1 b2", "Ben w1 b1"), "Ada")

    def test_only_those_with_the_highest_total_throw_again(self) -> None:
        state = play(phase_two(3, "Cleo", "Ada", "Ben"), "Ada w6 b1", "Ben w2 b3", "Cleo w3 b4")
        assert awaits(state, "Ada", "Cleo")
        assert refused(state, "Ben w6 b6") == ("a roll by Ada", "a roll by Cleo")
        state = play(state, "Cleo w1 b1", "Ada w1 b2")
        assert awaits(state, "Ada")
        order = play(state, "Ada w1 b1", "Ada stop", "Ben w2 b2", "Cleo w3 b3")
        assert order.totals() == {"Ada": 1, "Ben": 1, "Cleo": 0}

    def test_two_that_share_a_lower_total_do_not(self) -> None:
        state = play(phase_two(3, "Cleo", "Ada", "Ben"), "Ada w1 b2", "Ben w2 b1", "Cleo w3 b4")
        assert awaits(state, "Cleo")

    def test_it_goes_on_while_totals_are_equal(self) -> None:
        state = phase_two(2, "Ada", "Ben")
        for _ in range(5):
            state = play(state, "Ada w3 b3", "Ben w4 b2")
            assert awaits(state, "Ada", "Ben")

    def test_only_those_with_most_chips_take_part(self) -> None:
        state = phase_two(4, *("Dora", "Ben", "Dora", "Ben", "Dora", "Ben", "Ada", "Cleo"))
        assert state.totals() == {"Ada": 1, "Ben": 3, "Cleo": 1, "Dora": 3}
        assert awaits(state, "Ben", "Dora")
        assert refused(state, "Ada w6 b6") == ("a roll by Ben", "a roll by Dora")
        state = play(state, "Ben w1 b1", "Dora w1 b2", "Dora w1 b1", "Dora stop")
        assert awaits(state, "Ada")

    def test_nobody_throws_twice_nor_says_a_word(self) -> None:
        state = play(phase_two(2, "Ada", "Ben"), "Ada w4 b6")
        assert refused(state, "Ada w4 b6") == ("a roll by Ben",)
        assert refused(state, "Ada stop") == ("a roll by Ben",)
        assert refused(state, "Ben b6 w4") == ("a white and a black die, such as w4 b6",)


class TestEnd:
    def test_the_only_one_with_chips_has_lost(self) -> None:
        state = doubles(phase_two(3, "Ben", "Ada", "Ben"), {"Ben": 1, "Ada": 2})
        assert state.totals() == {"Ada": 0, "Ben": 2, "Cleo": 0}
        assert state.outcome() == GameOutcome(winners=("Ada", "Cleo"), losers=("Ben",))

    def test_it_can_be_so_when_phase_two_begins(self) -> None:
        state = phase_two(2, "Ben", "Ben", "Ben", "Ben")
        assert state.outcome() == GameOutcome(winners=("Ada",), losers=("Ben",))
        assert state.sheet("Ben") == {"chips": 4, "phase": 2}
        assert state.round == 4

    def test_a_finished_game_waits_for_nothing(self) -> None:
        state = phase_two(2, "Ben", "Ben")
        assert state.expects() == Expects()
        assert all(state.is_finished(name) for name in state.players)
        assert (state.faces, state.acted, state.tens, state.decisive_player()) == ((), (), "", None)
        assert not state.is_throw_off
        for line in ("Ben w4 b6", "Ada w4 b6", "Ben stop", "Zoe stop"):
            assert refused(state, line) == ()

    def test_a_chip_does_not_end_it_while_two_hold_some(self) -> None:
        state = doubles(phase_two(2, "Ben", "Ada", "Ben", "Ben"), {"Ben": 6, "Ada": 1})
        assert state.outcome() is None
        state = doubles(state, {"Ben": 1, "Ada": 6})
        assert state.outcome() == GameOutcome(winners=("Ada",), losers=("Ben",))
