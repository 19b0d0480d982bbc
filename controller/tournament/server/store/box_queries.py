# SPDX-License-Identifier: MIT
"""Questions about the journals of an event, the pictures that it asks for, and cosignatures."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from controller.base.errors import InputError
from controller.games.player_names import compute_look
from controller.tournament.server.store.batch import JournalHead
from controller.tournament.server.store.schema import (
    BOXES,
    CODE,
    COSIGNATURES,
    COUNTERS,
    FLAWS,
    FORKS,
    LINES,
    PICTURES,
    WANTED,
)
from controller.tournament.server.store.values import BoxState, JournalView, build_unknown_error

MOST_PICTURE_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class StoredCosignature:
    """What a table cosigned last."""

    box: str  # The table's key in hexadecimal.
    size: int  # The size of the event's checkpoint.
    root: bytes  # Its root, 32 bytes.
    cosignature: bytes  # The time and the signature, 72 bytes.


def find_box(connection: Connection, key: str) -> JournalView | None:
    """Return a journal as it stands; `None` if the key is unknown."""
    row = connection.execute(select(BOXES).where(BOXES.c.key == key)).first()
    return _view_journal(connection, row) if row else None


def find_state(connection: Connection, key: str) -> BoxState | None:
    """Return whose a journal is; `None` if the key is unknown."""
    found = connection.execute(select(BOXES.c.state).where(BOXES.c.key == key)).scalar()
    return BoxState(found) if found is not None else None


def list_table_journals(connection: Connection) -> tuple[JournalView, ...]:
    """Return all journals but the event's own, by name."""
    rows = connection.execute(
        select(BOXES).where(BOXES.c.state != BoxState.OWN.value).order_by(BOXES.c.name, BOXES.c.id)
    ).all()
    return tuple(_view_journal(connection, row) for row in rows)


def find_named(connection: Connection, name: str) -> str | None:
    """Return the key of the enrolled table whose name looks the same; `None` if there is none."""
    enrolled = BOXES.c.state == BoxState.ENROLLED.value
    # A table that has got another key has an earlier one of the same name.
    found = select(BOXES.c.key, BOXES.c.name).where(enrolled).order_by(BOXES.c.id.desc())
    rows, look = connection.execute(found), compute_look(name)
    return next((row.key for row in rows if compute_look(row.name) == look), None)


def read_journal_lines(
    connection: Connection, key: str, first: int, most: int
) -> tuple[bytes, ...]:
    """Return lines of one journal from a number on, `most` of them."""
    found = (
        select(LINES.c.line)
        .join(BOXES)
        .where(BOXES.c.key == key, LINES.c.seq >= first)
        .order_by(LINES.c.seq)
        .limit(most)
    )
    return tuple(connection.execute(found).scalars())


def want_pictures(connection: Connection, key: str, digests: Iterable[str]) -> None:
    """Ask a table for pictures that the event does not have."""
    journal = _require_id(connection, key)
    wanted = set(digests)
    for column in (PICTURES.c.digest, WANTED.c.digest):
        wanted -= set(connection.execute(select(column).where(column.in_(wanted))).scalars())
    if wanted:
        rows = [{"box": journal, "digest": digest} for digest in sorted(wanted)]
        connection.execute(insert(WANTED), rows)


def store_picture(connection: Connection, key: str, digest: str, content: bytes) -> None:
    """Store a picture, once; InputError if it was not wanted, or has another digest."""
    found = hashlib.sha256(content).hexdigest()
    if not hmac.compare_digest(found, digest):
        raise InputError(expected=f"a picture with the digest {digest}", found=found)
    journal = _require_id(connection, key)
    asked = (WANTED.c.box == journal) & (WANTED.c.digest == digest)
    has_it = select(PICTURES.c.digest).where(PICTURES.c.digest == digest)
    if connection.execute(has_it).first():
        # Another server may have stored it while this table was asked too.
        connection.execute(delete(WANTED).where(asked))
        return
    if not connection.execute(select(WANTED.c.digest).where(asked)).first():
        raise InputError(expected="a picture that was asked for", found=digest)
    connection.execute(insert(PICTURES), {"digest": digest, "box": journal, "content": content})
    connection.execute(delete(WANTED).where(asked))


