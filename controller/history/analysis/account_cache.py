# SPDX-License-Identifier: MIT
"""
Accounts that were computed, in a small database of the data folder.

It holds nothing that the journal and the weights do not give again, and no names: players are
numbered by their seats. So it may be deleted at any time, and no backup contains it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from controller.base.rebuilt_database import delete_database, is_damage, list_marks, open_database

CACHE_FILE = ".accounts.db"  # In the data folder; hidden, so that no backup contains it.

_VERSION = 3  # Raise it when accounts are computed or written in another way.

_TABLES = (
    "CREATE TABLE accounts"
    " (game TEXT PRIMARY KEY, knowledge TEXT, account TEXT, sums TEXT) WITHOUT ROWID;"
)
_ASKED_AT_ONCE = 500


class AccountCache:
    """
    The accounts of one data folder, by the name of a game; any thread may use them.

    What cannot be written is in memory only, and a damaged file is replaced by a new one. The file
    is open for each question alone, so it may be deleted while the table runs.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / CACHE_FILE
        self._memory: dict[str, _Row] = {}

    def find(self, game: str) -> Mapping[str, Any] | None:
        """Return an encoded account; None if it must be computed."""
        return self._read("account", [game]).get(game)

    def find_sums(self, games: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
        """Return unit and encoded players of the accounts that are there, by game."""
        found: dict[str, Mapping[str, Any]] = {}
        for place in range(0, len(games), _ASKED_AT_ONCE):
            found |= self._read("sums", games[place : place + _ASKED_AT_ONCE])
        return found

    def keep(self, game: str, account: Mapping[str, Any]) -> None:
        sums = {key: account[key] for key in ("unit", "players")}
        row = _Row(_seal(account), _seal(sums))
        values = (game, name_knowledge(), row.account, row.sums)
        if self._execute("REPLACE INTO accounts VALUES (?, ?, ?, ?)", values) is None:
            self._memory[game] = row

    def _read(self, column: Literal["account", "sums"], games: Sequence[str]) -> dict[str, Any]:
        query = (
            f"SELECT game, {column} FROM accounts"
            f" WHERE knowledge = ? AND game IN ({list_marks(games)})"
        )
        found = {
            game: getattr(self._memory[game], column) for game in games if game in self._memory
        }
        if self._path.exists():
            found |= self._execute(query, (name_knowledge(), *games)) or ()
        opened = {game: _open_seal(text) for game, text in found.items()}
        return {game: value for game, value in opened.items() if value is not None}

    def _execute(self, statement: str, values: Sequence[str]) -> list[Any] | None:
        """Return the rows of a statement; None if the file cannot be used, in a new one neither."""
        with contextlib.suppress(OSError, sqlite3.Error):
            try:
                return self._execute_once(statement, values)
            except sqlite3.DatabaseError as error:
                if is_damage(error):
                    delete_database(self._path)
                    return self._execute_once(statement, values)
        return None

    def _execute_once(self, statement: str, values: Sequence[str]) -> list[Any]:
        with contextlib.closing(open_database(self._path, _TABLES)) as db:
            return db.execute(statement, values).fetchall()


@dataclass(frozen=True, slots=True)
class _Row:
    """An account and its sums, sealed."""

    account: str
    sums: str


def _seal(value: Mapping[str, Any]) -> str:
    """Return a value as JSON behind its digest: SQLite does not notice a changed byte."""
    text = json.dumps(value)
    return hashlib.sha256(text.encode()).hexdigest() + text


def _open_seal(sealed: object) -> Any:
    """Return a value of `_seal`; None if it was damaged."""
    digest, text = (sealed[:64], sealed[64:]) if isinstance(sealed, str) else ("", "")
    is_whole = digest == hashlib.sha256(text.encode()).hexdigest()
    return json.loads(text) if is_whole else None


@cache
def name_knowledge() -> str:
    """Return a digest of all weights: with others, every account is computed again."""
    digest = hashlib.sha256(f"accounts {_VERSION}\n".encode())
    folder = resources.files("controller.coach") / "weights"
    files = folder.iterdir() if folder.is_dir() else ()
    for file in sorted(files, key=lambda one: one.name):
        if file.name.endswith(".npz"):
            digest.update(file.name.encode() + b"\n" + file.read_bytes())
    return digest.hexdigest()
