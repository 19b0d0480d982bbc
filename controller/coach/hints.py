# SPDX-License-Identifier: MIT
"""Choices in the order of their value, with what each costs against the best one."""

from __future__ import annotations

from dataclasses import dataclass

from controller.coach.contract import Coach
from controller.games.contract import GameState


@dataclass(frozen=True, slots=True)
class RankedAction:
    """
    An action as a coach values it.

    Attributes:
        action: In the game's notation.
        cost: What it is worth less than the best one, in the coach's unit; 0 for the best.
        is_equal: Whether it is as good as the best one, as far as the coach knows.
    """

    action: str
    cost: float
    is_equal: bool


def rank_actions(coach: Coach, state: GameState, player: str) -> tuple[RankedAction, ...]:
    """Return all actions of a player, the best first; empty if they may not act."""
    values = coach.judge(state, player)
    best = max(values.values(), default=0.0)
    costs = sorted(((best - value, action) for action, value in values.items()), key=_by_cost)
    return tuple(
        RankedAction(action, cost, cost == 0 or cost < coach.equal_below) for cost, action in costs
    )


def _by_cost(ranked: tuple[float, str]) -> float:
    return ranked[0]
