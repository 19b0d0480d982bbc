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
    """A player of one game."""

    name: str  # As screens show it; `Player 2` for a forgotten person.
    is_forgotten: bool  # Whether the name is hidden; such a player has no statistics.
    total: int  # The player's result, as it would count now in an unfinished game.
    place: int  # 1 for the best; players who share a place have the same. 0 in an unfinished game.
    is_opponent: bool = False  # Whether the table played; an opponent has no statistics.


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One game of the journal."""

    number: int  # Counts the journal's games from 1, as `dicebell export --game` does.
    game: str  # Key of the game, such as `choice`.
    title: str
    variant: str  # Its options in words; empty if the game has none.
    options: dict[str, bool | int]  # The same by their keys.
    players: tuple[SeatResult, ...]  # Clockwise.
    status: GameStatus
    started_ms: int  # Wall clock, milliseconds since 1970 in UTC.
    ended_ms: int  # The same of its end, or of its last entry.
    played_ms: int  # How long it was played: without pauses, faults, time off and time parked.
    rolls: int
    winners: tuple[int, ...]  # Seats that won; empty in an unfinished game.
    losers: tuple[int, ...]
    marked_rolls: int  # Number of rolls that were corrected, entered by hand or in doubt.
    # Why the rules do not give this game; such a game counts in no statistics. Empty if they do.
    problem: str
    # Whether it was for training, with hints on request; such a game counts in no record and no
    # average.
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
    """An action that counts."""

    seat: int  # Who chose, from 0.
    action: str  # In the game's notation.
    gain: int  # What it changed in the player's total.
    seq: int  # Its entry in the journal.
    at_ms: int  # Wall clock.


@dataclass(frozen=True, slots=True)
class GameRoll:
    """A roll as it counts, with everything up to the next one."""

    number: int  # Counts the rolls of the game from 1, as a report does.
    seq: int  # Its entry in the journal, for a proof.
    at_ms: int  # Wall clock.
    seat: int  # Who threw, from 0.
    dice: tuple[str, ...]  # Each die as in a record: `4`, or `w4` if colours count.
    faces: tuple[int, ...]  # Their faces, 1 to 6, in the same order.
    # The action that follows from the dice that stayed, in the game's notation; or empty.
    held: str
    was: tuple[str, ...]  # The dice before they were corrected; empty if they were not.
    corrected_by: str
    by_hand: str  # Who entered them by hand; empty if the camera read them.
    is_doubted: bool
    picture: str  # Digest of its picture, as `/evidence/<digest>` has it; empty if there is none.
    choices: tuple[RollChoice, ...]  # The actions that count after it, in order.
    totals: tuple[int, ...]  # By seat, after these.


@dataclass(frozen=True, slots=True)
class GameRolls:
    """A game roll by roll."""

    summary: GameSummary
    start: tuple[int, ...]  # Totals by seat before the first roll.
    rolls: tuple[GameRoll, ...]  # In order. `rolls[i].totals` is the curve.
    # The index in `rolls` of the roll that decided it: after it the winner stayed ahead. -1 in an
    # unfinished game, in a tie, and for one player alone.
    decisive: int


@dataclass(frozen=True, slots=True)
class PersonName:
    """A person for the official who renames or forgets them."""

    name: str  # The newest spelling in the journal; the one by which `TableHistory` knows them.
    shown: str  # As screens show it; equal to `name` if nothing was changed.
    is_forgotten: bool
    games: int


@dataclass(frozen=True, slots=True)
class IndexProgress:
    # `building` while entries are missing; `ready`; or `refused` if the journal does not verify:
    # then it is not counted at all.
    state: Literal["building", "ready", "refused"] = "building"
    percent: int = 0  # Of the journal's bytes, 0 to 100.
    entries: int = 0
    games: int = 0
    problem: str = ""  # What is wrong and where; empty if nothing is.
