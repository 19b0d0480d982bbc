# SPDX-License-Identifier: MIT
"""How well the shipped weights play, without luck, and that luck is nothing on average."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from statistics import stdev

import pytest

from controller.coach.account import build_account
from controller.coach.choice import coach as choice
from controller.coach.wuerfelspiel import coach as columns
from controller.games import GAMES
from controller.games.choice.rules import ChoiceState
from controller.games.contract import GameState
from controller.games.wuerfelspiel.rules import WuerfelspielState
from tests.bench.coach import ALONE, find
from tests.bench.one_column import KNOWN_VALUE, solve_column
from tests.bench.played_games import Chooser, Mean, RandomPlayer, TimedPlayer, play_alone, play_game

pytestmark = pytest.mark.long

SEED = 1


@pytest.mark.parametrize(
    ("name", "is_deeper", "games", "least"),
    [
        ("choice", False, 400, 306),
        ("choice", True, 200, 309),
        ("choice with jokers", False, 100, 774),
        ("wuerfelspiel", False, 60, 1705),
        ("wuerfelspiel", True, 30, 1709),
    ],
)
def test_a_coach_plays_as_well_as_promised(
    name: str, is_deeper: bool, games: int, least: float
) -> None:
    key, options = ALONE[name]
    coach = find(key, options, is_deeper=is_deeper)
    played = play_alone(coach, options, games, SEED, TimedPlayer(coach))
    mean = Mean.of([each.adjusted for each in played])
    assert mean.error < 4
    assert mean.value >= least


@pytest.mark.parametrize("name", [*ALONE, "black-n-white"])
def test_random_players_have_no_luck_on_average(name: str) -> None:
    key, options = ALONE.get(name, (name, {}))
    coach, chance = find(key, options), random.Random(SEED)
    start = GAMES[key].start(("Ada", "Ben"), options)
    choosers: Mapping[str, Chooser] = dict.fromkeys(start.players, RandomPlayer(chance))
    lucks = []
    for _ in range(30):
        account = build_account(coach, start, play_game(key, start, chance, choosers))
        lucks.append(account.players[0].luck)
    mean = Mean.of(lucks)
    assert mean.error > 0
    assert abs(mean.value) <= 3 * mean.error


def count_marks(state: GameState) -> int:
    assert isinstance(state, ChoiceState)
    return sum(row.marks for row in state.sheets[0].fifth)


def count_empty(state: GameState) -> int:
    assert isinstance(state, WuerfelspielState)
    return state.sheets[0].empty_cells


@pytest.mark.parametrize(
    ("name", "count_stage", "spreads", "games"),
    [
        ("choice", count_marks, choice.SPREADS, 400),
        ("wuerfelspiel", count_empty, columns.SPREADS, 60),
    ],
)
def test_results_spread_as_chances_assume(
    name: str, count_stage: Callable[[GameState], int], spreads: Sequence[float], games: int
) -> None:
    key, options = ALONE[name]
    coach, chance = find(key, options), random.Random(SEED)
    start = GAMES[key].start(("Ada",), options)
    missed: dict[int, list[float]] = defaultdict(list)
    for _ in range(games):
        state, expected = start, dict[int, float]()
        for event in play_game(key, start, chance, {"Ada": TimedPlayer(coach)}):
            expected.setdefault(count_stage(state), coach.expect(state, "Ada"))
            state = state.apply(event)
        for stage, value in expected.items():
            missed[stage].append(state.totals()["Ada"] - value)
    assert len(missed) == len([spread for spread in spreads if spread])
    for stage, errors in missed.items():
        # Five standard errors of a standard deviation.
        assert stdev(errors) == pytest.approx(spreads[stage], rel=5 / (2 * len(errors)) ** 0.5)


def test_one_column_has_its_known_value() -> None:
    assert solve_column() == pytest.approx(KNOWN_VALUE, abs=5e-11)
