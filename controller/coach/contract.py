# SPDX-License-Identifier: MIT
"""
What a coach answers, whatever its game is.

A coach knows what a position is worth to a player if everybody goes on as well as it knows: in
points, or where a game has no points in the chance not to lose. Between two rolls this is an
expectation over the dice, which are fair; once there is something to choose it is the best of the
values of the choices. So the change that a roll makes is luck, and the change that a choice makes
is its cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Protocol

from controller.games.contract import GameState


class Unit(Enum):
    """What values are counted in."""

    POINTS = "points"
    CHANCE = "chance"


class Coach(Protocol):
    """What is known of one game. Implementations hold their weights and no state of a game."""

    @property
    def game(self) -> str: ...

    @property
    def unit(self) -> Unit:
        """What its values are counted in; a chance is from 0 to 1."""

    @property
    def equal_below(self) -> float:
        """Values that differ by less count as equal; 0 if the coach is exact."""

    @property
    def weights(self) -> str:
        """The SHA-256 of its weights, in hexadecimal; of its table of values if it is exact."""

    def judge(self, state: GameState, player: str) -> Mapping[str, float]:
        """
        Return what each legal action of a player is worth to them, in the order of
        `legal_actions`.

        Empty if they may not act; ValueError if the game has no such player.
        """

    def expect(self, state: GameState, player: str) -> float:
        """
        Return what a position is worth to a player: the best of `judge` while they may act.

        Otherwise an exact expectation over the next roll, and at the end the player's
        result. ValueError if the game has no such player.
        """

    def chances(self, state: GameState) -> Mapping[str, float]:
        """
        Return each player's chance to win, equal winners sharing one; not to lose in Black'n'White.

        Empty for a player alone, and as long as nothing certain enough can be said.
        """
