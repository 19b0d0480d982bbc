# SPDX-License-Identifier: MIT
"""
A coach that looks one roll further: it judges a choice by all rolls that may follow.

What another coach expects before a roll is exact over that roll. So it knows more than the same
coach's value of a choice, which it has learnt, and it costs some hundred times as much work.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.coach.contract import Coach, Unit
from controller.games.contract import ActionEvent, GameState


class DeeperCoach:
    """
    Judges one roll deeper than another coach; everything else is that coach's.

    Args:
        coach: What it asks about the positions after each choice.
    """

    def __init__(self, coach: Coach) -> None:
        self._coach = coach

    @property
    def game(self) -> str:
        """The game of the other coach."""
        return self._coach.game

    @property
    def unit(self) -> Unit:
        """What values are counted in."""
        return self._coach.unit

    @property
    def equal_below(self) -> float:
        """As of the other coach: it is right more often, but not by a known amount."""
        return self._coach.equal_below

    @property
    def weights(self) -> str:
        """The weights of the other coach."""
        return self._coach.weights

    def judge(self, state: GameState, player: str) -> Mapping[str, float]:
        """Return what each legal action is worth, by what may follow the next roll."""
        return {
            action: self._coach.expect(state.apply(ActionEvent(player, action)), player)
            for action in state.legal_actions(player)
        }

    def expect(self, state: GameState, player: str) -> float:
        """Return what the other coach expects, so luck has a mean of 0."""
        return self._coach.expect(state, player)

    def chances(self, state: GameState) -> Mapping[str, float]:
        """Return the chances of the other coach."""
        return self._coach.chances(state)
