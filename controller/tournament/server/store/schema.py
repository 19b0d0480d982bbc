# SPDX-License-Identifier: MIT
"""
The tables of the database, the same in SQLite and in PostgreSQL.

The lines are the truth. Every other table can be built again from them, but for pictures, which
the tables of the event still have, and what they signed: evidence of forks, cosignatures.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()

KEY_DIGITS = 64

COUNTERS = Table(
    "counters",
    METADATA,
    Column("name", String(20), primary_key=True),
    Column("value", BigInteger, nullable=False),
)
"""
`code`: how many codes to enrol came before. `forks` and the number of a journal: the further lines
that its table sent for numbers that have another line, beyond the evidence in `FORKS`.
"""

BOXES = Table(
    "boxes",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("key", String(KEY_DIGITS), nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("state", String(10), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("link", String(KEY_DIGITS), nullable=False),
    Column("signer", String(KEY_DIGITS), nullable=False),
    Column("subtrees", LargeBinary, nullable=False),
    Column("note", Text, nullable=False),
)
"""
A journal: whose it is, how many lines it has, and what is needed to check the next one.

`signer` is the key that its newest `key` entry names; `note` its newest checkpoint.
"""

LINES = Table(
    "lines",
    METADATA,
    Column(
        "arrival",
        BigInteger().with_variant(Integer, "sqlite"),
        primary_key=True,
        autoincrement=True,
    ),
    Column("box", Integer, ForeignKey("boxes.id"), nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("line", LargeBinary, nullable=False),
    UniqueConstraint("box", "seq"),
)
"""
The lines of all journals, byte for byte and without their newlines.

The database numbers them by `arrival`. The numbers rise within a journal, and a line that refers to
another one has a higher number. A transaction may commit after one with higher numbers: the highest
number that was seen is not the end of what has come.
"""

FORKS = Table(
    "forks",
    METADATA,
    Column("box", Integer, ForeignKey("boxes.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("digest", String(KEY_DIGITS), primary_key=True),
    Column("line", LargeBinary, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)
"""Lines that a table signed for a number that has another line: evidence."""

FLAWS = Table(
    "flaws",
    METADATA,
    Column("box", Integer, ForeignKey("boxes.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("what", Text, nullable=False),
)
"""Checkpoints that fit the chain and are wrong in themselves."""

WANTED = Table(
    "wanted",
    METADATA,
    Column("box", Integer, ForeignKey("boxes.id"), primary_key=True),
    Column("digest", String(KEY_DIGITS), primary_key=True),
)

PICTURES = Table(
    "pictures",
    METADATA,
    Column("digest", String(KEY_DIGITS), primary_key=True),
    Column("box", Integer, ForeignKey("boxes.id"), nullable=False),
    Column("content", LargeBinary, nullable=False),
)
"""Pictures by their SHA-256, in the database so that replicas and further servers have them too."""

COSIGNATURES = Table(
    "cosignatures",
    METADATA,
    Column("box", Integer, ForeignKey("boxes.id"), primary_key=True),
    Column("size", BigInteger, nullable=False),
    Column("root", String(KEY_DIGITS), nullable=False),
    Column("cosignature", LargeBinary, nullable=False),
)
"""The newest checkpoint of the event's own journal that each table has cosigned."""

CODE = "code"
