# SPDX-License-Identifier: MIT
"""Entries about draws, what limits them, and the results of their tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from controller.tournament.entries import fields as rules
from controller.tournament.entries.entry_base import (
    GAME_RULE,
    MOST_POINTS,
    MOST_TABLES,
    OFFICIAL_RULE,
    PLAYER_RULE,
    PLAYERS_RULE,
    REASON_RULE,
    TABLE_RULE,
    TIME_RULE,
    EntryBase,
)
from controller.tournament.entries.fields import MOST_TIME_MS, Source, with_rule


@dataclass(frozen=True, slots=True)
class FixedTable(EntryBase):
    """A player always sits at this table; 0 frees them."""

    kind: ClassVar[str] = "fixed_table"
    player: int = with_rule(PLAYER_RULE)
    table: int = with_rule(rules.whole(0, MOST_TABLES))
    by: str = with_rule(OFFICIAL_RULE)
    reason: str = with_rule(REASON_RULE)


@dataclass(frozen=True, slots=True)
class ForbiddenPair(EntryBase):
    """Two players never sit at one table; `is_lifted` ends that."""

    kind: ClassVar[str] = "forbidden_pair"
    players: tuple[int, ...] = with_rule(rules.different(rules.list_of(PLAYER_RULE, 2, 2)))
    by: str = with_rule(OFFICIAL_RULE)
    reason: str = with_rule(REASON_RULE)
    is_lifted: bool = with_rule(rules.flag, default=False)


@dataclass(frozen=True, slots=True)
class DrawAnnounced(EntryBase):
    """The next rolls of a table decide the draft of a round; another one has a reason."""

    kind: ClassVar[str] = "draw_announced"
    round: int = with_rule(GAME_RULE)
    box: str = with_rule(rules.digest)
    # The first line of its journal that may be such a roll.
    since: int = with_rule(rules.whole(0, MOST_TIME_MS))
    by: str = with_rule(OFFICIAL_RULE)
    reason: str = with_rule(rules.line(rules.LONGEST_REASON, may_be_empty=True), default="")


@dataclass(frozen=True, slots=True)
class ByeAsked(EntryBase):
    """A player takes a round of a Swiss off, before it is drawn; `is_lifted` takes that back."""

    kind: ClassVar[str] = "bye_asked"
    round: int = with_rule(GAME_RULE)
    player: int = with_rule(PLAYER_RULE)
    by: str = with_rule(rules.or_empty(rules.person), default="")
    is_lifted: bool = with_rule(rules.flag, default=False)


@dataclass(frozen=True, slots=True)
class DrawMade(EntryBase):
    """A draft of who sits where."""

    kind: ClassVar[str] = "draw"
    round: int = with_rule(GAME_RULE)
    # The players of each table in the order of their seats; table 1 first.
    tables: tuple[tuple[int, ...], ...] = with_rule(
        rules.list_of(rules.different(rules.list_of(PLAYER_RULE, 2, 5)), 0, MOST_TABLES)
    )
    # The faces of the rolls that seed it, one after the other.
    faces: str = with_rule(rules.or_empty(rules.faces), default="")
    sources: tuple[Source, ...] = with_rule(rules.list_of(rules.source, 0, 20), default=())
    byes: tuple[int, ...] = with_rule(PLAYERS_RULE, default=())
    # Who takes this round off, here or not, for the points of a draw.
    half_byes: tuple[int, ...] = with_rule(PLAYERS_RULE, default=())


@dataclass(frozen=True, slots=True)
class PlayersSwapped(EntryBase):
    """Two players of the draft changed seats."""

    kind: ClassVar[str] = "swap"
    round: int = with_rule(GAME_RULE)
    players: tuple[int, ...] = with_rule(rules.different(rules.list_of(PLAYER_RULE, 2, 2)))
    by: str = with_rule(OFFICIAL_RULE)
    reason: str = with_rule(REASON_RULE)


@dataclass(frozen=True, slots=True)
class DrawPublished(EntryBase):
    """The draft counts; results of earlier rounds do not change the standings any more."""

    kind: ClassVar[str] = "published"
    round: int = with_rule(GAME_RULE)
    by: str = with_rule(OFFICIAL_RULE)


@dataclass(frozen=True, slots=True)
class RoundTimed(EntryBase):
    """The round ends at a time; 0 takes its clock away."""

    kind: ClassVar[str] = "round_clock"
    round: int = with_rule(GAME_RULE)
    until_ms: int = with_rule(TIME_RULE)  # Milliseconds since 1970 in UTC.
    by: str = with_rule(OFFICIAL_RULE)


@dataclass(frozen=True, slots=True)
class TableRuling(EntryBase):
    """
    An official decided on a roll of a table's own game that was corrected, entered or doubted.

    It changes nothing by itself: a changed result is a `TableResult`.
    """

    kind: ClassVar[str] = "table_ruling"
    cause: Source = with_rule(rules.source)
    decision: str = with_rule(rules.one_of("keep", "changed"))
    by: str = with_rule(OFFICIAL_RULE)
    reason: str = with_rule(REASON_RULE)


@dataclass(frozen=True, slots=True)
class TableResult(EntryBase):
    """The result of a table in a round."""

    kind: ClassVar[str] = "table_result"
    round: int = with_rule(GAME_RULE)
    table: int = with_rule(TABLE_RULE)
    # The result of each player in the order of the draw; chips in Black'n'White.
    points: tuple[int, ...] = with_rule(rules.list_of(rules.whole(-MOST_POINTS, MOST_POINTS), 2, 5))
    # Who lost, if the game names losers.
    losers: tuple[int, ...] = with_rule(PLAYERS_RULE, default=())
    # The line that ended the game; None if an official entered the result.
    source: Source | None = with_rule(rules.optional(rules.source), default=None)
    # The official; empty if the result is the table's own.
    by: str = with_rule(rules.or_empty(rules.person), default="")
    reason: str = with_rule(rules.line(rules.LONGEST_REASON, may_be_empty=True), default="")


DrawEntry: TypeAlias = (
    FixedTable
    | ForbiddenPair
    | ByeAsked
    | DrawAnnounced
    | DrawMade
    | PlayersSwapped
    | DrawPublished
    | RoundTimed
    | TableResult
    | TableRuling
)
