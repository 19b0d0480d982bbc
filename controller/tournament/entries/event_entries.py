# SPDX-License-Identifier: MIT
"""Entries about the event, its tables, its penalties and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from controller.tournament.entries import fields as rules
from controller.tournament.entries.entry_base import (
    FORMAT,
    GAME_RULE,
    MATCH_TIE_BREAKS,
    MOST_COUNTED,
    MOST_GAMES,
    MOST_PLAYERS,
    MOST_POINTS,
    MOST_TABLES,
    OFFICIAL_RULE,
    PLAYER_RULE,
    REASON_RULE,
    STYLES,
    EntryBase,
    MatchTieBreak,
)
from controller.tournament.entries.fields import MOST_TIME_MS, with_rule

NEW_ABSENCE = "worst"
"""The `absence` of a new duplicate event, unless the organiser chooses another one."""

NEW_BYE = "win"
"""The `bye` of a new event of matches, unless the organiser chooses another one."""

NEW_TIE_BREAKS: tuple[MatchTieBreak, ...] = ("direct", "buchholz", "sonneborn_berger", "total")
"""The `tie_breaks` of a new event of matches, unless the organiser chooses others."""


@dataclass(frozen=True, slots=True)
class EventBegun(EntryBase):
    """The first entry: what is played, and how it is scored."""

    kind: ClassVar[str] = "event"
    format: int = with_rule(rules.whole(FORMAT, FORMAT))
    name: str = with_rule(rules.line(80))
    style: str = with_rule(rules.one_of(*STYLES))
    game: str = with_rule(rules.line(rules.LONGEST_NAME))
    options: Mapping[str, bool | int] = with_rule(rules.options)
    # Games of a duplicate event, else rounds. A knock-out ends by itself.
    games: int = with_rule(GAME_RULE)
    clock_s: int = with_rule(rules.whole(5, 3600), default=60)  # Seconds for a choice.
    # How a duplicate event is ranked.
    scoring: str = with_rule(rules.one_of("sum", "match_points"), default="sum")
    # What breaks ties in a duplicate event before a play-off: `play_off` nothing, `costs` what the
    # choices cost.
    tie_break: str = with_rule(rules.one_of("play_off", "costs"), default="play_off")
    # What a game of a duplicate event counts for a player who did not play all of its rolls. The
    # default is how events counted before there was a rule: every sheet as it stands.
    absence: str = with_rule(rules.one_of("nothing", "worst", "below_mean"), default="nothing")
    # What becomes of rounds that were played on a corrected roll.
    corrected: str = with_rule(rules.one_of("recompute", "annul"), default="recompute")
    # Whether draws of tables follow the standings.
    pairing: str = with_rule(rules.one_of("random", "standings"), default="random")
    # Which dice decide a draw: any newest roll, as in events from before draws were announced, or
    # the rolls that follow an announcement.
    seeding: str = with_rule(rules.one_of("newest", "announced"), default="newest")
    # What the end of a round's clock does to games that go on: `play_on` nothing. With `stop` a
    # game that ended after it counts only if an official says so.
    round_end: str = with_rule(rules.one_of("play_on", "stop"), default="play_on")
    table_size: int = with_rule(rules.whole(3, 4), default=4)
    lives: int = with_rule(rules.whole(1, 9), default=3)  # Lives of each player in Black'n'White.
    # What orders equal scores of matches, one after the other. Without any it is the sum of the
    # totals and then direct comparison, as in events from before there was a choice.
    tie_breaks: tuple[MatchTieBreak, ...] = with_rule(
        rules.different(rules.list_of(rules.one_of(*MATCH_TIE_BREAKS), 0, len(MATCH_TIE_BREAKS))),
        default=(),
    )
    # What a round counts for a player without an opponent: a bye of a Swiss, or the round against a
    # player who withdrew from a round robin.
    bye: str = with_rule(rules.one_of("nothing", "draw", "win"), default="nothing")
    # What each round of a Swiss before a player came counts.
    late: str = with_rule(rules.one_of("nothing", "draw"), default="nothing")
    # How many rounds of a Swiss a player may take off for the points of a draw.
    half_byes: int = with_rule(rules.whole(0, MOST_GAMES), default=0)
    # How many members of a team count, the best ones; 0 for all.
    team_best: int = with_rule(rules.whole(0, MOST_COUNTED), default=0)


@dataclass(frozen=True, slots=True)
class TableEnrolled(EntryBase):
    """
    A table belongs to the event: its key and its name.

    `number` is its number in draws; 0 is the next free one. Enrolled again, it has another name.
    """

    kind: ClassVar[str] = "enrolled"
    box: str = with_rule(rules.digest)
    name: str = with_rule(rules.line(rules.LONGEST_NAME, may_be_empty=True))
    number: int = with_rule(rules.whole(0, MOST_TABLES), default=0)
    by: str = with_rule(rules.or_empty(rules.person), default="")


@dataclass(frozen=True, slots=True)
class KeyChanged(EntryBase):
    """A table signs with another key; it stands still until an official accepts the key."""

    kind: ClassVar[str] = "key_changed"
    box: str = with_rule(rules.digest)
    key: str = with_rule(rules.digest)


@dataclass(frozen=True, slots=True)
class KeyAccepted(EntryBase):
    """An official accepted the new key of a table; `key` is the box from here on."""

    kind: ClassVar[str] = "key_accepted"
    box: str = with_rule(rules.digest)
    key: str = with_rule(rules.digest)
    by: str = with_rule(OFFICIAL_RULE)
    reason: str = with_rule(REASON_RULE)


@dataclass(frozen=True, slots=True)
class TroubleNoted(EntryBase):
    """An official has seen that a table's journal is not what it should be."""

    kind: ClassVar[str] = "noted"
    box: str = with_rule(rules.digest)  # The key that the journal is signed with.
    # `fork` if the table sent two different lines, `flaw` if a line is not in order.
    trouble: str = with_rule(rules.one_of("fork", "flaw"))
    line: int = with_rule(rules.whole(0, MOST_TIME_MS))
    by: str = with_rule(OFFICIAL_RULE)
    reason: str = with_rule(REASON_RULE)


