# SPDX-License-Identifier: MIT
"""Players, their records and their dice, as values; see `views` for the games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from controller.base.languages.message import Message
from controller.history.fairness.verdict import DiceVerdict

Faces: TypeAlias = tuple[int, int, int, int, int, int]
"""How often 1, 2, ... 6 was thrown."""


@dataclass(frozen=True, slots=True)
class ColourVerdict:
    """
    The dice of one colour of a set.

    Attributes:
        colour: As read; empty if unknown.
        label: What they are called.
        is_one_die: Whether (almost) every throw of the set has exactly one die of this colour.
        faces: What was thrown.
        verdict: Whether they are fair.
        said: The same in sentences.
    """

    colour: str
    label: str
    is_one_die: bool
    faces: Faces
    verdict: DiceVerdict
    said: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class SetVerdict:
    """
    A set of dice that is or was on the table.

    Attributes:
        name: Its name; empty for the dice of the beginning.
        label: What it is called.
        since_ms: Wall clock when it came to the table last; 0 for the dice of the beginning.
        is_current: Whether it is on the table now.
        faces: What was thrown.
        unsure: As in `DiceStatistics`.
        untold: Likewise.
        verdict: Whether they are fair.
        said: The same in sentences.
        colours: Each colour for itself, the most frequent first, if there are several.
    """

    name: str
    label: str
    since_ms: int
    is_current: bool
    faces: Faces
    unsure: int
    untold: int
    verdict: DiceVerdict
    said: tuple[Message, ...]
    colours: tuple[ColourVerdict, ...]


@dataclass(frozen=True, slots=True)
class DiceStatistics:
    """
    Thrown dice; a die that stayed in the tray or that a hand set does not count.

    Attributes:
        rolls: Number of throws of all dice.
        dice: Number of dice thrown, in throws of some dice too.
        faces: What was thrown.
        by_colour: The same by the colour of the die, as read; the most frequent colour first.
        sums: How often each sum was thrown, by the number of dice of a full throw: pairs of the
            sum and its count, without gaps.
        unsure: Dice that were thrown, in throws that were doubted, corrected or entered by hand;
            their faces are not among `faces`.
        untold: Dice that may have been thrown. Some may have stayed; a hand set others, perhaps
            to straighten them.
        chance: How likely exactly fair dice ever differ so much, at most; from 0 to 1.
        verdict: Whether the dice are fair, all sets together.
        said: The same in sentences.
        sets: Each set of dice for itself: the one on the table first, then the newest.
    """

    rolls: int
    dice: int
    faces: Faces
    by_colour: dict[str, Faces]
    sums: dict[int, tuple[tuple[int, int], ...]]
    unsure: int
    untold: int
    chance: float
    verdict: DiceVerdict
    said: tuple[Message, ...]
    sets: tuple[SetVerdict, ...]


@dataclass(frozen=True, slots=True)
class BestRoll:
    """
    One of the rolls that gained a player most.

    Attributes:
        number: The game.
        roll: The number of the roll in it.
        dice: As in `GameRoll`.
        action: What the player made of it, in the game's notation.
        gain: Points.
        at_ms: Wall clock.
    """

    number: int
    roll: int
    dice: tuple[str, ...]
    action: str
    gain: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class VariantStatistics:
    """
    One player's finished games of one variant. `best_game` and such are numbers of games.

    Attributes:
        game: Key of the game.
        title: Its name.
        variant: Its options in words.
        games: Finished games with others.
        wins: Of these; a shared win counts.
        average: Mean result of all finished games, alone too; None if a higher one is not better.
        best: The best result, alone too; None likewise.
        best_game: Where that was.
        alone: Finished games alone.
        record: The personal record by the rules: the best positive result alone; None before the
            first one, and in games that cannot be played alone.
        record_game: Where that was; 0 without a record.
        best_rolls: The most gaining rolls, the best first; at most five.
        turn_ms: Median time of a turn; None before the first.
        results: All results in order, for a plot: pairs of the game's number and the result.
    """

    game: str
    title: str
    variant: str
    games: int
    wins: int
    average: float | None
    best: int | None
    best_game: int
    alone: int
    record: int | None
    record_game: int
    best_rolls: tuple[BestRoll, ...]
    turn_ms: int | None
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
    """
    Everything about one player. Left games count in `games` and in the dice alone.

    Attributes:
        entry: The line in the list of players.
        first_ms: Wall clock of the first game's start.
        variants: The most played first.
        opponents: The most frequent first.
        dice: The player's own throws.
        turn_ms: Median time of a turn over all games; None before the first.
        turns: Number of turns.
    """

    entry: PlayerEntry
    first_ms: int
    variants: tuple[VariantStatistics, ...]
    opponents: tuple[HeadToHead, ...]
    dice: DiceStatistics
    turn_ms: int | None
    turns: int


@dataclass(frozen=True, slots=True)
class VariantRecord:
    """
    The best of a variant at this table; the name of a forgotten player is empty.

    Attributes:
        game: Key of the game.
        title: Its name.
        variant: Its options in words.
        games: Finished games.
        average: Mean result of all players; None if a higher one is not better.
        best: The best result, with its player and its game; None likewise.
        record: The best positive result alone, with its player and game; None before the first.
    """

    game: str
    title: str
    variant: str
    games: int
    average: float | None
    best: int | None
    best_player: str
    best_game: int
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
