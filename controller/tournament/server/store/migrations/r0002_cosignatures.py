# SPDX-License-Identifier: MIT
"""The second step: the cosignatures of tables under the event's own checkpoints."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "cosignatures",
        sa.Column("box", sa.Integer, sa.ForeignKey("boxes.id"), primary_key=True),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("root", sa.String(64), nullable=False),
        sa.Column("cosignature", sa.LargeBinary, nullable=False),
    )
