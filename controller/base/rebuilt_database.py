# SPDX-License-Identifier: MIT
"""
Open a SQLite file whose content can be made again, such as an index or a cache.

Such a file is worth no error: one that is damaged or of another version is replaced by an empty
one. Only a file that is in use, or a disk that refuses, is the caller's to handle.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sized
from functools import cache
from pathlib import Path

TRANSACTION_SUFFIXES = ("-journal", "-wal", "-shm")
"""What SQLite appends to the name of a database for the files of its transactions."""
BUSY_TIMEOUT_S = 10.0
_REFUSALS = frozenset(
    {
        *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL),
        *(sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT),
    }
)
_SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"


def open_database(path: Path | None, tables: str, version: int = 0) -> sqlite3.Connection:
    """
    Open a database that has exactly these tables, in autocommit mode; an empty one if need be.

    Without a path it is in memory. `version` is that of what is in the tables. sqlite3.Error if
    the file is in use, or the disk refuses; OSError if it cannot be replaced.
    """
    try:
        return _open(path, tables, version)
    except sqlite3.DatabaseError as error:
        if path is None or not is_damage(error):
            raise
    delete_database(path)
    return _open(path, tables, version)


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Open a database, perhaps another's, unchecked and unchanged; sqlite3.Error if it fails."""
    _require_file(path)
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_S)


def list_marks(values: Sized) -> str:
    """Return the marks of these values in a statement, such as `?, ?, ?`."""
    return ", ".join("?" * len(values))


def delete_database(path: Path) -> None:
    """Delete a database and the files of a transaction that a power cut left."""
    for name in (path, *(path.with_name(path.name + suffix) for suffix in TRANSACTION_SUFFIXES)):
        name.unlink(missing_ok=True)


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether another file would help: this one is not in use, and the disk works."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return code & 0xFF not in _REFUSALS


def require_schema(db: sqlite3.Connection, tables: str, version: int) -> None:
    """Check that a database has exactly these tables; sqlite3.DatabaseError if it has not."""
    if _read_schema(db) != _build_schema(tables, version):
        raise sqlite3.DatabaseError("a database of another version")


def _open(path: Path | None, tables: str, version: int) -> sqlite3.Connection:
    if path is not None and path.exists():
        _require_file(path)
    db = sqlite3.connect(
        path or ":memory:", timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )
    try:
        # A commit may be lost in a power cut, but no transaction is ever half on the disk.
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("BEGIN IMMEDIATE")
        if _read_schema(db) == (0, []):
            _create(db, tables, version)
        require_schema(db, tables, version)
        db.commit()
    except sqlite3.Error:
        db.close()
        raise
    return db


def _require_file(path: Path) -> None:
    # SQLite would wait for the other end of a pipe.
    if not path.is_file():
        raise sqlite3.DatabaseError(f"expected a file, found something else at {path}")


def _create(db: sqlite3.Connection, tables: str, version: int) -> None:
    for statement in tables.split(";"):
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {version}")


def _read_schema(db: sqlite3.Connection) -> tuple[int, list[tuple[str, ...]]]:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return version, db.execute(_SCHEMA).fetchall()


@cache
def _build_schema(tables: str, version: int) -> tuple[int, list[tuple[str, ...]]]:
    db = sqlite3.connect(":memory:")
    try:
        _create(db, tables, version)
        return _read_schema(db)
    finally:
        db.close()