def read_picture(connection: Connection, digest: str) -> bytes | None:
    """Return a picture; `None` if the event does not have it."""
    found = select(PICTURES.c.content).where(PICTURES.c.digest == digest)
    return connection.execute(found).scalar()


def store_cosignature(connection: Connection, made: StoredCosignature) -> None:
    """Keep a cosignature, unless the table has cosigned a larger checkpoint."""
    found = select(BOXES.c.id).where(BOXES.c.key == made.box)
    table = connection.execute(found).scalar_one()
    of_table = COSIGNATURES.c.box == table
    known = connection.execute(select(COSIGNATURES.c.size).where(of_table)).scalar()
    if known is not None and known > made.size:
        return
    connection.execute(delete(COSIGNATURES).where(of_table))
    row = {
        "box": table,
        "size": made.size,
        "root": made.root.hex(),
        "cosignature": made.cosignature,
    }
    connection.execute(insert(COSIGNATURES), row)


def list_cosignatures(connection: Connection) -> tuple[StoredCosignature, ...]:
    """Return the newest cosignature of every table, by key."""
    columns = (COSIGNATURES.c.size, COSIGNATURES.c.root, COSIGNATURES.c.cosignature)
    found = connection.execute(select(BOXES.c.key, *columns).join(BOXES).order_by(BOXES.c.key))
    return tuple(
        StoredCosignature(row.key, row.size, bytes.fromhex(row.root), row.cosignature)
        for row in found
    )


def read_code_number(connection: Connection) -> int:
    """Return how many codes came before the one with which tables enrol."""
    return read_counter(connection, CODE)


def renew_code(connection: Connection) -> None:
    increase_counter(connection, CODE)


def name_fork_counter(journal: int) -> str:
    """Return the name of the counter of further lines that a table sent for known numbers."""
    return f"{FORKS.name} {journal}"


def read_counter(connection: Connection, name: str) -> int:
    """Return what was counted; 0 before the first time."""
    return connection.execute(select(COUNTERS.c.value).where(COUNTERS.c.name == name)).scalar() or 0


def increase_counter(connection: Connection, name: str) -> None:
    of_name = COUNTERS.c.name == name
    counted = update(COUNTERS).where(of_name).values(value=COUNTERS.c.value + 1)
    if not connection.execute(counted).rowcount:
        connection.execute(insert(COUNTERS), {"name": name, "value": 1})


def _require_id(connection: Connection, key: str) -> int:
    found = connection.execute(select(BOXES.c.id).where(BOXES.c.key == key)).scalar()
    if found is None:
        raise build_unknown_error(key)
    return int(found)


def read_head(row: Row[Any]) -> JournalHead:
    """Return where the journal of a row of `BOXES` ends."""
    return JournalHead(row.size, row.link, row.signer, row.subtrees, row.note)


def _view_journal(connection: Connection, row: Row[Any]) -> JournalView:
    forks = select(FORKS.c.seq).where(FORKS.c.box == row.id).order_by(FORKS.c.seq)
    flaws = connection.execute(select(FLAWS.c.seq, FLAWS.c.what).where(FLAWS.c.box == row.id))
    wanted = select(WANTED.c.digest).where(WANTED.c.box == row.id)
    return JournalView(
        key=row.key,
        name=row.name,
        state=BoxState(row.state),
        next=row.size,
        root=read_head(row).build_tree().root(),
        note=row.note,
        forks=tuple(dict.fromkeys(connection.execute(forks).scalars())),
        more_forks=read_counter(connection, name_fork_counter(row.id)),
        flaws={row.seq: row.what for row in flaws},
        wanted=tuple(connection.execute(wanted).scalars()),
    )
