# SPDX-License-Identifier: MIT
"""
Measure the coaches: how well they play, how fast they answer.

Values that are known from elsewhere come first: to compute them again checks rules and dice.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from importlib.resources import files

import numpy as np

from controller.bench.coach.played_games import (
    Chooser,
    GradedPlayer,
    Mean,
    RandomPlayer,
    TimedPlayer,
    play_alone,
    play_game,
)
from controller.coach.account import PlayerAccount
from controller.coach.black_n_white.positions import Position, Positions
from controller.coach.black_n_white.table import MOST_CHIPS, PLAYERS
from controller.coach.coaches import find_coach
from controller.coach.contract import Coach
from controller.coach.opponent import GRADES
from controller.coach.wuerfelspiel.one_column import KNOWN_VALUE, solve_column
from controller.games import GAMES
from controller.games.contract import GameEvent, GameState, Options

SEED = 1
RANDOM_SEED = 2
DUEL_SEED = 3
OPPONENT_SEED = 4

ALONE: Mapping[str, tuple[str, Options]] = {
    "choice": ("choice", {"jokers": False}),
    "choice with jokers": ("choice", {"jokers": True}),
    "wuerfelspiel": ("wuerfelspiel", {}),
}
"""What is played alone, by points."""

DUELS = 10
"""Games of Black'n'White for each one of the others: they are short."""
LARGE_GAMES = 4
"""Games of Black'n'White with most players and chips, whose choices are timed."""
EXACT, POORER = "Ada", "Ben"

Figures = Iterator[tuple[str, float]]


def measure_coaches(games: int) -> dict[str, float]:
    """Return the figures of all coaches; of each game two or more are played, and by chance too."""
    games = max(games, 2)
    return {
        **dict(_measure_column()),
        **dict(_measure_black_n_white(DUELS * games)),
        **dict(_time_black_n_white()),
        **{name: value for game in ALONE for name, value in measure_game(game, games)},
        **{name: value for game in ALONE for name, value in measure_opponents(game, games)},
        **dict(_measure_weights()),
    }


def measure_game(name: str, games: int) -> Figures:
    """Yield how a coach plays, and the luck of a random player by its account."""
    key, options = ALONE[name]
    coach = _find(key, options)
    player = TimedPlayer(coach)
    played = play_alone(coach, options, games, SEED, player)
    yield from _with_error(f"{name}, points", [each.final for each in played])
    yield from _with_error(f"{name}, points without luck", [each.adjusted for each in played])
    yield f"{name}, start", round(played[0].start, 2)
    yield from _with_error(f"{name}, drift", [each.drift for each in played])
    yield from _list_times(name, player)
    further = _find(key, options, is_deeper=True)
    deeper = play_alone(further, options, games, SEED, TimedPlayer(further))
    yield from _with_error(
        f"{name}, one roll deeper, points without luck", [each.adjusted for each in deeper]
    )
    at_random = RandomPlayer(random.Random(RANDOM_SEED))
    poor = play_alone(coach, options, games, RANDOM_SEED, at_random)
    yield from _with_error(f"{name}, at random, luck", [each.luck for each in poor])
    yield from _with_error(f"{name}, at random, without luck", [each.adjusted for each in poor])
    accounts = [*played, *deeper, *poor]
    yield f"{name}, largest error of a sum", round(max(map(_check_sum, accounts)), 9)


def measure_opponents(name: str, games: int) -> Figures:
    """Yield how opponents of each grade play alone, without luck."""
    key, options = ALONE[name]
    coach = _find(key, options)
    for grade in GRADES:
        player = GradedPlayer(coach, grade, random.Random(OPPONENT_SEED))
        played = play_alone(coach, options, games, OPPONENT_SEED, player)
        figure = f"{name}, opponent {grade}, points without luck"
        yield from _with_error(figure, [each.adjusted for each in played])


def count_losses(games: int, seed: int, grade: str | None = None) -> list[float]:
    """
    Play Black'n'White against exact play; return 1 for each game that is lost.

    Each starts every other game.

    Args:
        games: How many.
        seed: Of the dice and of who does not play exactly.
        grade: Of an opponent; None for choices at random.
    """
    key, chance = "black-n-white", random.Random(seed)
    coach = _find(key, {})
    poorer: Chooser = GradedPlayer(coach, grade, chance) if grade else RandomPlayer(chance)
    choosers: dict[str, Chooser] = {EXACT: TimedPlayer(coach), POORER: poorer}
    losses = []
    for number in range(games):
        players = (EXACT, POORER) if number % 2 else (POORER, EXACT)
        start = GAMES[key].start(players, {})
        end = reduce(_apply, play_game(key, start, chance, choosers), start)
        outcome = end.outcome()
        losses.append(float(outcome is not None and POORER in outcome.losers))
    return losses


def _measure_column() -> Figures:
    began_s = time.process_time()
    yield "wuerfelspiel, one column, points", round(solve_column(), 10)
    yield "wuerfelspiel, one column, known points", KNOWN_VALUE
    yield "wuerfelspiel, one column, s", round(time.process_time() - began_s, 1)


def _measure_black_n_white(games: int) -> Figures:
    """Yield the chances to lose by seat, solved from nothing, and how often random play loses."""
    began_s = time.process_time()
    positions = Positions()
    for players in (2, 3):
        losses = positions.find(Position(2 * players, (0,) * players))
        for seat, loss in enumerate(losses, start=1):
            yield f"black-n-white, {players} players, seat {seat} loses", round(loss, 10)
    yield "black-n-white, 2 and 3 players, s", round(time.process_time() - began_s, 1)
    yield from _with_error("black-n-white, at random, loses", count_losses(games, DUEL_SEED))
    for grade in GRADES:
        lost = count_losses(games, DUEL_SEED, grade)
        yield from _with_error(f"black-n-white, opponent {grade}, loses", lost)


def _time_black_n_white() -> Figures:
    """Yield how long choices take in the largest games, where a round has most moments."""
    key, options = "black-n-white", {"chips_per_player": MOST_CHIPS}
    players = [f"player {number}" for number in range(1, max(PLAYERS) + 1)]
    start, chance = GAMES[key].start(players, options), random.Random(DUEL_SEED)
    player = TimedPlayer(_find(key, options))
    for _ in range(LARGE_GAMES):
        play_game(key, start, chance, dict.fromkeys(players, player))
    yield from _list_times(key, player)


def _measure_weights() -> Figures:
    """Yield the bytes of the files of weights."""
    found = (files("controller.coach") / "weights").iterdir()
    sizes = {each.name: len(each.read_bytes()) for each in found if each.name.endswith(".npz")}
    for name in sorted(sizes):
        yield f"{name}, bytes", sizes[name]
    yield "weights, bytes", sum(sizes.values())


def _list_times(name: str, player: TimedPlayer) -> Figures:
    yield f"{name}, ms a choice, median", round(float(np.median(player.costs_ms)), 3)
    yield f"{name}, ms a choice, most", round(max(player.costs_ms), 1)


def _with_error(name: str, values: Sequence[float]) -> Figures:
    mean = Mean.of(values)
    yield name, round(mean.value, 4)
    yield f"{name}, standard error", round(mean.error, 4)


def _check_sum(account: PlayerAccount) -> float:
    """Return by how much the parts of an account miss the result."""
    parts = account.start + account.luck - account.cost + account.others + account.drift
    return abs(parts - account.final)


def _apply(state: GameState, event: GameEvent) -> GameState:
    return state.apply(event)


def _find(key: str, options: Options, *, is_deeper: bool = False) -> Coach:
    coach = find_coach(key, options, is_deeper=is_deeper)
    assert coach is not None
    return coach
