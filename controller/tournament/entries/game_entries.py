# SPDX-License-Identifier: MIT
"""Entries about the games of a duplicate event: rolls, choices, and rulings on rolls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from controller.tournament.entries import fields as rules
from controller.tournament.entries.entry_base import (
    GAME_RULE,
    MOST_PLAYERS,
    OFFICIAL_RULE,
    PLAYER_RULE,
    PLAYERS_RULE,
    REASON_RULE,
    ROLL_RULE,
    TIME_RULE,
    EntryBase,
)
from controller.tournament.entries.fields import MOST_TIME_MS, Source, with_rule


@dataclass(frozen=True, slots=True)
class GameOpened(EntryBase):
    """A game of a duplicate event began."""

    kind: ClassVar[str] = "game_opened"
    game: int = with_rule(GAME_RULE)
    box: str = with_rule(rules.digest)  # The table whose rolls everybody plays.
    # The number of the first line of its journal whose rolls count.
    since: int = with_rule(rules.whole(0, MOST_TIME_MS))
    # Who plays it, if it is a play-off; empty for everybody.
    players: tuple[int, ...] = with_rule(PLAYERS_RULE, default=())
    by: str = with_rule(rules.or_empty(rules.person), default="")


@dataclass(frozen=True, slots=True)
class GameClosed(EntryBase):
    """A game of a duplicate event ended; an official who ends it early says why."""

    kind: ClassVar[str] = "game_closed"
    game: int = with_rule(GAME_RULE)
    by: str = with_rule(rules.or_empty(rules.person), default="")
    reason: str = with_rule(rules.line(rules.LONGEST_REASON, may_be_empty=True), default="")


@dataclass(frozen=True, slots=True)
class CostsFound(EntryBase):
    """
    What the players' own choices of an ended game cost against the best ones that a coach knows.
    """

    kind: ClassVar[str] = "costs"
    game: int = with_rule(GAME_RULE)
    weights: str = with_rule(rules.digest)  # The SHA-256 of what the coach knows.
    # Player, number of own choices and their cost in hundredths of a point, by player.
    costs: tuple[tuple[int, ...], ...] = with_rule(
        rules.list_of(rules.list_of(rules.whole(0, MOST_TIME_MS), 3, 3), 0, MOST_PLAYERS)
    )


@dataclass(frozen=True, slots=True)
class RollOpened(EntryBase):
    """
    A roll of the table is everybody's roll.

    `until_ms` is when the clock of this roll ends: milliseconds since 1970 in UTC.
    """

    kind: ClassVar[str] = "roll_opened"
    game: int = with_rule(GAME_RULE)
    roll: int = with_rule(ROLL_RULE)
    faces: str = with_rule(rules.dice)
    source: Source = with_rule(rules.source)
    until_ms: int = with_rule(TIME_RULE)


@dataclass(frozen=True, slots=True)
class RollClosed(EntryBase):
    """The roll takes no more choices; who has not chosen gets the first legal one."""

    kind: ClassVar[str] = "roll_closed"
    game: int = with_rule(GAME_RULE)
    roll: int = with_rule(ROLL_RULE)
    by: str = with_rule(rules.or_empty(rules.person), default="")
    reason: str = with_rule(rules.line(rules.LONGEST_REASON, may_be_empty=True), default="")


@dataclass(frozen=True, slots=True)
class ChoiceMade(EntryBase):
    """
    A player's choice from a roll, in the notation of the game.

    `do` is one action, or jokers and the choice after them: `corrector 2>6`, `4+10/4`.
    """

    kind: ClassVar[str] = "choice"
    game: int = with_rule(GAME_RULE)
    roll: int = with_rule(ROLL_RULE)
    player: int = with_rule(PLAYER_RULE)
    do: tuple[str, ...] = with_rule(rules.list_of(rules.line(rules.LONGEST_NAME), 1, 4))
    by: str = with_rule(rules.or_empty(rules.person), default="")


@dataclass(frozen=True, slots=True)
class ReserveAsked(EntryBase):
    """A player plays the Terminator: the table throws a reserve roll for all who asked for it."""

    kind: ClassVar[str] = "reserve_asked"
    game: int = with_rule(GAME_RULE)
    roll: int = with_rule(ROLL_RULE)
    player: int = with_rule(PLAYER_RULE)
    by: str = with_rule(rules.or_empty(rules.person), default="")


@dataclass(frozen=True, slots=True)
class ReserveOpened(EntryBase):
    """The reserve roll of a roll; it is too late to ask for it."""

    kind: ClassVar[str] = "reserve_opened"
    game: int = with_rule(GAME_RULE)
    roll: int = with_rule(ROLL_RULE)
    faces: str = with_rule(rules.dice)
    source: Source = with_rule(rules.source)
    until_ms: int = with_rule(TIME_RULE)


@dataclass(frozen=True, slots=True)
class RollRuling(EntryBase):
    """An official decided on a corrected, hand-entered or doubted roll."""

    kind: ClassVar[str] = "ruling"
    game: int = with_rule(GAME_RULE)
    roll: int = with_rule(ROLL_RULE)
    # `keep` leaves the roll as it is. `recompute` gives it other faces. `annul` removes it from the
    # game, and `restore` takes that back.
    decision: str = with_rule(rules.one_of("keep", "recompute", "annul", "restore"))
    by: str = with_rule(OFFICIAL_RULE)
    reason: str = with_rule(REASON_RULE)
    is_reserve: bool = with_rule(rules.flag, default=False)  # Whether it is about the reserve roll.
    # The faces from now on, for `recompute`.
    faces: str = with_rule(rules.or_empty(rules.dice), default="")
    # When the clock ends, if the roll is chosen from again: it is still open, or was when it was
    # annulled.
    until_ms: int = with_rule(TIME_RULE, default=0)
    # The line of the table that made the ruling necessary; None if there is no line.
    cause: Source | None = with_rule(rules.optional(rules.source), default=None)


GameEntry: TypeAlias = (
    GameOpened
    | GameClosed
    | CostsFound
    | RollOpened
    | RollClosed
    | ChoiceMade
    | ReserveAsked
    | ReserveOpened
    | RollRuling
)
