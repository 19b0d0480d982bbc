# SPDX-License-Identifier: MIT
"""
The first step: the tables of the journals.

A step is never changed once it is released. So it does not use `journals.schema`; a test compares
the outcome of all steps with it.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "counters",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("value", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "boxes",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(64), nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("link", sa.String(64), nullable=False),
        sa.Column("signer", sa.String(64), nullable=False),
        sa.Column("subtrees", sa.LargeBinary, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
    )
    op.create_table(
        "lines",
        sa.Column(
            "arrival",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("box", sa.Integer, sa.ForeignKey("boxes.id"), nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("line", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("box", "seq"),
    )
    _create_beside_lines()
    op.execute("INSERT INTO counters (name, value) VALUES ('arrival', 0)")


def _create_beside_lines() -> None:
    op.create_table(
        "forks",
        sa.Column("box", sa.Integer, sa.ForeignKey("boxes.id"), primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True),
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("line", sa.LargeBinary, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "flaws",
        sa.Column("box", sa.Integer, sa.ForeignKey("boxes.id"), primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True),
        sa.Column("what", sa.Text, nullable=False),
    )
    op.create_table(
        "wanted",
        sa.Column("box", sa.Integer, sa.ForeignKey("boxes.id"), primary_key=True),
        sa.Column("digest", sa.String(64), primary_key=True),
    )
    op.create_table(
        "pictures",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("box", sa.Integer, sa.ForeignKey("boxes.id"), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "facts",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
