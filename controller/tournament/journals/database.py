# SPDX-License-Identifier: MIT
"""
Open the database of an event: SQLite in its data folder, or any other by its address.

A commit counts only once it is on the disk: SQLite writes its log with fsync (WAL, synchronous
FULL), PostgreSQL does so by default. Every transaction that writes begins as a writer, because
one that becomes a writer later can be refused in the middle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from controller.durable_files import fsync_folder
from controller.errors import InputError
from controller.tournament import migrations

FILE_NAME = "event.sqlite"
BUSY_TIMEOUT_S = 10
READERS = 8
_WRITES = "dicebell_writes"
_NOT_SHOWN = re.compile(r"//[^@/]*@")


class Database:
    """
    The database; any thread may use it.

    Args:
        folder: The data folder, which holds it unless `url` names another one.
        url: As SQLAlchemy names databases, such as `postgresql://user@host/event`; empty for
            SQLite in the folder.

    Raises:
        InputError: The address is malformed or needs a driver that is not installed.
    """

    def __init__(self, folder: Path, url: str = "") -> None:
        self._folder = None if url else folder
        self._engine = _create_engine(url or f"sqlite:///{folder / FILE_NAME}")

    @property
    def name(self) -> str:
        """Its address without a password."""
        return self._engine.url.render_as_string(hide_password=True)

    def open(self) -> None:
        """
        Bring its tables up to date.

        Raises:
            SQLAlchemyError: It cannot be reached or written.
            InputError: A later version wrote it.
        """
        with self.write() as connection:
            _migrate(connection)
        if self._folder is not None:
            fsync_folder(self._folder)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Give a connection in a transaction that writes; it is durable when the block ends."""
        with self._engine.connect() as connection:
            writing = connection.execution_options(**{_WRITES: True})
            with writing.begin():
                yield writing

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the database."""
        with self._engine.connect() as connection, connection.begin():
            yield connection

    def disconnect(self) -> None:
        """Close all connections; the next use opens new ones."""
        self._engine.dispose()


def describe_failure(error: Exception) -> str:
    """Return the reason of a failed transaction, in one line and without a password."""
    reason = error.orig if isinstance(error, DBAPIError) and error.orig else error
    text = " ".join(str(reason).split()) or type(reason).__name__
    return _NOT_SHOWN.sub("//", text)


def _create_engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.drivername == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        if parsed.get_backend_name() == "sqlite":
            engine = create_engine(parsed, connect_args={"timeout": BUSY_TIMEOUT_S})
            event.listen(engine, "connect", _set_up_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        return create_engine(parsed, pool_size=READERS, pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        expected = "a database such as postgresql://user@host/event, and its driver"
        found = " ".join(str(error).split())
        raise InputError(expected=expected, found=found, where="--database") from error


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
    """Bring the tables up to date, in the transaction of a connection."""
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
