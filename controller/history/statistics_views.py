# SPDX-License-Identifier: MIT
"""Players, their records and their dice, as values; see `views` for the games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from controller.base.languages.message import Message
from controller.history.fairness.verdict import DiceVerdict

Faces: TypeAlias = tuple[int, int, int, int, int, int]  # How often 1, 2, ... 6 was thrown.


@dataclass(frozen=True, slots=True)
class ColourVerdict:
    """The dice of one colour of a set."""

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
    """A line in the list of players."""

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
