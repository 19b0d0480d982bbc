# SPDX-License-Identifier: MIT
"""
Black'n'White: what dice that stay amount to, its chips, and refusals in words.

What it makes of every event is held by its twin and by golden records.
"""

from __future__ import annotations

import pytest

from controller.base.errors import InputError
from controller.games.black_n_white.game import BLACK_N_WHITE
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.contract import RollEvent
from tests.controller.games.playing import NAMES, played, refused


def start(players: int = 3, *, chips: int = 2) -> BlackNWhiteState:
    """Return the position before the first roll of Ada, Ben, Cleo, ..."""
    return BLACK_N_WHITE.start(NAMES[:players], {"chips_per_player": chips})


def test_a_lobby_offers_one_to_five_chips() -> None:
    rule = BLACK_N_WHITE.options["chips_per_player"]
    assert (rule.label, rule.values, rule.default) == ("Chips per player", (1, 2, 3, 4, 5), 2)


class TestKeeping:
    """Dice that stay while others are taken amount to an action."""

    @pytest.mark.parametrize(
        ("kept", "action"),
        [
            ((), "throw both"),
            (("w4",), "throw black"),
            (("b4",), "throw white"),
            (("w4", "b4"), None),
            (("b4", "w4"), None),
            (("w5",), None),
            (("w4", "w4"), None),
            (("4",), None),
        ],
    )
    def test_the_dice_that_stay_tell_the_throw(
        self, kept: tuple[str, ...], action: str | None
    ) -> None:
        assert played(start(), "Ada w4 b4").hold_action("Ada", kept) == action

    def test_it_need_not_be_legal(self) -> None:
        state = played(start(), "Ada w4 b6", "Ada stop")
        assert state.hold_action("Ada", ("w4",)) == "throw black"
        assert state.hold_action("Ben", ()) == "throw both"


class TestRefusals:
    def test_a_roll_before_the_own_turn(self) -> None:
        assert refused(start(), "Ben w4 b6").expected == ("a roll by Ada",)

    def test_an_action_of_another_player(self) -> None:
        state = played(start(), "Ada w4 b6")
        assert refused(state, "Ben stop").expected == ("an action by Ada",)
        assert refused(state, "Zoe stop").expected == ("an action by Ada",)

    def test_text_that_is_no_roll(self) -> None:
        with pytest.raises(InputError) as no_roll:
            BLACK_N_WHITE.parse_roll("46")
        with pytest.raises(ValueError, match="in black-n-white, before a roll") as refusal:
            start().apply(RollEvent("Ada", "46"))
        assert no_roll.value.expected in str(refusal.value)

    def test_the_position_is_told(self) -> None:
        with pytest.raises(ValueError, match=r"'nonsense' by Ada, in black-n-white, roll w4 b6$"):
            played(start(), "Ada w4 b6", "Ada nonsense")
