# SPDX-License-Identifier: MIT
"""
What the history knows of games, players and dice, as values, and the gate that pages ask.

Every name here is the one that screens show: renamed people have their new name. A forgotten
person is `Player 2`, by their seat, and appears in no list of players. Texts are messages, so a
page translates them. Players of one game stand in the order of their seats, and every tuple
"by seat" is parallel to `GameSummary.players`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

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
        name: As screens show it.
        is_forgotten: Whether the name is hidden; such a player has no statistics.
        total: The player's result, as it would count now in an unfinished game.
        place: 1 for the best; players who share a place have the same. 0 in an unfinished game.
    """

    name: str
    is_forgotten: bool
    total: int
    place: int


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
        losers: Seats that lost, in a game that names losers.
        marked_rolls: Number of rolls that were corrected, entered by hand or in doubt.
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


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games a list has; an empty field is any."""

    player: str = ""
    game: str = ""
    status: GameStatus | Literal[""] = ""


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
class DiceStatistics:
    """
    Thrown dice; a die that stayed in the tray or was set by hand does not count.

    Attributes:
        rolls: Number of rolls.
        dice: Number of dice thrown in them.
        faces: How often 1, 2, ... 6 was thrown.
        by_colour: The same by the colour of the die, as read; the most frequent colour first.
        sums: How often each sum was thrown, by the number of dice of a full throw: pairs of the
            sum and its count, without gaps.
        chance: The probability that fair dice differ so much from equal shares, from 0 to 1;
            None below 30 dice.
    """

    rolls: int
    dice: int
    faces: tuple[int, int, int, int, int, int]
    by_colour: dict[str, tuple[int, int, int, int, int, int]]
    sums: dict[int, tuple[tuple[int, int], ...]]
    chance: float | None


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
        average: Mean result of all finished games, alone too.
        best: The best result, alone too.
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
    average: float
    best: int
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
    The best of a variant at this table; names are empty and numbers 0 if there is none.

    Attributes:
        game: Key of the game.
        title: Its name.
        variant: Its options in words.
        games: Finished games.
        average: Mean result of all players.
        best: The best result, `best_player` and `best_game` with it; None if higher is not better.
        record: The best positive result alone, with its player and game; None before the first.
    """

    game: str
    title: str
    variant: str
    games: int
    average: float
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


@dataclass(frozen=True, slots=True)
class PersonName:
    """
    A person for the official who renames or forgets them.

    Attributes:
        name: The newest spelling in the journal; the name to give to the gate.
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
            verify. Then the games before the fault are counted and nothing after it.
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


@dataclass(frozen=True, slots=True)
class NameChange:
    """Names that screens change: hidden ones, and new names by the old ones, by their looks."""

    hidden: frozenset[str] = frozenset()
    renamed: dict[str, str] = field(default_factory=dict)


class HistoryGate(Protocol):
    """
    The history of a running table; every method may be called from any thread.

    Answers come from the index. While it is building they cover the oldest games. A method that
    reads one game or the newest games first adds what the journal has beyond the index, so a game
    is there as soon as its last entry is on the disk. Names are compared as the eye does.
    """

    def read_progress(self) -> IndexProgress:
        """Return how far the index is."""
        ...

    def list_games(
        self, wanted: GameFilter = GameFilter(), *, offset: int = 0, limit: int = 20
    ) -> GamePage:
        """Return the games from `offset` on, the newest first."""
        ...

    def find_game(self, number: int) -> GameSummary | None:
        """Return a game by its number; None if there is none."""
        ...

    def read_rolls(self, number: int) -> GameRolls | None:
        """Return a game roll by roll, also one that is played now; None if there is none."""
        ...

    def list_players(self) -> tuple[PlayerEntry, ...]:
        """Return all players, the one with the newest game first."""
        ...

    def read_player(self, name: str) -> PlayerStatistics | None:
        """Return everything about a player; None if nobody is called so."""
        ...

    def compare_players(self, player: str, opponent: str) -> HeadToHead | None:
        """Return the games of two players against each other; None if either is unknown."""
        ...

    def read_table(self) -> TableStatistics:
        """Return everything about the table."""
        ...

    def list_names(self) -> tuple[PersonName, ...]:
        """Return all people by the names in the journal, for officials only."""
        ...

    def rename_player(self, name: str, shown: str) -> None:
        """
        Show another name for a person; the journal keeps the old one.

        A name that another person has makes both one person.

        Raises:
            InputError: Nobody is called so, the name is none, or both sat in the same game.
            OSError: The names cannot be saved.
        """
        ...

    def forget_player(self, name: str) -> None:
        """
        Hide a person on all screens; the journal keeps the name.

        Raises:
            InputError: Nobody is called so.
            OSError: The names cannot be saved.
        """
        ...

    def restore_name(self, name: str) -> None:
        """
        Undo a rename or a forgetting of the person with this name in the journal.

        Raises:
            InputError: Nobody is called so.
            OSError: The names cannot be saved.
        """
        ...
