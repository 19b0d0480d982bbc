# SPDX-License-Identifier: MIT
"""The cosignatures of tables under the event's own checkpoints, as they are stored."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from controller.tournament.server.store.schema import BOXES, COSIGNATURES


@dataclass(frozen=True, slots=True)
class StoredCosignature:
    """What a table cosigned last."""

    box: str  # The table's key in hexadecimal.
    size: int  # The size of the event's checkpoint.
    root: bytes  # Its root, 32 bytes.
    cosignature: bytes  # The time and the signature, 72 bytes.


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
