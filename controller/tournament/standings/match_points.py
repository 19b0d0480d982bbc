# SPDX-License-Identifier: MIT
"""
Match points, as in bridge: what share of the field a player has beaten.

In each game a player gets 2 points for every player with a lower result, and 1 for every other
player with the same one. Fields of games may differ in size, so all games are brought to one
common top. Everything is counted in whole numbers: a tie is a tie exactly.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import lcm

MILLION = 1_000_000
PERCENT = 100


def count_match_points(totals: Mapping[int, int]) -> dict[int, int]:
    """Return each player's match points in one game; one who plays alone has beaten everybody."""
    if len(totals) == 1:
        return dict.fromkeys(totals, 2)
    ordered = sorted(totals.values())
    points = {
        total: bisect_left(ordered, total) + bisect_right(ordered, total) - 1
        for total in set(ordered)
    }
    return {player: points[total] for player, total in totals.items()}


def find_top(players: int) -> int:
    """Return the most match points that are possible in a field of this size."""
    return 2 * max(players - 1, 1)


@dataclass(frozen=True, slots=True)
class ShareScores:
    """Scores over several games, as whole numbers of a common unit."""

    unit: int  # The score of a whole field that was beaten in one game.
    games: int
    scores: Mapping[int, int]  # Each player's score in that unit.
    # Each player's score in each game; None without a sheet.
    by_game: Mapping[int, tuple[int | None, ...]]

    def to_millionths(self, score: int) -> int:
        """Return the mean share of all games, in millionths, rounded down."""
        return score * MILLION // (self.unit * self.games) if self.games else 0


def sum_shares(
    games: Sequence[Mapping[int, int]],
    players: Iterable[int],
    penalties: Mapping[int, int],
    absences: Sequence[Mapping[int, int]] = (),
) -> ShareScores:
    """
    Return the scores of all players over the games.

    Args:
        games: The totals that are compared, by game.
        players: Everybody who is ranked.
        penalties: What is taken away, in per cent of one game.
        absences: What each game counts for others. They beat only lower totals, and no player
            beats them: their score does not come from the same rolls.
    """
    tops = [find_top(len(totals)) for totals in games]
    # Somebody absent is compared with one more player than those of the field are.
    absent_tops = [
        find_top(len(totals) + 1) for totals, absent in zip(games, absences, strict=False) if absent
    ]
    unit = lcm(PERCENT, *tops, *absent_tops)
    shares = [
        {player: points * (unit // top) for player, points in count_match_points(totals).items()}
        for totals, top in zip(games, tops, strict=True)
    ]
    for share, totals, absent in zip(shares, games, absences, strict=False):
        ordered, top = sorted(totals.values()), find_top(len(totals) + 1)
        for player, total in absent.items():
            share[player] = 2 * bisect_left(ordered, total) * (unit // top)
    by_game = {player: tuple(share.get(player) for share in shares) for player in players}
    scores = {
        player: sum(share or 0 for share in row) - penalties.get(player, 0) * (unit // PERCENT)
        for player, row in by_game.items()
    }
    return ShareScores(unit, sum(map(bool, games)), scores, by_game)
