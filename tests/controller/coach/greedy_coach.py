# SPDX-License-Identifier: MIT
"""A coach of every game that knows little: what a position would count now."""

from __future__ import annotations

from collections.abc import Mapping

from controller.coach.contract import Unit
from controller.games.contract import ActionEvent, GameState


class GreedyCoach:
    """Values a position by its present total, and an action by the total after it."""

    unit = Unit.POINTS
    weights = "0" * 64

    def __init__(self, game: str, *, equal_below: float = 0.0, bonus: float = 0.0) -> None:
        self.game = game
        self.equal_below = equal_below
        self._bonus = bonus

    def judge(self, state: GameState, player: str) -> Mapping[str, float]:
        return {
            action: state.apply(ActionEvent(player, action)).totals()[player] + self._bonus
            for action in state.legal_actions(player)
        }

    def expect(self, state: GameState, player: str) -> float:
        return float(state.totals()[player])

    def chances(self, state: GameState) -> Mapping[str, float]:
        return {name: 1 / len(state.players) for name in state.players}
