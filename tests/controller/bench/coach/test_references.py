# SPDX-License-Identifier: MIT
"""How well the shipped weights play, without luck, and that luck is nothing on average."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from controller.bench.coach.measures import ALONE
from controller.bench.coach.played_games import (
    Chooser,
    Mean,
    RandomPlayer,
    TimedPlayer,
    play_alone,
    play_game,
)
from controller.bench.rules import TABLES
from controller.coach.account import build_account
from controller.coach.coaches import find_coach
from controller.coach.contract import Coach
from controller.games import GAMES
from controller.games.contract import Options

pytestmark = pytest.mark.long

SEED = 1


def find(key: str, options: Options, *, is_deeper: bool = False) -> Coach:
    coach = find_coach(key, options, is_deeper=is_deeper)
    assert coach is not None
    return coach


@pytest.mark.parametrize(
    ("name", "is_deeper", "games", "least"),
    [
        ("choice", False, 400, 306),
        ("choice", True, 400, 309),
        ("choice with jokers", False, 100, 774),
        ("wuerfelspiel", False, 60, 1705),
        ("wuerfelspiel", True, 60, 1709),
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
    key, options = TABLES[name]
    coach, chance = find(key, options), random.Random(SEED)
    start = GAMES[key].start(("Ada", "Ben"), options)
    choosers: Mapping[str, Chooser] = dict.fromkeys(start.players, RandomPlayer(chance))
    lucks = []
    for _ in range(60):
        account = build_account(coach, start, play_game(key, start, chance, choosers))
        lucks.append(account.players[0].luck)
    mean = Mean.of(lucks)
    assert mean.error > 0
    assert abs(mean.value) <= 3 * mean.error
