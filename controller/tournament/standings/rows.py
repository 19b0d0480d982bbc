# SPDX-License-Identifier: MIT
"""Standings as rows of plain values, for pages, CSV and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal, TypeAlias

from controller.tournament.standings.ranking import TieBreak

Unit: TypeAlias = Literal["points", "millionths", "table_points", "lives", "rounds"]
"""
What a score counts: points of the game; millionths of the field beaten; points of the table or of
a round robin; lives left; rounds won.
"""

PlainValue: TypeAlias = (
    int | str | bool | list[int] | list[int | None] | list[list[int]] | dict[str, int] | None
)


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One player of the standings."""

    player: int
    name: str
    place: int  # From 1; players who share it have the same.
    shares: int  # How many have this place.
    # What separated the player from others with the same score; empty without a tie.
    decided_by: TieBreak
    score: int  # What the standings are ordered by, in their unit.
    total: int
    games: tuple[int | None, ...]  # The result of each game or round; None without a whole one.
    # What each of them counts in the standings, in millionths for match points.
    game_scores: tuple[int | None, ...]
    penalty: int  # What was taken away in all, in the unit of penalties.
    state: Literal["here", "away", "withdrawn"]
    # Games of a duplicate event that were not played whole, and the points that each counts, as its
    # rule for absence says.
    absences: tuple[tuple[int, int], ...] = ()
    # What the event's own tie-breaks count, in their order, but for direct comparison.
    ties: Mapping[str, int] = field(default_factory=dict)
    has_place: bool = True  # False if too few rolls were played: then all others come first.
    section: str = ""  # Empty without one.
    section_place: int = 0  # The place among those of the section; 0 without one.
    team: str = ""  # Empty without one.

    def to_plain(self) -> dict[str, PlainValue]:
        return {
            "place": self.place,
            "shares": self.shares,
            "player": self.player,
            "name": self.name,
            "score": self.score,
            "total": self.total,
            "games": list(self.games),
            "game_scores": list(self.game_scores),
            "penalty": self.penalty,
            "decided_by": self.decided_by,
            "state": self.state,
            "absences": [list(each) for each in self.absences],
            "has_place": self.has_place,
            **({"ties": dict(self.ties)} if self.ties else {}),
            **(
                {"section": self.section, "section_place": self.section_place}
                if self.section
                else {}
            ),
            **({"team": self.team} if self.team else {}),
        }


@dataclass(frozen=True, slots=True)
class TeamRow:
    """One team of the standings; its fields are in the order of the published JSON."""

    place: int  # From 1; teams that share it have the same.
    team: str
    score: int  # The sum of those members who count, in the unit of the standings.
    players: tuple[int, ...]  # All members, best first.
    counted: int  # How many of them count.

    def to_plain(self) -> dict[str, PlainValue]:
        return {**asdict(self), "players": list(self.players)}


@dataclass(frozen=True, slots=True)
class Standings:
    """
    All rows, best first, with their unit.

    `games` is how many games or rounds have a column.
    """

    unit: Unit
    games: int
    rows: tuple[StandingRow, ...]
    teams: tuple[TeamRow, ...] = ()  # Best first; empty without teams.

    def to_table(self) -> Iterator[Sequence[int | str]]:
        """Yield the head and the rows as cells, for CSV; an absent result is an empty text."""
        games = [f"game {number}" for number in range(1, self.games + 1)]
        has_sections, has_teams = any(row.section for row in self.rows), bool(self.teams)
        yield (
            "place",
            "player",
            "name",
            f"score ({self.unit})",
            "total",
            *games,
            "penalty",
            "state",
            "not played whole",
            *(self.rows[0].ties if self.rows else ()),
            *(("section", "place in section") if has_sections else ()),
            *(("team",) if has_teams else ()),
        )
        for row in self.rows:
            cells = ["" if game is None else game for game in row.games]
            section_place = row.section_place if row.section and row.has_place else ""
            yield (
                row.place if row.has_place else "",
                row.player,
                row.name,
                row.score,
                row.total,
                *cells,
                row.penalty,
                row.state,
                "; ".join(f"game {game}: {points}" for game, points in row.absences),
                *row.ties.values(),
                *((row.section, section_place) if has_sections else ()),
                *((row.team,) if has_teams else ()),
            )

    def list_places(self) -> tuple[tuple[int, int, int], ...]:
        """Return player, place and score of each, as the final entry of an event has them."""
        return tuple((row.player, row.place, row.score) for row in self.rows)
