# SPDX-License-Identifier: MIT
"""Places of the players of a game."""

from __future__ import annotations

from controller.games.decisive import is_higher_better
from controller.history.index.game_reader import OpenGame


def compute_places(game: OpenGame) -> tuple[int, ...]:
    """Return each seat's place, 1 for the best; 0 for all in a game without a result."""
    if not game.winners and not game.losers:
        return (0,) * len(game.players)
    sign = 1 if is_higher_better(game.totals, game.winners) else -1
    points = [sign * total for total in game.totals]
    return tuple(1 + sum(other > own for other in points) for own in points)
