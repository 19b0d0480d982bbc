# SPDX-License-Identifier: MIT
"""
Games that coaches, opponents or random players play, with their accounts.

The coach also keeps the account. Result minus luck has the same mean as the result, for any
player and any coach, but a far smaller spread: so fewer games measure a mean.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from controller.cli.bench_reader.rules import pick_random_event
from controller.coach.account import PlayerAccount, build_account
from controller.coach.contract import Coach
from controller.coach.opponent import create_opponent, pick_action, round_values
from controller.games import GAMES
from controller.games.contract import ActionEvent, GameEvent, GameState, Options

PLAYER = "Ada"

Chooser = Callable[[GameState, str], str]
"""Returns the action of a player who may act."""


@dataclass(slots=True)
class TimedPlayer:
    """Makes the best choice that a coach knows."""

    coach: Coach
    costs_ms: list[float] = field(default_factory=list)

    def __call__(self, state: GameState, player: str) -> str:
        began_s = time.process_time()
        values = self.coach.judge(state, player)
        self.costs_ms.append(1000 * (time.process_time() - began_s))
        return max(values, key=values.__getitem__)


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """Makes every legal choice with the same chance."""

    chance: random.Random

    def __call__(self, state: GameState, player: str) -> str:
        return self.chance.choice(state.legal_actions(player))


@dataclass(frozen=True, slots=True)
class GradedPlayer:
    """Chooses as an opponent of this grade does, by another chance than a journal's."""

    coach: Coach
    grade: str
    chance: random.Random

    def __call__(self, state: GameState, player: str) -> str:
        opponent = create_opponent(player, self.grade, self.coach)
        values = round_values(self.coach.judge(state, player), self.coach.unit)
        return pick_action(values, opponent.t_steps, self.chance.getrandbits(64))


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its standard error."""

    value: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """Return the mean of two values or more."""
        return cls(float(np.mean(values)), float(np.std(values, ddof=1) / len(values) ** 0.5))


def play_alone(
    coach: Coach, options: Options, games: int, seed: int, choose: Chooser
) -> list[PlayerAccount]:
    """Return the accounts of this many games of one player; rolls follow from the seed."""
    chance = random.Random(seed)
    start = GAMES[coach.game].start((PLAYER,), options)
    return [
        build_account(coach, start, play_game(coach.game, start, chance, {PLAYER: choose})).players[
            0
        ]
        for _ in range(games)
    ]


def play_game(
    key: str, start: GameState, chance: random.Random, choosers: Mapping[str, Chooser]
) -> list[GameEvent]:
    """Return the events of a whole game; each player has a chooser."""
    state, events = start, list[GameEvent]()
    while state.outcome() is None:
        player = next(iter(state.expects().do), None)
        if player is None:
            events.append(pick_random_event(GAMES[key], state, chance))
        else:
            events.append(ActionEvent(player, choosers[player](state, player)))
        state = state.apply(events[-1])
    return events
