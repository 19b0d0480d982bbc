# SPDX-License-Identifier: MIT
"""
Matches of two: what each round counts for whom, and what orders equal scores.

A player who withdraws takes nothing from others: rounds that an opponent did not play count as
draws in the scores that others are compared by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from controller.tournament.draws.pairings import pair_round_robin
from controller.tournament.entries.entry_base import MatchTieBreak
from controller.tournament.standings.match_points import count_match_points
from controller.tournament.standings.ranking import CompareDirectly
from controller.tournament.standings.table_points import list_losers
from controller.tournament.state.event_data import EventData
from controller.tournament.state.rounds import Round

POINTS = {"nothing": 0, "draw": 1, "win": 2}


def list_points(data: EventData) -> list[dict[int, int]]:
    """Return the points of each published round, of all for whom it counts anything."""
    return [_count_round(data, each) for each in data.rounds.published]


def count_match(data: EventData, each: Round) -> dict[int, int]:
    """Return 2, 1 or 0 points for everybody who played in a round."""
    points: dict[int, int] = {}
    for table, result in each.results.items():
        totals = dict(each.totals_of(table))
        forfeits = data.list_forfeits(each.number) & totals.keys()
        losers = set(list_losers(totals, forfeits)) if forfeits else set(result.losers)
        if losers:
            totals = {player: int(player not in losers) for player in totals}
        points |= (
            dict.fromkeys(totals, 0)
            if not any(totals.values()) and forfeits
            else count_match_points(totals)
        )
    return points


def compare_matches(data: EventData, points: Sequence[Mapping[int, int]]) -> CompareDirectly:
    """
    Return the direct comparison: the points of the tied players against each other.

    In an event with a choice of tie-breaks it decides only if all of them have met.
    """

    def compare(tied: Sequence[int]) -> Mapping[int, int]:
        among, met = dict.fromkeys(tied, 0), set()
        for each, counted in zip(data.rounds.published, points, strict=True):
            for table in each.results:
                pair = frozenset(each.tables[table - 1])
                if pair <= among.keys():
                    met.add(pair)
                    for player in pair:
                        among[player] += counted[player]
        if data.event.tie_breaks and any(
            frozenset(pair) not in met for pair in combinations(tied, 2)
        ):
            return dict.fromkeys(tied, 0)
        return among

    return compare


def sum_tie_breaks(
    data: EventData,
    points: Sequence[Mapping[int, int]],
    totals: Sequence[Mapping[int, int]],
    players: Sequence[int],
) -> dict[MatchTieBreak, dict[int, int]]:
    """
    Return what the event's tie-breaks count for each player, but for direct comparison.

    Args:
        points: What each published round counts.
        totals: The results of its games.
    """
    opponents = [_map_opponents(each) for each in data.rounds.published]
    own = Counter[int]()
    for counted in points:
        own.update(counted)
    adjusted = {
        player: own[player]
        + sum(
            POINTS["draw"] - counted.get(player, 0)
            for others, counted in zip(opponents, points, strict=True)
            if player not in others
        )
        for player in players
    }
    sums: dict[MatchTieBreak, dict[int, int]] = {
        name: {} for name in data.event.tie_breaks if name != "direct"
    }
    for player in players:
        # For each round without a missing result: the score of the opponent, who is 0 without one,
        # and the own points.
        met = [
            (adjusted[other] if other else own[player], counted.get(player, 0), other)
            for others, counted in zip(opponents, points, strict=True)
            if (other := others.get(player, 0)) is not None
        ]
        scores = [score for score, _, _ in met]
        counts: dict[MatchTieBreak, int] = {
            "buchholz": sum(scores),
            "buchholz_cut": sum(scores) - min(scores, default=0),
            "sonneborn_berger": sum(score * counted for score, counted, _ in met),
            "wins": sum(counted == POINTS["win"] and other > 0 for _, counted, other in met),
            "total": sum(each.get(player, 0) for each in totals),
        }
        for name, values in sums.items():
            values[player] = counts[name]
    return sums


def _count_round(data: EventData, each: Round) -> dict[int, int]:
    event, points = data.event, count_match(data, each)
    free = dict.fromkeys(each.half_byes, POINTS["draw"])
    if event.bye != "nothing":
        free |= dict.fromkeys(_list_free(data, each), POINTS[event.bye])
    if event.late != "nothing":
        came = (player for player, drawn in data.rounds.late.items() if each.number <= drawn)
        seated = {*each.list_seated(), *each.byes, *each.half_byes}
        free |= {player: POINTS[event.late] for player in came if player not in seated}
    forfeits = data.list_forfeits(each.number)
    return points | {
        player: 0 if player in forfeits else counted for player, counted in free.items()
    }


def _list_free(data: EventData, each: Round) -> set[int]:
    """Return whose opponent is missing; the bye that everybody has in a round robin counts not."""
    if data.event.style != "round_robin":
        return set(each.byes)
    return set(each.byes) - set(pair_round_robin(data.bracket, each.number).byes)


def _map_opponents(each: Round) -> dict[int, int | None]:
    """Return the opponent of everybody who has a table; None if its result is missing."""
    opponents: dict[int, int | None] = {}
    for number, (one, other) in enumerate(each.tables, start=1):
        is_over = number in each.results
        opponents |= {one: other if is_over else None, other: one if is_over else None}
    return opponents
