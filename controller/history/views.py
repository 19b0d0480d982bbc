# SPDX-License-Identifier: MIT
"""
Games of the history, its names and its progress, as values; `statistics_views` has the players.

Every name here is the one that screens show: renamed people have their new name. A forgotten
person is `Player 2`, by their seat, and appears in no list of players. Texts are messages, so a
page translates them. Players of one game stand in the order of their seats, and every tuple
"by seat" is parallel to `GameSummary.players`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

GameStatus: TypeAlias = Literal["open", "parked", "left", "finished"]
"""
`open`: it is being played, or continues after the next start. `parked`: the lobby offers to
continue it. `left`: its players ended it before its end, or began another game.
"""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """
    A player of one game.

    Attributes:
        name: As screens show it; `Player 2` for a forgotten person.
        is_forgotten: Whether the name is hidden; such a player has no statistics.
        total: The player's result, as it would count now in an unfinished game.
        place: 1 for the best; players who share a place have the same. 0 in an unfinished game.
        is_opponent: Whether the table played; an opponent has no statistics.
    """

    name: str
    is_forgotten: bool
    total: int
    place: int
    is_opponent: bool = False


@dataclass(frozen=True, slots=True)
class GameSummary:
    """
    One game of the journal.

    Attributes:
        number: Counts the journal's games from 1, as `dicebell export --game` does.
        game: Key of the game, such as `choice`.
        title: The game's name for people.
        variant: Its options in words; empty if the game has none.
        options: The same by their keys.
        players: Clockwise.
        status: How it stands.
        started_ms: Wall clock, milliseconds since 1970 in UTC.
        ended_ms: The same of its end, or of its last entry.
        played_ms: How long it was played: without pauses, faults, time off and time parked.
        rolls: Number of rolls.
        winners: Seats that won; empty in an unfinished game.
        losers: Seats that lost.
        marked_rolls: Number of rolls that were corrected, entered by hand or in doubt.
        has_hints: Whether it was for training, with hints on request; such a game counts in no
            record and no average.
        problem: Why the rules do not give this game; such a game counts in no statistics. Empty
            if they do.
    """

    number: int
    game: str
    title: str
    variant: str
    options: dict[str, bool | int]
    players: tuple[SeatResult, ...]
    status: GameStatus
    started_ms: int
    ended_ms: int
    played_ms: int
    rolls: int
    winners: tuple[int, ...]
    losers: tuple[int, ...]
    marked_rolls: int
    problem: str
    has_hints: bool = False


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games a list has; an empty field is any."""

    player: str = ""
    game: str = ""
    status: GameStatus | Literal[""] = ""


ANY_GAME = GameFilter()


@dataclass(frozen=True, slots=True)
class GamePage:
    """A part of a list of games, the newest first; `count` is the length of the whole list."""

    games: tuple[GameSummary, ...]
    count: int


@dataclass(frozen=True, slots=True)
class RollChoice:
    """
    An action that counts.

    Attributes:
        seat: Who chose, from 0.
        action: In the game's notation.
        gain: What it changed in the player's total.
        seq: Its entry in the journal.
        at_ms: Wall clock.
    """

    seat: int
    action: str
    gain: int
    seq: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class GameRoll:
    """
    A roll as it counts, with everything up to the next one.

    Attributes:
        number: Counts the rolls of the game from 1, as a report does.
        seq: Its entry in the journal, for a proof.
        at_ms: Wall clock.
        seat: Who threw, from 0.
        dice: Each die as in a record: `4`, or `w4` if colours count.
        faces: Their faces, 1 to 6, in the same order.
        held: The action that follows from the dice that stayed, in the game's notation; or empty.
        was: The dice before they were corrected; empty if they were not.
        corrected_by: Who corrected them.
        by_hand: Who entered them by hand; empty if the camera read them.
        is_doubted: Whether its reading had a doubt.
        picture: Digest of its picture, as `/evidence/<digest>` has it; empty if there is none.
        choices: The actions that count after it, in order.
        totals: By seat, after these.
    """

    number: int
    seq: int
    at_ms: int
    seat: int
    dice: tuple[str, ...]
    faces: tuple[int, ...]
    held: str
    was: tuple[str, ...]
    corrected_by: str
    by_hand: str
    is_doubted: bool
    picture: str
    choices: tuple[RollChoice, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameRolls:
    """
    A game roll by roll.

    Attributes:
        summary: The game.
        start: Totals by seat before the first roll.
        rolls: In order. `rolls[i].totals` is the curve.
        decisive: The index in `rolls` of the roll that decided it: after it the winner stayed
            ahead. -1 in an unfinished game, in a tie, and for one player alone.
    """

    summary: GameSummary
    start: tuple[int, ...]
    rolls: tuple[GameRoll, ...]
    decisive: int


@dataclass(frozen=True, slots=True)
class PersonName:
    """
    A person for the official who renames or forgets them.

    Attributes:
        name: The newest spelling in the journal; the one by which `TableHistory` knows them.
        shown: As screens show it; equal to `name` if nothing was changed.
        is_forgotten: Whether screens hide it.
        games: Number of games.
    """

    name: str
    shown: str
    is_forgotten: bool
    games: int


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """
    How far the index is.

    Attributes:
        state: `building` while entries are missing; `ready`; or `refused` if the journal does not
            verify: then it is not counted at all.
        percent: Of the journal's bytes, 0 to 100.
        entries: Number of entries that were read.
        games: Number of games.
        problem: What is wrong and where; empty if nothing is.
    """

    state: Literal["building", "ready", "refused"] = "building"
    percent: int = 0
    entries: int = 0
    games: int = 0
    problem: str = ""
