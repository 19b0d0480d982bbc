# SPDX-License-Identifier: MIT
"""
The gate to a table's history: what pages and programs ask, and who may change names.

`controller.history.views` has the values of games, `statistics_views` those of players.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from controller.history.statistics_views import (
    HeadToHead,
    PlayerEntry,
    PlayerStatistics,
    TableStatistics,
)
from controller.history.views import ANY_GAME, GameFilter, GamePage, GameRolls, GameSummary


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
        self, wanted: GameFilter = ANY_GAME, *, offset: int = 0, limit: int = 20
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
        """Return everything about a player; None if there is no such player."""
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
            InputError: There is no such person, the name is none, or both sat in the same game.
            OSError: The names cannot be saved.
        """
        ...

    def forget_player(self, name: str) -> None:
        """
        Hide a person on all screens; the journal keeps the name.

        Raises:
            InputError: There is no such person.
            OSError: The names cannot be saved.
        """
        ...

    def restore_name(self, name: str) -> None:
        """
        Undo a rename or a forgetting of the person with this name in the journal.

        Raises:
            InputError: There is no such person.
            OSError: The names cannot be saved.
        """
        ...
