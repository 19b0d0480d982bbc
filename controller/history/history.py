# SPDX-License-Identifier: MIT
"""
The history of one data folder: answers from the index, and names as screens show them.

Answers are kept until the index or a name changes.
"""

from __future__ import annotations

import sqlite3
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.base.logs import Log
from controller.base.rebuilt_database import list_marks
from controller.games.player_names import require_name
from controller.history import game_queries, player_queries, views
from controller.history.index.journal_index import HistoryIndex
from controller.history.name_book import NameBook
from controller.history.people import People, Person

NEAR_BYTES = 256 * 1024
"""A reader waits for this much of the journal at most: some hundred entries, some 0.1 s."""

_Answer = TypeVar("_Answer")
_LOG = Log("history")


class TableHistory:
    """
    The history of a data folder; any thread may use it.

    Answers come from the index. While it is building they cover the oldest games. A method that
    reads one game or the newest games first adds what the journal has beyond the index, so a game
    is there as soon as its last entry is on the disk. Names are compared as the eye does.

    Args:
        in_memory: Whether the folder is only read.
    """

    def __init__(self, folder: Path, *, in_memory: bool = False) -> None:
        self.names = NameBook(folder)  # The names that screens show.
        self.index = HistoryIndex(folder, in_memory=in_memory)
        self._answers: dict[Any, Any] = {}
        self._answered: tuple[object, ...] = ()
        self._lock = threading.Lock()

    def list_games(
        self, wanted: views.GameFilter = views.ANY_GAME, *, offset: int = 0, limit: int = 20
    ) -> views.GamePage:
        """Return the games from `offset` on, the newest first."""
        self._refresh()

        def read(db: sqlite3.Connection, people: People) -> views.GamePage:
            found = game_queries.list_games(db, people, wanted, offset=offset, limit=limit)
            return views.GamePage(tuple(self._newest(game, people) for game in found[0]), found[1])

        return self._ask(read) or views.GamePage((), 0)

    def find_game(self, number: int) -> views.GameSummary | None:
        rolls = self.read_rolls(number)
        return rolls.summary if rolls else None

    def read_rolls(self, number: int) -> views.GameRolls | None:
        """Return a game roll by roll, also one that is played now; None if there is none."""
        self._refresh()

        def read(db: sqlite3.Connection, people: People) -> views.GameRolls | None:
            last = self.index.last_game
            if last is not None and last.number == number:
                return game_queries.read_open_rolls(last, people)
            return game_queries.read_rolls(db, people, number)

        return self._ask(read)

    def find_first_byte(self, number: int) -> int | None:
        """Return the position of a game in the journal's file; None if there is none."""
        self._refresh()

        def read(db: sqlite3.Connection, people: People) -> int | None:
            last = self.index.last_game
            if last is not None and last.number == number:
                return self.index.last_start.byte
            return game_queries.find_first_byte(db, number)

        return self._ask(read)

    def list_players(self) -> tuple[views.PlayerEntry, ...]:
        """Return all players, the one with the newest game first."""
        return self._remember("players", player_queries.list_players) or ()

    def read_player(self, name: str) -> views.PlayerStatistics | None:
        """Return everything about a player; None if there is no such player."""
        return self._remember(
            ("player", name), lambda db, people: player_queries.read_player(db, people, name)
        )

    def compare_players(self, player: str, opponent: str) -> views.HeadToHead | None:
        """Return the games of two players against each other; None if either is unknown."""
        return self._remember(
            ("pair", player, opponent),
            lambda db, people: player_queries.compare_players(db, people, player, opponent),
        )

    def read_table(self) -> views.TableStatistics:
        answer = self._remember("table", player_queries.read_table)
        return answer or player_queries.EMPTY_TABLE

    def list_names(self) -> tuple[views.PersonName, ...]:
        """Return all people by the names in the journal, for officials only."""
        people = self._read_people()
        hidden = self.names.names.hidden
        return tuple(
            views.PersonName(one.name, one.shown, one.look in hidden, one.games)
            for one in people.all
        )

    def rename_player(self, name: str, shown: str) -> None:
        """
        Show another name for a person; the journal keeps the old one.

        A name that another person has makes both one. InputError if there is no such person, the
        name is none, or both sat in the same game. OSError if the names cannot be saved.
        """
        person, shown = self._require_person(name), require_name(shown)
        others = [look for look in self._read_people().find_looks(shown) if look != person.look]
        if game := self._ask(lambda db, people: _find_common_game(db, person.look, others)):
            raise InputError(
                expected=message("the name of somebody who did not play in the same game"),
                found=message("{name}, in game {number}", name=shown, number=game),
            )
        self.names.rename(person.look, shown)

    def forget_player(self, name: str) -> None:
        """Hide a person on all screens, not in the journal; InputError or OSError if that fails."""
        self.names.hide(self._require_person(name).look)

    def restore_name(self, name: str) -> None:
        """Undo a rename or a forgetting, by the name in the journal; InputError, OSError."""
        self.names.restore(self._require_person(name).look)

    def _require_person(self, name: str) -> Person:
        person = self._read_people().find_in_journal(name)
        if person is None:
            expected = message("the name of somebody who played here")
            raise InputError(expected=expected, found=repr(name))
        return person

    def _read_people(self) -> People:
        self._refresh()
        return self._ask(lambda db, people: people) or People((), self.names.names)

    def _newest(self, game: views.GameSummary, people: People) -> views.GameSummary:
        """Return the game as far as the journal goes; only that of the last one changes."""
        last = self.index.last_game
        is_last = last is not None and last.number == game.number
        return game_queries.summarize_open(last, people) if last and is_last else game

    def _refresh(self) -> None:
        """Add the newest entries to the index, unless there are too many to wait for."""
        if self.index.bytes_left > NEAR_BYTES:
            return
        try:
            self.index.catch_up()
        except (sqlite3.Error, OSError) as error:
            _LOG.warning("history not updated", error=str(error))

    def _remember(
        self, key: object, read: Callable[[sqlite3.Connection, People], _Answer]
    ) -> _Answer | None:
        """Return an answer of before, if nothing has changed since."""
        self._refresh()
        state = (self.index.commits, self.names.names)
        with self._lock:
            if state != self._answered:
                self._answers.clear()
                self._answered = state
            if key in self._answers:
                return cast("_Answer", self._answers[key])
        answer = self._ask(read)
        with self._lock:
            if state == self._answered:
                self._answers[key] = answer
        return answer

    def _ask(self, read: Callable[[sqlite3.Connection, People], _Answer]) -> _Answer | None:
        """Return an answer of the index; None before it is checked, and if it cannot be read."""
        with self.index.lock:
            if not self.index.is_checked:
                return None
            try:
                db = self.index.store.db
                return read(db, People.read(db, self.names.names))
            except (sqlite3.Error, zlib.error, ValueError) as error:
                # The file was damaged after it was checked.
                _LOG.warning("history not read", error=str(error))
                self.index.report_damage()
                return None


def _find_common_game(db: sqlite3.Connection, look: str, others: list[str]) -> int:
    row = db.execute(
        "SELECT a.number FROM seats a JOIN seats b USING (number)"
        f" WHERE a.look = ? AND b.look IN ({list_marks(others)}) LIMIT 1",
        (look, *others),
    ).fetchone()
    return row[0] if row else 0
