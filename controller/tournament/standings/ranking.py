# SPDX-License-Identifier: MIT
"""
Rank players by their scores, and break ties in a fixed order.

A tie is broken among the tied players alone: by direct comparison, then by the best games, in some
events by what the choices cost, then by a play-off. Who is still equal shares the place, and the
next place is as far away as there are players on the shared one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Literal, TypeAlias

from controller.tournament.standings.match_points import count_match_points

TieBreak: TypeAlias = Literal["", "direct", "best_game", "costs", "play_off"]

CompareDirectly: TypeAlias = Callable[[Sequence[int]], Mapping[int, int]]
"""Returns the points of tied players among themselves; more is better."""

TieKey: TypeAlias = tuple[object, ...]
_TIE_BREAKS: tuple[TieBreak, ...] = ("direct", "best_game", "costs", "play_off")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player to be ranked."""

    player: int
    score: tuple[int, ...]  # What is compared first; higher is better.
    games: tuple[int | None, ...] = ()  # The result of each game; None without one.
    # The mean cost of a choice, less is better; None if it breaks no tie, or if the player made no
    # choice.
    cost: Fraction | None = None
    play_off: int | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """
    A player's place, from 1.

    `decided_by` is what separated the player from others with the same score; empty if nothing
    had to. `shares` is how many have this place.
    """

    player: int
    place: int
    shares: int
    decided_by: TieBreak


def rank_candidates(
    candidates: Sequence[Candidate], compare_directly: CompareDirectly
) -> tuple[Ranked, ...]:
    """Return everybody with a place, best first; equal players by their number."""
    ranked: list[Ranked] = []
    ordered = sorted(candidates, key=lambda each: each.score, reverse=True)
    for _, group in groupby(ordered, key=lambda each: each.score):
        ranked += _break_tie(list(group), len(ranked) + 1, compare_directly)
    return tuple(ranked)


def compare_by_match_points(games: Sequence[Mapping[int, int]]) -> CompareDirectly:
    """Return the direct comparison over those games that all tied players have a result of."""

    def compare(tied: Sequence[int]) -> Mapping[int, int]:
        points = dict.fromkeys(tied, 0)
        for totals in games:
            if all(player in totals for player in tied):
                among = count_match_points({player: totals[player] for player in tied})
                for player in tied:
                    points[player] += among[player]
        return points

    return compare


def _break_tie(
    tied: list[Candidate], place: int, compare_directly: CompareDirectly
) -> list[Ranked]:
    if len(tied) == 1:
        return [Ranked(tied[0].player, place, 1, "")]
    points = compare_directly([each.player for each in tied])
    keys = {
        each.player: (
            points[each.player],
            tuple(sorted((game for game in each.games if game is not None), reverse=True)),
            float("-inf") if each.cost is None else -each.cost,
            float("-inf") if each.play_off is None else each.play_off,
        )
        for each in tied
    }
    ordered = sorted(keys, key=lambda player: (keys[player], -player), reverse=True)
    equals = _count_prefixes(keys.values())
    ranked: list[Ranked] = []
    for _, group in groupby(ordered, key=lambda player: keys[player]):
        players = list(group)
        for player in players:
            decided = _find_decision(keys[player], equals)
            ranked.append(Ranked(player, place, len(players), decided))
        place += len(players)
    return ranked


def _count_prefixes(keys: Iterable[TieKey]) -> Counter[TieKey]:
    """Return how many tied players are equal in the first comparisons, by what they have there."""
    return Counter(key[:depth] for key in keys for depth in range(len(_TIE_BREAKS) + 1))


def _find_decision(own: TieKey, equals: Counter[TieKey]) -> TieBreak:
    """Return the last comparison that separated a player from others of the tie."""
    decided: TieBreak = ""
    for depth, name in enumerate(_TIE_BREAKS):
        if equals[own[: depth + 1]] < equals[own[:depth]]:
            decided = name
    return decided
