# SPDX-License-Identifier: MIT
"""Black'n'White by the booklet: the table before the first throw, a round, and phase 1."""

from __future__ import annotations

from functools import cache

import pytest

from controller.base.errors import InputError
from controller.games.black_n_white.game import BLACK_N_WHITE
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.contract import ActionEvent, Expects, GameEvent, RollEvent
from tests.controller.games.black_n_white.playing import (
    TENS,
    THROWS,
    doubles,
    lost_by,
    play,
    refused,
    start,
)
from tests.controller.games.playing import NAMES


def on(state: BlackNWhiteState, name: str, *actions: str) -> bool:
    """Tell whether exactly this player may do exactly this, in this order."""
    return state.expects() == Expects(do={name: actions})


def awaits(state: BlackNWhiteState, *names: str) -> bool:
    return state.expects() == Expects(roll=names)


class TestBookletsExample:
    """Fidel, Raul and Che, as Ada, Ben and Cleo."""

    def test_fidels_64_in_two_throws_is_lowest(self) -> None:
        state = play(start(), "Ada w4 b2", "Ada throw black", "Ada w4 b6", "Ada stop")
        assert on(state, "Ada", *TENS)
        state = play(state, "Ada tens black")
        assert (state.limit, state.tens, state.tens_by) == (2, "black", "Ada")
        state = play(state, "Ben w5 b5", "Ben stop", "Cleo w6 b5")
        assert state.decisive_player() == "Ada"
        assert on(state, "Cleo", *THROWS)
        state = play(state, "Cleo throw both", "Cleo w3 b3")
        assert state.totals() == {"Ada": 1, "Ben": 0, "Cleo": 0}
        assert state.middle == 5
        assert (state.round, state.limit, state.tens) == (2, 3, "")
        assert awaits(state, "Ada")

    def test_ches_56_would_have_taken_the_chip(self) -> None:
        state = play(start(), "Ada w4 b2", "Ada throw black", "Ada w4 b6", "Ada stop")
        state = play(state, "Ada tens black", "Ben w5 b5", "Ben stop", "Cleo w6 b5", "Cleo stop")
        assert state.chips_of("Cleo") == 1
        assert awaits(state, "Cleo")


class TestBeforeTheFirstThrow:
    def test_two_chips_per_player_lie_in_the_middle(self) -> None:
        state = BLACK_N_WHITE.start(NAMES[:4], {})
        assert (state.middle, state.phase, state.round) == (8, 1, 1)
        assert state.options == {"chips_per_player": 2}
        assert state.totals() == dict.fromkeys(NAMES[:4], 0)

    @pytest.mark.parametrize("chips", [1, 5, 40])
    def test_more_chips_make_a_longer_game(self, chips: int) -> None:
        assert start(3, chips=chips).middle == 3 * chips

    @pytest.mark.parametrize("chips", [0, -1])
    def test_a_game_without_chips_is_refused(self, chips: int) -> None:
        message = f"chips_per_player: expected a whole number from 1, found {chips}"
        with pytest.raises(InputError, match=message):
            start(3, chips=chips)

    def test_chips_that_are_no_number_are_refused(self) -> None:
        with pytest.raises(InputError, match="chips_per_player: expected a whole number"):
            BLACK_N_WHITE.start(NAMES[:2], {"chips_per_player": True})

    @pytest.mark.parametrize("players", [0, 1, 6])
    def test_two_to_five_can_play(self, players: int) -> None:
        with pytest.raises(InputError, match=f"players: expected 2 to 5 players, found {players}"):
            start(players)

    def test_a_lobby_offers_one_to_five_chips(self) -> None:
        rule = BLACK_N_WHITE.options["chips_per_player"]
        assert (rule.label, rule.values, rule.default) == ("Chips per player", (1, 2, 3, 4, 5), 2)

    def test_the_first_player_listed_throws_both_dice(self) -> None:
        state = start()
        assert awaits(state, "Ada")
        assert state.faces == ()
        assert state.dice_to_leave("Ada") == ()


