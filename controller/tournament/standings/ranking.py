# SPDX-License-Identifier: MIT
"""
Rank players by their scores, and break ties in a fixed order.

A tie is broken among the tied players alone: in a duplicate event by direct comparison, then by the
best games, in some by what the choices cost, then by a play-off; after matches as the event says.
Each tie-break compares only those whom the ones before it left equal.
Who is still equal shares the place, and the next place is as far away as there are players on the
shared one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import Literal, TypeAlias

from controller.tournament.entries.entry_base import MatchTieBreak
from controller.tournament.standings.match_points import count_match_points

TieBreak: TypeAlias = MatchTieBreak | Literal["", "best_game", "costs", "play_off"]

CompareDirectly: TypeAlias = Callable[[Sequence[int]], Mapping[int, int]]
"""Returns the points of tied players among themselves; more is better."""

TieKey: TypeAlias = tuple[object, ...]
GAME_TIE_BREAKS: tuple[TieBreak, ...] = ("direct", "best_game", "costs", "play_off")
"""What breaks ties between games that everybody played, one after the other."""


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
    # What other tie-breaks count; more is better.
    sums: Mapping[TieBreak, int] = field(default_factory=dict)


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
    candidates: Sequence[Candidate],
    compare_directly: CompareDirectly,
    tie_breaks: Sequence[TieBreak] = GAME_TIE_BREAKS,
) -> tuple[Ranked, ...]:
    """Return everybody with a place, best first; equal players by their number."""
    ranked: list[Ranked] = []
    ordered = sorted(candidates, key=lambda each: each.score, reverse=True)
    for _, group in groupby(ordered, key=lambda each: each.score):
        ranked += _break_tie(list(group), len(ranked) + 1, compare_directly, tie_breaks)
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
    tied: Sequence[Candidate],
    place: int,
    compare_directly: CompareDirectly,
    tie_breaks: Sequence[TieBreak],
    decided: TieBreak = "",
) -> list[Ranked]:
    """Return the places of players who are equal so far; the first tie-break is the next one."""
    if len(tied) == 1 or not tie_breaks:
        players = sorted(each.player for each in tied)
        return [Ranked(player, place, len(tied), decided) for player in players]
    name, *others = tie_breaks
    direct = compare_directly([each.player for each in tied]) if name == "direct" else {}
    keys: dict[int, TieKey] = {
        each.player: (_list_values(each, direct.get(each.player, 0))[name],) for each in tied
    }
    ordered = sorted(tied, key=lambda each: keys[each.player], reverse=True)
    ranked: list[Ranked] = []
    for _, equals in groupby(ordered, key=lambda each: keys[each.player]):
        group = list(equals)
        by = name if len(group) < len(tied) else decided
        ranked += _break_tie(group, place + len(ranked), compare_directly, others, by)
    return ranked


def _list_values(candidate: Candidate, direct: int) -> Mapping[TieBreak, object]:
    """Return what each tie-break compares of a player; more is better."""
    games = sorted((game for game in candidate.games if game is not None), reverse=True)
    return {
        "direct": direct,
        "best_game": tuple(games),
        "costs": float("-inf") if candidate.cost is None else -candidate.cost,
        "play_off": float("-inf") if candidate.play_off is None else candidate.play_off,
        **candidate.sums,
    }
