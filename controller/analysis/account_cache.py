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
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

CACHE_FILE = ".accounts.db"
"""In the data folder; hidden, so that no backup contains it."""

_VERSION = 1
"""Raise it when accounts are computed in another way."""

_CREATE = (
    "CREATE TABLE IF NOT EXISTS accounts"
    " (game TEXT PRIMARY KEY, knowledge TEXT, account TEXT, sums TEXT) WITHOUT ROWID"
)
_ASKED_AT_ONCE = 500


class AccountCache:
    """
    The accounts of one data folder, by the name of a game; any thread may use them.

    A cache that cannot be written, or is damaged, is in memory only.

    Args:
        folder: The data folder.
    """

    def __init__(self, folder: Path) -> None:
        self._lock = threading.Lock()
        self._db = _open_database(folder / CACHE_FILE)

    def find(self, game: str) -> Mapping[str, Any] | None:
        """Return an encoded account; None if it must be computed."""
        rows = self._read("account", [game])
        return rows.get(game)

    def find_sums(self, games: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
        """Return unit and encoded players of the accounts that are there, by game."""
        found: dict[str, Mapping[str, Any]] = {}
        for place in range(0, len(games), _ASKED_AT_ONCE):
            found |= self._read("sums", games[place : place + _ASKED_AT_ONCE])
        return found

    def keep(self, game: str, account: Mapping[str, Any]) -> None:
        """Keep an encoded account."""
        sums = {key: account[key] for key in ("unit", "players")}
        row = (game, name_knowledge(), json.dumps(account), json.dumps(sums))
        with self._lock, contextlib.suppress(sqlite3.Error), self._db:
            self._db.execute("REPLACE INTO accounts VALUES (?, ?, ?, ?)", row)

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _read(self, column: str, games: Sequence[str]) -> dict[str, Any]:
        marks = ", ".join("?" for _ in games)
        query = f"SELECT game, {column} FROM accounts WHERE knowledge = ? AND game IN ({marks})"
        try:
            with self._lock:
                rows = self._db.execute(query, (name_knowledge(), *games)).fetchall()
            return {game: json.loads(text) for game, text in rows}
        except (sqlite3.Error, ValueError):
            return {}


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


def _open_database(path: Path) -> sqlite3.Connection:
    """Open the file, a new one if it is damaged; a database in memory if it cannot be written."""
    for _ in range(2):
        try:
            return _connect(str(path))
        except sqlite3.OperationalError:
            break
        except sqlite3.DatabaseError:
            path.unlink(missing_ok=True)
    return _connect(":memory:")


def _connect(target: str) -> sqlite3.Connection:
    db = sqlite3.connect(target, check_same_thread=False)
    try:
        db.execute(_CREATE)
    except sqlite3.Error:
        db.close()
        raise
    return db
