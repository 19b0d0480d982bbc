# SPDX-License-Identifier: MIT
"""
Games of the history, its players, their records and their dice, and its progress, as values.

Every name here is the one that screens show: renamed people have their new name. A forgotten
person is `Player 2`, by their seat, and appears in no list of players. Texts are messages, so a
page translates them. Players of one game stand in the order of their seats, and every tuple
"by seat" is parallel to `GameSummary.players`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from controller.base.languages.message import Message
from controller.history.fairness.verdict import DiceVerdict

GameStatus: TypeAlias = Literal["open", "parked", "left", "finished"]
"""
`open`: it is being played, or continues after the next start. `parked`: the lobby offers to
continue it. `left`: its players ended it before its end, or began another game.
"""


@dataclass(frozen=True, slots=True)
class SeatResult:
    name: str  # As screens show it; `Player 2` for a forgotten person.
    is_forgotten: bool  # Whether the name is hidden; such a player has no statistics.
    total: int  # The player's result, as it would count now in an unfinished game.
    place: int  # 1 for the best; players who share a place have the same. 0 in an unfinished game.
    is_opponent: bool = False  # Whether the table played; an opponent has no statistics.


@dataclass(frozen=True, slots=True)
class GameSummary:
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


Faces: TypeAlias = tuple[int, int, int, int, int, int]  # How often 1, 2, ... 6 was thrown.


@dataclass(frozen=True, slots=True)
class ColourVerdict:
    colour: str  # As read; empty if unknown.
    label: str
    is_one_die: bool  # Whether (almost) every throw of the set has exactly one die of this colour.
    faces: Faces
    verdict: DiceVerdict
    said: tuple[Message, ...]  # The same in sentences.


@dataclass(frozen=True, slots=True)
class SetVerdict:
    """A set of dice that is or was on the table."""

    name: str  # Its name; empty for the dice of the beginning.
    label: str
    since_ms: int  # Wall clock when it came to the table last; 0 for the dice of the beginning.
    is_current: bool
    faces: Faces
    unsure: int  # As in `DiceStatistics`.
    untold: int  # As in `DiceStatistics`.
    verdict: DiceVerdict
    said: tuple[Message, ...]  # The same in sentences.
    # Each colour for itself, the most frequent first, if there are several.
    colours: tuple[ColourVerdict, ...]


@dataclass(frozen=True, slots=True)
class DiceStatistics:
    """Thrown dice; a die that stayed in the tray or that a hand set does not count."""

    rolls: int  # Number of throws of all dice.
    dice: int  # Number of dice thrown, in throws of some dice too.
    faces: Faces
    # The same by the colour of the die, as read; the most frequent colour first.
    by_colour: dict[str, Faces]
    # How often each sum was thrown, by the number of dice of a full throw: pairs of the sum and its
    # count, without gaps.
    sums: dict[int, tuple[tuple[int, int], ...]]
    # Dice that were thrown, in throws that were doubted, corrected or entered by hand; their faces
    # are not among `faces`.
    unsure: int
    # Dice that may have been thrown. Some may have stayed; a hand set others, perhaps to straighten
    # them.
    untold: int
    chance: float  # How likely exactly fair dice ever differ so much, at most; from 0 to 1.
    verdict: DiceVerdict  # Whether the dice are fair, all sets together.
    said: tuple[Message, ...]  # The same in sentences.
    # Each set of dice for itself: the one on the table first, then the newest.
    sets: tuple[SetVerdict, ...]


@dataclass(frozen=True, slots=True)
class BestRoll:
    """One of the rolls that gained a player most."""

    number: int  # The game.
    roll: int  # The number of the roll in it.
    dice: tuple[str, ...]  # As in `GameRoll`.
    action: str  # What the player made of it, in the game's notation.
    gain: int  # Points.
    at_ms: int  # Wall clock.


@dataclass(frozen=True, slots=True)
class VariantStatistics:
    """One player's finished games of one variant. `best_game` and such are numbers of games."""

    game: str  # Key of the game.
    title: str
    variant: str  # Its options in words.
    games: int  # Finished games with others.
    wins: int  # Of these games; a shared win counts.
    # Mean result of all finished games, alone too; None if a higher one is not better.
    average: float | None
    best: int | None  # The best result, alone too; None if a higher one is not better.
    best_game: int  # The game of the best result.
    alone: int  # Finished games alone.
    # The personal record by the rules: the best positive result alone; None before the first one,
    # and in games that cannot be played alone.
    record: int | None
    record_game: int  # The game of the record; 0 without one.
    best_rolls: tuple[BestRoll, ...]  # The most gaining rolls, the best first; at most five.
    turn_ms: int | None  # Median time of a turn; None before the first.
    # All results in order, for a plot: pairs of the game's number and the result.
    results: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Finished games of two players at one table: who was ahead, by `SeatResult.place`."""

    player: str
    opponent: str
    games: int
    ahead: int
    behind: int
    equal: int
    last_game: int


@dataclass(frozen=True, slots=True)
class PlayerEntry:
    name: str
    games: int
    finished: int
    wins: int
    last_ms: int


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """Everything about one player. Left games count in `games` and in the dice alone."""

    entry: PlayerEntry
    first_ms: int  # Wall clock of the first game's start.
    variants: tuple[VariantStatistics, ...]  # The most played first.
    opponents: tuple[HeadToHead, ...]  # The most frequent first.
    dice: DiceStatistics  # The player's own throws.
    turn_ms: int | None  # Median time of a turn over all games; None before the first.
    turns: int


@dataclass(frozen=True, slots=True)
class VariantRecord:
    """The best of a variant at this table; the name of a forgotten player is empty."""

    game: str  # Key of the game.
    title: str
    variant: str  # Its options in words.
    games: int
    average: float | None  # Mean result of all players; None if a higher one is not better.
    best: int | None  # The best result; None if a higher one is not better.
    best_player: str
    best_game: int
    # The best positive result alone, with its player and game; None before the first.
    record: int | None
    record_player: str
    record_game: int


@dataclass(frozen=True, slots=True)
class TableStatistics:
    """Everything about the table: its games by status, its records, its dice, time a turn."""

    games: dict[str, int]
    rolls: int
    played_ms: int
    records: tuple[VariantRecord, ...]
    dice: DiceStatistics
    turn_ms: int | None
