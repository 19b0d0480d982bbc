# SPDX-License-Identifier: MIT
"""
Open the database of an event: SQLite in its data folder, or PostgreSQL by its address.

A commit counts only once it is on the disk: SQLite writes its log with fsync (WAL, synchronous
FULL), and PostgreSQL must not be set otherwise. In SQLite every transaction that writes begins as
a writer, because one that becomes a writer later can be refused in the middle.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from controller.base.durable_files import PRIVATE, fsync_folder, tighten
from controller.base.errors import InputError
from controller.tournament.server.event_folders import EVENT_FILE
from controller.tournament.server.store import migrations

if TYPE_CHECKING:
    from controller.tournament.server.store.postgresql import PostgresqlAddress

BUSY_TIMEOUT_S = 10
_WRITES = "dicebell_writes"
_NOT_SHOWN = re.compile(r"//[^@/]*@")
_LONGEST_REASON = 400
# Servers that begin one new database at the same time do so one after the other.
_BEGINNING_LOCK = 0x64696365


class Database:
    """
    The database; any thread may use it.

    Args:
        folder: The data folder, which holds it unless `url` names another one.
        url: Such as `postgresql://user@host/event`, or `sqlite:///` and a path; empty for SQLite
            in the folder.

    Raises:
        InputError: The address is malformed or needs a driver that is not installed.
    """

    def __init__(self, folder: Path, url: str = "") -> None:
        self._folder = None if url else folder
        self.postgresql = _parse_postgresql(url)
        if self.postgresql is not None:
            self._engine, self.name = self.postgresql.create_engine(), self.postgresql.name
        else:
            self._engine = _create_sqlite(url or f"sqlite:///{folder / EVENT_FILE}")
            self.name = self._engine.url.render_as_string(hide_password=True)

    def open(self) -> None:
        """Bring its tables up to date; SQLAlchemyError, or InputError after a later version."""
        self._protect_file()
        with self.write() as connection:
            self.lock_beginning(connection)
            _migrate(connection)
        if self._folder is not None:
            fsync_folder(self._folder)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Give a connection that writes, durable at the end; or SQLAlchemyError, or OSError."""
        with self._connect() as connection:
            writing = connection.execution_options(**{_WRITES: True})
            with writing.begin():
                yield writing
                warnings: list[str] = writing.info.setdefault("warnings", [])
                warnings.clear()
            if warnings:
                # The wait for the replicas can be ended from outside: a success with a warning.
                raise OSError(f"PostgreSQL warns after a commit: {warnings[0]}")

    def lock_beginning(self, connection: Connection) -> None:
        """Let one server at a time begin a database, until the end of the transaction."""
        if self.postgresql is not None:
            lock = text("SELECT pg_advisory_xact_lock(:number)")
            connection.execute(lock, {"number": _BEGINNING_LOCK})

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the database."""
        with self._connect() as connection:
            if self.postgresql is not None:
                options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
                connection = connection.execution_options(**options)
            with connection.begin():
                yield connection

    def disconnect(self) -> None:
        """Close all connections; the next use opens new ones."""
        self._engine.dispose()

    def _protect_file(self) -> None:
        """Let only the owner read the file of SQLite; the files beside it get its permissions."""
        name = self._engine.url.database
        if not name or name.startswith((":memory:", "file:")):
            return
        # SQLite itself says best what is wrong with a file.
        with suppress(OSError):
            os.close(os.open(name, os.O_RDONLY | os.O_CREAT, PRIVATE))
        # Desks of two accounts may share a file that is not in a data folder.
        mode = PRIVATE if self._folder is not None else PRIVATE | 0o060
        for end in ("", "-wal", "-shm"):
            tighten(Path(f"{name}{end}"), mode)

    @contextmanager
    def _connect(self) -> Iterator[Connection]:
        pool = self._engine.pool
        with self._engine.connect() as connection:
            try:
                yield connection
            finally:
                if self._engine.pool is not pool:
                    # Another thread has disconnected meanwhile, and this one was left out.
                    connection.invalidate()


def describe_failure(error: Exception) -> str:
    """Return the reason of a failed transaction, in one line and without a password."""
    reason = error.orig if isinstance(error, DBAPIError) and error.orig else error
    what = " ".join(str(reason).split()) or type(reason).__name__
    return _NOT_SHOWN.sub("//", what)[:_LONGEST_REASON]


def _parse_postgresql(url: str) -> PostgresqlAddress | None:
    """Return the address of a PostgreSQL; None if it is another database."""
    if not url.startswith(("postgresql:", "postgres:")):
        return None
    try:
        import psycopg

        from controller.tournament.server.store.postgresql import PostgresqlAddress
    except ImportError as error:
        expected = "psycopg, the driver of PostgreSQL: pip install 'psycopg[binary]'"
        raise InputError(expected=expected, found=str(error), where="--database") from error
    try:
        return PostgresqlAddress(url)
    except psycopg.Error as error:
        raise _refuse_address(error) from error


def _create_sqlite(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() != "sqlite":
            raise ArgumentError(f"a database of the kind {parsed.get_backend_name()}")
        engine = create_engine(parsed, connect_args={"timeout": BUSY_TIMEOUT_S})
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        raise _refuse_address(error) from error
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _refuse_address(error: Exception) -> InputError:
    expected = "a database such as postgresql://user@host/event"
    return InputError(expected=expected, found=describe_failure(error), where="--database")


def _set_up_sqlite(connection: PoolProxiedConnection, record: ConnectionPoolEntry) -> None:
    # The driver would begin transactions by itself, and too late.
    connection.isolation_level = None  # type: ignore[attr-defined]
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _migrate(connection: Connection) -> None:
    folder = Path(migrations.__file__).parent
    script = ScriptDirectory(folder, version_locations=[folder])

    def list_steps(revision: object, context: MigrationContext) -> object:
        return script._upgrade_revs("head", revision)  # type: ignore[arg-type]

    context = MigrationContext.configure(connection, opts={"fn": list_steps})
    found = context.get_current_revision()
    known = [step.revision for step in script.walk_revisions()]
    if found is not None and found not in known:
        expected = f"a database of step {known[0]} or before"
        raise InputError(expected=expected, found=f"step {found}, of a later dicebell")
    with Operations.context(context):
        context.run_migrations()


__all__ = ["Database", "SQLAlchemyError", "describe_failure"]