class TestThrows:
    def test_after_a_throw_its_player_alone_decides(self) -> None:
        state = play(start(), "Ada w4 b6")
        assert on(state, "Ada", *THROWS)
        assert state.faces == (4, 6)
        assert state.player_dice("Ada") == ("w4", "b6")
        assert state.legal_actions("Ben") == state.player_dice("Ben") == ()
        assert (state.throws_of("Ada"), state.limit) == (1, 3)
        assert state.result_of("Ada") == (4, 6)
        assert state.acted == ()

    @pytest.mark.parametrize(
        ("action", "staying", "fits", "wrong"),
        [
            ("throw white", "b6", "w1 b6", "w1 b5"),
            ("throw black", "w4", "w4 b1", "w5 b1"),
        ],
    )
    def test_a_die_left_lying_keeps_its_face(
        self, action: str, staying: str, fits: str, wrong: str
    ) -> None:
        state = play(start(), "Ada w4 b6", f"Ada {action}")
        assert awaits(state, "Ada")
        assert state.dice_to_leave("Ada") == (staying,)
        assert state.faces == ()
        assert state.dice_to_leave("Ben") == state.player_dice("Ada") == ()
        assert state.result_of("Ada") is None
        assert refused(state, f"Ada {wrong}") == (f"a roll with {staying}",)
        assert play(state, f"Ada {fits}").throws_of("Ada") == 2

    def test_a_thrown_die_may_show_what_it_showed(self) -> None:
        assert play(start(), "Ada w4 b6", "Ada throw white", "Ada w4 b6").throws_of("Ada") == 2

    def test_after_both_are_thrown_every_roll_fits(self) -> None:
        state = play(start(), "Ada w4 b6", "Ada throw both")
        assert state.dice_to_leave("Ada") == ()
        rolls = [f"w{white} b{black}" for white in range(1, 7) for black in range(1, 7)]
        assert len({play(state, f"Ada {roll}").faces for roll in rolls}) == 36

    def test_a_die_that_stayed_may_be_thrown_later(self) -> None:
        state = play(start(), "Ada w4 b6", "Ada throw white", "Ada w5 b6", "Ada throw black")
        assert state.dice_to_leave("Ada") == ("w5",)

    def test_the_third_throw_of_the_starter_is_their_last(self) -> None:
        state = play(start(), "Ada w1 b2", "Ada throw both", "Ada w1 b3", "Ada throw both")
        state = play(state, "Ada w5 b5")
        assert state.acted == ("Ada",)
        assert state.limit == 3
        assert awaits(state, "Ben")

    def test_the_third_throw_leads_straight_to_the_tens_it_owes(self) -> None:
        state = play(start(), "Ada w1 b2", "Ada throw both", "Ada w1 b3", "Ada throw both")
        state = play(state, "Ada w5 b4")
        assert on(state, "Ada", *TENS)
        assert state.faces == (5, 4)
        assert state.acted == ()

    @pytest.mark.parametrize("throws", [1, 2, 3])
    def test_the_starters_throws_are_the_limit_of_all_others(self, throws: int) -> None:
        again = ["Ada w2 b2", "Ada throw both"] * (throws - 1)
        state = play(start(), *again, "Ada w2 b2")
        state = play(state, "Ada stop") if throws < 3 else state
        assert state.limit == throws
        for name in ("Ben", "Cleo"):
            for _ in range(throws - 1):
                state = play(state, f"{name} w3 b3")
                assert on(state, name, *THROWS)
                state = play(state, f"{name} throw both")
            state = play(state, f"{name} w3 b3")
            assert name not in state.expects().do
        assert state.chips_of("Ada") == 1

    def test_others_may_stop_before_the_limit_and_do_not_lower_it(self) -> None:
        state = play(start(), "Ada w2 b2", "Ada throw both", "Ada w2 b2", "Ada stop")
        state = play(state, "Ben w3 b4", "Ben stop")
        assert on(state, "Ben", *TENS)
        state = play(state, "Ben tens white")
        assert state.limit == 2
        assert [state.throws_of(name) for name in state.players] == [2, 1, 0]
        assert on(play(state, "Cleo w1 b2"), "Cleo", *THROWS)

    def test_a_limit_is_of_its_round_alone(self) -> None:
        state = lost_by(start(), "Cleo")
        assert state.limit == 3
        assert on(play(state, "Cleo w1 b1", "Cleo throw both", "Cleo w1 b1"), "Cleo", *THROWS)

    def test_others_follow_clockwise_from_the_starter(self) -> None:
        state = lost_by(start(4), "Cleo")
        order = []
        for _ in range(4):
            (roller,) = state.expects().roll
            order.append(roller)
            state = play(state, f"{roller} w6 b6")
            state = play(state, f"{roller} stop") if state.expects().do else state
        assert order == ["Cleo", "Dora", "Ada", "Ben"]

    def test_ways_through_the_turn_of_a_starter(self) -> None:
        # By hand: from any dice, 6 + 6 + 36 throws lead on, 8 of them to a double. So 36, 36*48 and
        # 36*48*48 throws end on 6, 36*8 and 36*48*8 doubles; all others are followed by two tens.
        @cache
        def ways(state: BlackNWhiteState) -> int:
            if state.acted:
                return 1
            events: list[GameEvent] = [
                ActionEvent("Ada", action) for action in state.legal_actions("Ada")
            ]
            kept = set(state.dice_to_leave("Ada"))
            dice = (f"w{white} b{black}" for white in range(1, 7) for black in range(1, 7))
            rolls = [RollEvent("Ada", roll) for roll in dice if kept <= set(roll.split())]
            return sum(ways(state.apply(event)) for event in events or rolls)

        assert ways(start()) == (6 + 60) + 36 * (8 + 80) + 36 * 48 * (8 + 80) == 155_298


