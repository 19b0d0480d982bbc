# SPDX-License-Identifier: MIT
"""Hints of a game for training: what counts now and later adds up to what a choice is worth."""

from __future__ import annotations

import re

import pytest

from controller.base.errors import InputError
from controller.table import events as on
from controller.table.state import TableState
from controller.table.view.hints import build_hints
from tests.support.table import die, lobby_of, play, throw_of

SPLIT = re.compile(r"Now (\S+) points, later (\S+) on average\. ")


def start(game: str, *, hints: bool) -> TableState:
    return play(
        lobby_of("Ada", "Ben"),
        on.GamePicked(game),
        on.OptionPicked("hints", hints),
        on.StartRequested(),
    )


def read_points(text: str) -> int:
    return int(text.replace("−", "-"))


@pytest.mark.parametrize("game", ["choice", "wuerfelspiel"])
def test_points_now_and_later_make_the_cost(game: str) -> None:
    state = play(start(game, hints=True), *throw_of("13446"))
    worth, hints = [], build_hints(state, "")["hints"]
    assert hints[0]["cost"] == "best"
    for hint in hints:
        found = SPLIT.match(hint["why"])
        assert found is not None
        worth.append(sum(map(read_points, found.groups())))
        cost = re.fullmatch(r"costs (\d+) points", hint["cost"])
        assert cost is None or worth[0] - worth[-1] == pytest.approx(int(cost[1]), abs=1)
    assert worth == sorted(worth, reverse=True)
    assert worth[0] > worth[-1]


def test_a_choice_that_begins_two_totals_costs_points_now() -> None:
    state = play(start("choice", hints=True), *throw_of("13446"))
    found = {hint["text"]: hint["why"] for hint in build_hints(state, "")["hints"]}
    assert found["4 and 8, leave 6"].startswith("Now −400 points, later +")
    assert found["7 and 7, leave 4"].startswith("Now −200 points, later +")


def test_a_worse_choice_in_black_n_white_costs_some_chance() -> None:
    dice = on.DiceRead((die(4, 0.0), die(6, 100.0, is_black=True)))
    state = play(start("black-n-white", hints=True), on.MotionStarted(), on.MotionStopped(), dice)
    costs = [hint["cost"] for hint in build_hints(state, "")["hints"]]
    assert costs[0] == "best"
    assert re.fullmatch(r"chance −\d+\.\d\xa0%", costs[-1])


def test_a_game_that_counts_gives_no_hints() -> None:
    state = play(start("choice", hints=False), *throw_of("13446"))
    with pytest.raises(InputError, match="a game for training"):
        build_hints(state, "")