@dataclass(frozen=True, slots=True)
class PenaltyGiven(EntryBase):
    """
    A penalty, in the unit of the standings: see docs/event-journal.md.

    A negative number gives points back.
    """

    kind: ClassVar[str] = "penalty"
    player: int = with_rule(PLAYER_RULE)
    points: int = with_rule(rules.whole(-MOST_POINTS, MOST_POINTS))
    by: str = with_rule(OFFICIAL_RULE)
    reason: str = with_rule(REASON_RULE)
    game: int = with_rule(rules.whole(0, MOST_GAMES), default=0)


@dataclass(frozen=True, slots=True)
class GameForfeited(EntryBase):
    """A player gets nothing for a game or a round; `is_lifted` takes that back."""

    kind: ClassVar[str] = "forfeit"
    player: int = with_rule(PLAYER_RULE)
    game: int = with_rule(GAME_RULE)
    by: str = with_rule(OFFICIAL_RULE)
    reason: str = with_rule(REASON_RULE)
    is_lifted: bool = with_rule(rules.flag, default=False)


@dataclass(frozen=True, slots=True)
class EventResult(EntryBase):
    """
    The final standings; later rulings change the record only.

    `places` holds [player, place, score] for each player, best first. The unit of the score is
    that of the standings.
    """

    kind: ClassVar[str] = "result"
    places: tuple[tuple[int, ...], ...] = with_rule(
        rules.list_of(
            rules.list_of(rules.whole(-MOST_TIME_MS, MOST_TIME_MS), 3, 3), 0, MOST_PLAYERS
        )
    )
    by: str = with_rule(OFFICIAL_RULE)


AboutEvent: TypeAlias = (
    EventBegun
    | TableEnrolled
    | KeyChanged
    | KeyAccepted
    | TroubleNoted
    | PenaltyGiven
    | GameForfeited
    | EventResult
)
