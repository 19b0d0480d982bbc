# SPDX-License-Identifier: MIT
"""
Measure the coaches: how well they play, how fast they answer.

Values that are known from elsewhere come first: to compute them again checks rules and dice.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from importlib.resources import files
from typing import ClassVar

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Benchmark, Metric, option
from controller.coach.account import PlayerAccount
from controller.coach.black_n_white.positions import Position, Positions
from controller.coach.black_n_white.table import MOST_CHIPS, PLAYERS
from controller.coach.coaches import find_coach
from controller.coach.contract import Coach
from controller.coach.opponent import GRADES
from controller.games import GAMES
from controller.games.contract import GameEvent, GameState, Options
from tests.bench.figures import list_times
from tests.bench.one_column import KNOWN_VALUE, solve_column
from tests.bench.played_games import (
    Chooser,
    GradedPlayer,
    Mean,
    RandomPlayer,
    TimedPlayer,
    play_alone,
    play_game,
)

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


@dataclass(frozen=True, kw_only=True)
class Coaches(Benchmark):
    """Play games by what the coaches know, by opponents and at random: points without luck and
    their standard errors, milliseconds of processor time for a choice; solve what is known."""

    name: ClassVar[str] = "coach"
    games: int = option(
        50,
        "of each game, and ten times as many of Black'n'White (%(default)s)",
        whole_number_type(2),
    )

    def measure(self) -> Iterator[Metric]:
        yield from _measure_column()
        yield from _measure_black_n_white(DUELS * self.games)
        yield from _time_black_n_white()
        for game in ALONE:
            yield from measure_game(game, self.games)
        for game in ALONE:
            yield from measure_opponents(game, self.games)
        yield from _list_weights()


def measure_game(name: str, games: int) -> Iterator[Metric]:
    """Yield how a coach plays, and the luck of a random player by its account."""
    key, options = ALONE[name]
    coach = find(key, options)
    player = TimedPlayer(coach)
    played = play_alone(coach, options, games, SEED, player)
    yield from _with_error(f"{name}, points", [each.final for each in played])
    yield from _with_error(f"{name}, points without luck", [each.adjusted for each in played])
    yield Metric(f"{name}, start", round(played[0].start, 2))
    yield from _with_error(f"{name}, drift", [each.drift for each in played])
    yield from list_times(f"{name}, a choice", player.costs_ms)
    further = find(key, options, is_deeper=True)
    deeper = play_alone(further, options, games, SEED, TimedPlayer(further))
    yield from _with_error(
        f"{name}, one roll deeper, points without luck", [each.adjusted for each in deeper]
    )
    at_random = RandomPlayer(random.Random(RANDOM_SEED))
    poor = play_alone(coach, options, games, RANDOM_SEED, at_random)
    yield from _with_error(f"{name}, at random, luck", [each.luck for each in poor])
    yield from _with_error(f"{name}, at random, without luck", [each.adjusted for each in poor])
    accounts = [*played, *deeper, *poor]
    yield Metric(f"{name}, largest error of a sum", round(max(map(_check_sum, accounts)), 9))


def measure_opponents(name: str, games: int) -> Iterator[Metric]:
    """Yield how opponents of each grade play alone, without luck."""
    key, options = ALONE[name]
    coach = find(key, options)
    for grade in GRADES:
        player = GradedPlayer(coach, grade, random.Random(OPPONENT_SEED))
        played = play_alone(coach, options, games, OPPONENT_SEED, player)
        figure = f"{name}, opponent {grade}, points without luck"
        yield from _with_error(figure, [each.adjusted for each in played])


def count_losses(games: int, seed: int, grade: str | None = None) -> list[float]:
    """
    Play Black'n'White against exact play; return 1 for each game that is lost.

    Each starts every other game.
    """
    key, chance = "black-n-white", random.Random(seed)
    coach = find(key, {})
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


def _measure_column() -> Iterator[Metric]:
    began_s = time.process_time()
    yield Metric("wuerfelspiel, one column, points", round(solve_column(), 10))
    yield Metric("wuerfelspiel, one column, known points", KNOWN_VALUE)
    yield Metric("wuerfelspiel, one column, s", round(time.process_time() - began_s, 1))


def _measure_black_n_white(games: int) -> Iterator[Metric]:
    """Yield the chances to lose by seat, solved from nothing, and how often random play loses."""
    began_s = time.process_time()
    positions = Positions()
    for players in (2, 3):
        losses = positions.find(Position(2 * players, (0,) * players))
        for seat, loss in enumerate(losses, start=1):
            yield Metric(f"black-n-white, {players} players, seat {seat} loses", round(loss, 10))
    yield Metric("black-n-white, 2 and 3 players, s", round(time.process_time() - began_s, 1))
    yield from _with_error("black-n-white, at random, loses", count_losses(games, DUEL_SEED))
    for grade in GRADES:
        lost = count_losses(games, DUEL_SEED, grade)
        yield from _with_error(f"black-n-white, opponent {grade}, loses", lost)


def _time_black_n_white() -> Iterator[Metric]:
    """Yield how long choices take in the largest games, where a round has most moments."""
    key, options = "black-n-white", {"chips_per_player": MOST_CHIPS}
    players = [f"player {number}" for number in range(1, max(PLAYERS) + 1)]
    start, chance = GAMES[key].start(players, options), random.Random(DUEL_SEED)
    player = TimedPlayer(find(key, options))
    for _ in range(LARGE_GAMES):
        play_game(key, start, chance, dict.fromkeys(players, player))
    yield from list_times(f"{key}, a choice", player.costs_ms)


def _list_weights() -> Iterator[Metric]:
    """Yield the bytes of the files of weights."""
    found = (files("controller.coach") / "weights").iterdir()
    sizes = {each.name: len(each.read_bytes()) for each in found if each.name.endswith(".npz")}
    for name in sorted(sizes):
        yield Metric(f"{name}, bytes", sizes[name])
    yield Metric("weights, bytes", sum(sizes.values()))


def _with_error(name: str, values: Sequence[float]) -> Iterator[Metric]:
    mean = Mean.of(values)
    yield Metric(name, round(mean.value, 4))
    yield Metric(f"{name}, standard error", round(mean.error, 4))


def _check_sum(account: PlayerAccount) -> float:
    """Return by how much the parts of an account miss the result."""
    parts = account.start + account.luck - account.cost + account.others + account.drift
    return abs(parts - account.final)


def _apply(state: GameState, event: GameEvent) -> GameState:
    return state.apply(event)


def find(key: str, options: Options, *, is_deeper: bool = False) -> Coach:
    coach = find_coach(key, options, is_deeper=is_deeper)
    assert coach is not None
    return coach
