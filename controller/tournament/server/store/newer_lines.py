# SPDX-License-Identifier: MIT
"""
Read what others have stored: each journal from where this process knows it to end.

Several servers may commit their lines in another order than that of the lines' numbers in the
database. So no number says up to where everything has come. But each journal has one order: a
server that adds to it locks its row until the commit. A reader that remembers the end of each
journal misses no line, and never sees one before the line that it follows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias

from sqlalchemy import JSON, Connection, bindparam, select, text

from controller.tournament.server.store.schema import BOXES, LINES
from controller.tournament.server.store.stored_event import NO_LINES, LostLinesError, StoredEvent
from controller.tournament.server.store.values import StoredLine

MOST_READ = 5000

Part: TypeAlias = tuple[int, int, int]
"""Lines of a journal, by its row: from a number on, up to before another one."""

_FIND_ALL = (
    select(LINES.c.arrival, BOXES.c.key, LINES.c.seq, LINES.c.line)
    .join(BOXES)
    .where(LINES.c.arrival > bindparam("after"))
    .order_by(LINES.c.arrival)
    .limit(MOST_READ)
)
_FIND_ENDS = select(BOXES.c.id, BOXES.c.key, BOXES.c.size, BOXES.c.link).order_by(BOXES.c.id)
_FIND_SOME_ENDS = _FIND_ENDS.where(BOXES.c.id.in_(bindparam("ids", expanding=True)))
_FIND_LINES = text(
    "SELECT lines.arrival, boxes.key, lines.seq, lines.line FROM json_each(:wanted) AS wanted"
    " JOIN lines ON lines.box = CAST(wanted.value ->> 0 AS INTEGER)"
    " AND lines.seq = CAST(wanted.value ->> 1 AS BIGINT)"
    " JOIN boxes ON boxes.id = lines.box ORDER BY lines.arrival"
).bindparams(bindparam("wanted", type_=JSON))
"""
Finds each line by its journal and its number, so that no long journal is read for its end.

One statement serves any number of lines; SQLite and PostgreSQL both have `json_each`.
"""


def read_all(connection: Connection) -> Iterator[list[StoredLine]]:
    """Yield the lines of all journals in one state of the database, at most `MOST_READ` at once."""
    after = 0
    while found := [StoredLine(*row) for row in connection.execute(_FIND_ALL, {"after": after})]:
        yield found
        after = found[-1].arrival


def iter_newer(
    connection: Connection,
    event: StoredEvent,
    journals: Collection[int] | None = None,
    but: Collection[str] = (),
) -> Iterator[list[StoredLine]]:
    """
    Yield the lines that an event does not have, some at a time, each after the one before it.

    Args:
        connection: Sees one state of the database, or holds the journals that matter.
        event: It must have applied what was yielded before it asks for more.
        journals: The rows to look at; None for all.
        but: The keys of journals that are left out.

    Raises:
        LostLinesError: The database misses lines that the event has.
    """
    if journals is None:
        if not event.ends:
            yield from read_all(connection)
        cursor = connection.execute(_FIND_ENDS).cursor
        assert cursor is not None, "it is a question"
        # Rows of SQLAlchemy would take four times as long, and there may be 10,000.
        rows = cursor.fetchall()
        if not event.ends.keys() <= {row[1] for row in rows}:
            raise LostLinesError
    else:
        rows = connection.execute(_FIND_SOME_ENDS, {"ids": list(journals)}).all()
    yield from read_parts(connection, find_parts(rows, event, but))


def find_parts(
    rows: Iterable[Sequence[Any]], event: StoredEvent, but: Collection[str] = ()
) -> list[Part]:
    """
    Return which lines an event does not have.

    Args:
        rows: Number, key, size and last link of journals.
        but: The keys of journals that are left out.

    Raises:
        LostLinesError: The database misses lines that the event has.
    """
    parts = []
    for number, key, size, link in rows:
        known = event.ends.get(key, NO_LINES)
        if (known.size == size and known.link == link) or key in but:
            continue
        if size <= known.size:
            raise LostLinesError
        parts.append((number, known.size, size))
    return parts


def read_parts(connection: Connection, parts: Iterable[Part]) -> Iterator[list[StoredLine]]:
    """Yield these lines, at most `MOST_READ` at a time; or LostLinesError."""
    each = ((journal, seq) for journal, first, end in parts for seq in range(first, end))
    while wanted := list(islice(each, MOST_READ)):
        rows = connection.execute(_FIND_LINES, {"wanted": dict(enumerate(wanted))})
        found = [StoredLine(*row) for row in rows]
        if len(found) < len(wanted):
            raise LostLinesError
        yield found
