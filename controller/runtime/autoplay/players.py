# SPDX-License-Identifier: MIT
"""
Decisions of players who play by themselves: random, but not foolish.

They see the choices of the screen, best first, and take one of the first few. They throw again
about half of the time, often without a button, and use their jokers early.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from controller.games.contract import GameState
from controller.table.view.types import ChoiceView

LIKED_CHOICES = 3  # The number of best choices that the players choose from.

JOKER_SHARE = 0.12
AGAIN_SHARE = 0.6
BY_HAND_SHARE = 0.5
WAITING_SHARE = 0.6

_JOKERS = ("joker", "three")


@dataclass(frozen=True, slots=True)
class PlayerDecision:
    index: int  # The choice, in the order of the screen.
    is_by_hand: bool = False  # Whether they take the dice without pressing a button.
    is_waiting: bool = False  # Whether they wait for the table before they throw.


class RandomPlayers:
    """Players who decide at random; `seed` determines all decisions."""

    def __init__(self, *, seed: int) -> None:
        self._random = random.Random(seed)

    def decide(self, choices: Sequence[ChoiceView]) -> PlayerDecision:
        """Return a decision for these choices; there is at least one."""
        again = _of_kind(choices, ("throw",))
        if again and self._happens(AGAIN_SHARE):
            index = self._pick_liked(again)
            return PlayerDecision(index, self._happens(BY_HAND_SHARE), self._happens(WAITING_SHARE))
        jokers = _of_kind(choices, _JOKERS)
        if jokers and self._happens(JOKER_SHARE):
            return PlayerDecision(self._random.choice(jokers))
        others = [i for i in range(len(choices)) if i not in (*again, *jokers)]
        if _of_kind(choices, ("dice",)):
            # No number of dice is better than another one, and the end is as good as each.
            return PlayerDecision(self._random.choice(others))
        return PlayerDecision(self._pick_liked(others or again or jokers))

    def _pick_liked(self, indices: Sequence[int]) -> int:
        return self._random.choice(indices[:LIKED_CHOICES])

    def _happens(self, share: float) -> bool:
        return self._random.random() < share


def find_kept_dice(game: GameState, player: str, action: str) -> tuple[str, ...]:
    """Return the dice that stay if this player throws again with this action."""
    dice = game.player_dice(player)
    for count in range(len(dice) + 1):
        for kept in combinations(dice, count):
            if game.hold_action(player, kept) == action:
                return kept
    raise ValueError(f"expected an action that keeps some of {dice}, found {action}")


def _of_kind(choices: Sequence[ChoiceView], kinds: Sequence[str]) -> list[int]:
    return [index for index, choice in enumerate(choices) if choice["kind"] in kinds]
