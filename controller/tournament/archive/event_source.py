# SPDX-License-Identifier: MIT
"""Read an event from its database for an archive, in one state and without writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, inspect, select

from controller.base.errors import InputError
from controller.journal.hashchain import BrokenEntryError, Entry, decode_entry
from controller.tournament.server.event_folders import EVENT_FILE
from controller.tournament.server.store.box_queries import (
    StoredCosignature,
    list_cosignatures,
    read_journal_lines,
)
from controller.tournament.server.store.database import (
    Database,
    SQLAlchemyError,
    describe_failure,
)
from controller.tournament.server.store.schema import BOXES, COSIGNATURES, FORKS
from controller.tournament.server.store.values import BoxState
from controller.tournament.state.state import EventState

_MOST_READ = 1000


class SourceJournal(NamedTuple):
    key: str
    name: str
    state: str
    lines: int
    note: str  # Its newest checkpoint as a signed note; empty before the first.

    @property
    def is_own(self) -> bool:
        return self.state == BoxState.OWN.value


class EventSource:
    """One state of an event, by a connection in a transaction that sees one state."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def list_journals(self) -> tuple[SourceJournal, ...]:
        """Return the event's own journal and those of its tables, by key."""
        columns = (BOXES.c.key, BOXES.c.name, BOXES.c.state, BOXES.c.size, BOXES.c.note)
        rows = self.connection.execute(
            select(*columns).where(BOXES.c.state != BoxState.PENDING.value).order_by(BOXES.c.key)
        )
        return tuple(SourceJournal(*row) for row in rows)

    def iter_lines(self, journal: SourceJournal) -> Iterator[bytes]:
        """Yield the lines of a journal without their newlines."""
        first = 0
        while True:
            lines = read_journal_lines(self.connection, journal.key, first, _MOST_READ)
            yield from lines
            first += len(lines)
            if len(lines) < _MOST_READ:
                return

    def read_event(self) -> EventState:
        """Return the event as its own journal gives it."""
        state = EventState()
        state.apply_all(self.iter_own_entries())
        return state

    def iter_own_entries(self) -> Iterator[Entry]:
        """Yield the entries of the event's own journal; InputError at a damaged line."""
        try:
            for journal in self.list_journals():
                if journal.is_own:
                    yield from map(decode_entry, self.iter_lines(journal))
        except BrokenEntryError as error:
            raise InputError(expected="the journal of an event", found=error.what) from error

    def list_forks(self, journal: SourceJournal) -> tuple[bytes, ...]:
        """Return the other lines that a table sent for numbers that have a line."""
        rows = select(FORKS.c.line).join(BOXES).where(BOXES.c.key == journal.key)
        ordered = rows.order_by(FORKS.c.seq, FORKS.c.digest)
        return tuple(self.connection.execute(ordered).scalars())

    def list_cosignatures(self) -> tuple[StoredCosignature, ...]:
        """Return what the tables cosigned; nothing in a database from before there were any."""
        if not inspect(self.connection).has_table(COSIGNATURES.name):
            return ()
        return list_cosignatures(self.connection)


@contextmanager
def open_event_source(folder: Path, url: str | None = None) -> Iterator[EventSource]:
    """
    Give one state of an event, by its folder or an address.

    Args:
        url: The address; empty for none, and None where the command takes none.

    Raises:
        InputError: There is no event.
    """
    path = folder / EVENT_FILE
    if not url and not path.is_file():
        expected = "the data folder of `dicebell desk`" + ("" if url is None else ", or --database")
        raise InputError(expected=expected, found=f"no {EVENT_FILE}", where=str(folder))
    database = Database(folder, url or "")
    try:
        with database.read() as connection:
            yield EventSource(connection)
    except SQLAlchemyError as error:
        expected, found = "the database of an event", describe_failure(error)
        raise InputError(expected=expected, found=found, where=database.name) from error
    finally:
        database.disconnect()
