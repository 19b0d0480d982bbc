# SPDX-License-Identifier: MIT
"""
Points of the table: what a game at a table of two to five counts in the standings.

The first gets 24 and the last nothing, whatever the size of the table, with equal steps between;
players with the same result share what their places are worth. All of that is a whole number.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

TOP = 24


def count_table_points(
    results: Mapping[int, int], forfeits: Collection[int] = ()
) -> dict[int, int]:
    """Return the points of 2 to 5 players, or ValueError; forfeits get none, the rest beat them."""
    if not 2 <= len(results) <= 5:
        raise ValueError(f"expected 2 to 5 players, found {len(results)}")
    opponents = len(results) - 1
    keys = {player: (player not in forfeits, total) for player, total in results.items()}
    points = {}
    for player, own in keys.items():
        others = [key for other, key in keys.items() if other != player]
        halves = 2 * sum(key < own for key in others) + sum(key == own for key in others)
        points[player] = 0 if player in forfeits else TOP * halves // (2 * opponents)
    return points


def list_losers(results: Mapping[int, int], forfeits: Collection[int] = ()) -> tuple[int, ...]:
    """Return who is last at a table; everybody who forfeits is."""
    if forfeits:
        return tuple(player for player in results if player in forfeits)
    least = min(results.values())
    return tuple(player for player, total in results.items() if total == least)
