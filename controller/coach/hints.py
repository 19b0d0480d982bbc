# SPDX-License-Identifier: MIT
"""Choices in the order of their value, with what each costs against the best one."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter

from controller.coach.contract import Coach
from controller.games.contract import GameState


@dataclass(frozen=True, slots=True)
class RankedAction:
    action: str  # In the game's notation.
    value: float  # What it is worth, in the coach's unit.
    cost: float  # What it is worth less than the best one; 0 for the best.
    is_equal: bool  # Whether it is as good as the best one, as far as the coach knows.


def rank_actions(coach: Coach, state: GameState, player: str) -> tuple[RankedAction, ...]:
    """Return all actions of a player, the best first; empty if they may not act."""
    values = coach.judge(state, player)
    best = max(values.values(), default=0.0)
    return tuple(
        RankedAction(action, value, best - value, best - value < coach.equal_below or value == best)
        for action, value in sorted(values.items(), key=itemgetter(1), reverse=True)
    )
