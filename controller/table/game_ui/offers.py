# SPDX-License-Identifier: MIT
"""
A legal action as a player is offered it: what kind it is, and what it does to their result.

The result is the game's own next position, so nothing is promised that the rules would
not do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from controller.games.contract import ActionEvent, GameState

OfferKind: TypeAlias = Literal["pairs", "three", "joker", "fill", "throw", "stop", "tens"]


@dataclass(frozen=True, slots=True)
class OfferedChoice:
    """
    A legal action.

    Attributes:
        action: In the game's notation.
        kind: What it is: two pairs, a 3:1, another joker, a cell, another throw, stop, the tens.
        gain: What it adds to the chooser's result; none where it scores nothing by itself.
        total: Their result after it.
    """

    action: str
    kind: OfferKind
    gain: int | None
    total: int


def scoring_offer(game: GameState, player: str, action: str, kind: OfferKind) -> OfferedChoice:
    """Return an action that changes the result."""
    now, total = game.totals()[player], _total_after(game, player, action)
    return OfferedChoice(action, kind, total - now, total)


def plain_offer(game: GameState, player: str, action: str, kind: OfferKind) -> OfferedChoice:
    """Return an action that scores nothing by itself."""
    return OfferedChoice(action, kind, None, _total_after(game, player, action))


def _total_after(game: GameState, player: str, action: str) -> int:
    return game.apply(ActionEvent(player, action)).totals()[player]