class TestTens:
    def test_the_starter_says_them_straight_after_the_stop(self) -> None:
        state = play(start(), "Ada w4 b6", "Ada stop")
        assert on(state, "Ada", *TENS)
        assert state.player_dice("Ada") == ("w4", "b6")
        assert (state.tens, state.tens_by, state.acted) == ("", "", ())
        state = play(state, "Ada tens white")
        assert (state.tens, state.tens_by, state.acted) == ("white", "Ada", ("Ada",))
        assert state.result_of("Ada") == (4, 6)
        assert awaits(state, "Ben")

    @pytest.mark.parametrize(("tens", "lowest"), [("white", "Ada"), ("black", "Ben")])
    def test_they_hold_for_the_whole_round(self, tens: str, lowest: str) -> None:
        # 46 against 52 by white, 64 against 25 by black.
        state = play(start(2), "Ada w4 b6", "Ada stop", f"Ada tens {tens}", "Ben w5 b2")
        assert state.totals() == {"Ada": 0, "Ben": 0} | {lowest: 1}
        assert state.tens == ""

    def test_nobody_says_them_twice(self) -> None:
        state = play(start(), "Ada w4 b6", "Ada stop", "Ada tens white", "Ben w3 b2")
        assert state.acted == ("Ada", "Ben")
        assert awaits(state, "Cleo")

    def test_after_a_double_the_next_without_one_says_them(self) -> None:
        state = play(start(4), "Ada w4 b4", "Ada stop", "Ben w1 b1")
        assert awaits(state, "Cleo")
        assert state.tens == ""
        state = play(state, "Cleo w2 b3")
        assert on(state, "Cleo", *TENS)
        state = play(state, "Cleo tens black")
        assert (state.tens, state.tens_by) == ("black", "Cleo")
        assert state.decisive_player() == "Cleo"
        # 24 by black is lower than Cleo's 32.
        assert play(state, "Dora w4 b2").chips_of("Dora") == 1

    def test_the_last_player_says_them_too(self) -> None:
        state = play(start(2), "Ada w4 b4", "Ada stop", "Ben w2 b3")
        assert on(state, "Ben", *TENS)
        assert play(state, "Ben tens white").chips_of("Ben") == 1

    def test_a_double_on_the_way_does_not_pass_them_on(self) -> None:
        state = play(start(2), "Ada w4 b4", "Ada throw both", "Ada w4 b5", "Ada stop")
        assert on(state, "Ada", *TENS)

    def test_a_round_of_doubles_needs_none(self) -> None:
        state = play(start(), "Ada w4 b4", "Ada stop", "Ben w2 b2", "Cleo w3 b3")
        assert state.totals() == {"Ada": 0, "Ben": 1, "Cleo": 0}
        assert awaits(state, "Ben")


class TestPhaseOne:
    def test_the_lowest_takes_a_chip_from_the_middle_and_starts(self) -> None:
        state = doubles(start(), {"Ada": 3, "Ben": 6, "Cleo": 2})
        assert state.totals() == {"Ada": 0, "Ben": 0, "Cleo": 1}
        assert (state.middle, state.round, state.acted) == (5, 2, ())
        assert awaits(state, "Cleo")

    def test_every_double_beats_every_house_number(self) -> None:
        state = play(start(2), "Ada w6 b5", "Ada stop", "Ada tens white", "Ben w1 b1")
        assert state.chips_of("Ada") == 1

    def test_of_several_lowest_the_one_who_threw_last_takes_it(self) -> None:
        state = doubles(start(4), {"Ada": 2, "Ben": 5, "Cleo": 2, "Dora": 6})
        assert state.totals() == {"Ada": 0, "Ben": 0, "Cleo": 1, "Dora": 0}

    def test_last_is_meant_in_the_order_of_throws(self) -> None:
        state = lost_by(start(4), "Cleo")
        state = doubles(state, {"Cleo": 2, "Dora": 3, "Ada": 2, "Ben": 4})
        assert state.chips_of("Ada") == 1

    def test_equal_house_numbers_are_a_tie_of_the_same_colours_only(self) -> None:
        state = play(start(), "Ada w4 b6", "Ada stop", "Ada tens white", "Ben w6 b4", "Cleo w4 b6")
        assert state.totals() == {"Ada": 0, "Ben": 0, "Cleo": 1}

    def test_it_tells_whose_chip_it_is_as_results_stand(self) -> None:
        state = play(start(), "Ada w4 b6", "Ada stop")
        assert state.decisive_player() is None
        state = play(state, "Ada tens white")
        assert state.decisive_player() == "Ada"
        state = play(state, "Ben w4 b6")
        assert state.decisive_player() == "Ben"
        assert play(state, "Cleo w1 b2").decisive_player() is None

    def test_nobody_is_finished_without_chips(self) -> None:
        assert not any(start().is_finished(name) for name in NAMES[:3])
        assert start().sheet("Ada") == {"chips": 0, "phase": 1}

    def test_the_last_chip_begins_phase_two(self) -> None:
        state = lost_by(start(2), "Ada", "Ben", "Ada")
        assert (state.middle, state.phase) == (1, 1)
        state = lost_by(state, "Ben")
        assert (state.middle, state.phase, state.round) == (0, 2, 5)
        assert state.sheet("Ada") == {"chips": 2, "phase": 2}
