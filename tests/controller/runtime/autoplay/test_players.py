# SPDX-License-Identifier: MIT
"""Players who play by themselves do everything that a game allows, and nothing foolish."""

from __future__ import annotations

from typing import Literal

import pytest

from controller.games import GAMES
from controller.games.contract import RollEvent
from controller.runtime.autoplay.players import LIKED_CHOICES, RandomPlayers, find_kept_dice
from controller.table.view.types import ChoiceView

Kind = Literal["pairs", "three", "joker", "fill", "throw", "stop", "tens"]
TIMES = 300


def offered(*kinds: Kind) -> list[ChoiceView]:
    return [
        {"action": str(number), "text": "", "kind": kind, "gain": None, "total": 0}
        for number, kind in enumerate(kinds)
    ]


def decided(*kinds: Kind) -> set[int]:
    players, choices = RandomPlayers(seed=1), offered(*kinds)
    return {players.decide(choices).index for _ in range(TIMES)}


def test_only_the_best_cells_are_filled() -> None:
    assert decided("fill", "fill", "fill", "fill", "fill") == set(range(LIKED_CHOICES))


def test_dice_are_thrown_again_and_turns_are_ended() -> None:
    assert decided("fill", "throw", "throw", "fill") == {0, 1, 2, 3}


def test_jokers_are_used_now_and_then() -> None:
    assert decided("pairs", "pairs", "pairs", "three", "joker") == {0, 1, 2, 3, 4}


def test_who_has_only_one_kind_of_choice_takes_it() -> None:
    assert decided("throw") == {0}
    assert decided("tens", "tens") == {0, 1}


def test_only_dice_that_are_thrown_again_are_taken_by_hand() -> None:
    players, choices = RandomPlayers(seed=2), offered("stop", "throw")
    decisions = [players.decide(choices) for _ in range(TIMES)]
    assert {one.index for one in decisions if one.is_by_hand} == {1}
    assert {one.is_waiting for one in decisions if one.is_by_hand} == {True, False}
    assert any(one.index == 1 and not one.is_by_hand for one in decisions)


def test_the_same_seed_decides_the_same() -> None:
    choices = offered("fill", "throw", "throw", "fill")
    one, same = (RandomPlayers(seed=3), RandomPlayers(seed=3))
    assert [one.decide(choices) for _ in range(20)] == [same.decide(choices) for _ in range(20)]


@pytest.mark.parametrize(
    ("game", "roll", "action", "kept"),
    [
        ("wuerfelspiel", "14456", "hold 446", ("4", "4", "6")),
        ("wuerfelspiel", "14456", "hold", ()),
        ("black-n-white", "w4 b6", "throw white", ("b6",)),
        ("black-n-white", "w4 b6", "throw both", ()),
    ],
)
def test_dice_that_stay_are_those_that_the_action_keeps(
    game: str, roll: str, action: str, kept: tuple[str, ...]
) -> None:
    state = GAMES[game].start(("Ada", "Ben"), {}).apply(RollEvent("Ada", roll))
    assert find_kept_dice(state, "Ada", action) == kept


def test_an_action_that_keeps_no_dice_is_a_slip() -> None:
    state = GAMES["wuerfelspiel"].start(("Ada",), {}).apply(RollEvent("Ada", "14456"))
    with pytest.raises(ValueError, match="chance"):
        find_kept_dice(state, "Ada", "chance*1")
