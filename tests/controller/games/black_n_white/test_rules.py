# SPDX-License-Identifier: MIT
"""Black'n'White by the booklet: the table before the first throw, a round, and phase 1."""

from __future__ import annotations

import pytest

from controller.base.errors import InputError
from controller.games.black_n_white.game import BLACK_N_WHITE
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.contract import Expects
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


class TestBeforeTheFirstThrow:
    def test_two_chips_per_player_lie_in_the_middle(self) -> None:
        state = BLACK_N_WHITE.start(NAMES[:4], {})
        assert (state.middle, state.phase, state.round) == (8, 1, 1)
        assert state.options == {"chips_per_player": 2}
        assert state.totals() == dict.fromkeys(NAMES[:4], 0)

    @pytest.mark.parametrize("players", [0, 1, 6])
    def test_two_to_five_can_play(self, players: int) -> None:
        with pytest.raises(InputError, match=f"players: expected 2 to 5 players, found {players}"):
            start(players)

    def test_a_lobby_offers_one_to_five_chips(self) -> None:
        rule = BLACK_N_WHITE.options["chips_per_player"]
        assert (rule.label, rule.values, rule.default) == ("Chips per player", (1, 2, 3, 4, 5), 2)


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
        [("throw white", "b6", "w1 b6", "w1 b5"), ("throw black", "w4", "w4 b1", "w5 b1")],
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


class TestPhaseOne:
    def test_the_lowest_takes_a_chip_from_the_middle_and_starts(self) -> None:
        state = doubles(start(), {"Ada": 3, "Ben": 6, "Cleo": 2})
        assert state.totals() == {"Ada": 0, "Ben": 0, "Cleo": 1}
        assert (state.middle, state.round, state.acted) == (5, 2, ())
        assert awaits(state, "Cleo")

    def test_it_tells_whose_chip_it_is_as_results_stand(self) -> None:
        state = play(start(), "Ada w4 b6", "Ada stop")
        assert state.decisive_player() is None
        state = play(state, "Ada tens white")
        assert state.decisive_player() == "Ada"
        state = play(state, "Ben w4 b6")
        assert state.decisive_player() == "Ben"
        assert play(state, "Cleo w1 b2").decisive_player() is None

    def test_the_last_chip_begins_phase_two(self) -> None:
        state = lost_by(start(2), "Ada", "Ben", "Ada")
        assert (state.middle, state.phase) == (1, 1)
        state = lost_by(state, "Ben")
        assert (state.middle, state.phase, state.round) == (0, 2, 5)
        assert state.sheet("Ada") == {"chips": 2, "phase": 2}
