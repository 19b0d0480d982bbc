# SPDX-License-Identifier: MIT
"""
Sections and teams: places within a section, and the table of the teams.

Everybody plays the same event, so the order of a section is that of the whole event. The score of a
team is the sum of its members' scores; with `team_best` of its best members alone, as many of every
team. A mean would reward a team that leaves weak members out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from controller.tournament.standings.rows import StandingRow, TeamRow


def place_in_sections(rows: Iterable[StandingRow]) -> Iterator[StandingRow]:
    """Yield the rows, best first, with their places in their sections; equals share them."""
    counts = Counter[str]()
    newest: dict[str, StandingRow] = {}
    for row in rows:
        if not row.section:
            yield row
            continue
        counts[row.section] += 1
        place, before = counts[row.section], newest.get(row.section)
        if before and before.place == row.place:
            place = before.section_place
        newest[row.section] = replace(row, section_place=place)
        yield newest[row.section]


def rank_teams(rows: Sequence[StandingRow], best: int) -> tuple[TeamRow, ...]:
    """
    Return the teams, best first; of equal scores the one whose best member has the better place.

    Args:
        rows: All players, best first.
        best: How many members of each team count; 0 for all.
    """
    members: dict[str, list[StandingRow]] = {}
    for row in rows:
        if row.team:
            members.setdefault(row.team, []).append(row)
    counted = {team: own[: best or None] for team, own in members.items()}
    keys = {
        team: (-sum(row.score for row in own), [row.place for row in own])
        for team, own in counted.items()
    }
    ranked: list[TeamRow] = []
    ordered = sorted(keys, key=lambda team: (keys[team], team))
    for (lost, _), equals in groupby(ordered, key=lambda team: keys[team]):
        place = len(ranked) + 1
        for team in equals:
            players = tuple(row.player for row in members[team])
            ranked.append(TeamRow(place, team, -lost, players, len(counted[team])))
    return tuple(ranked)
