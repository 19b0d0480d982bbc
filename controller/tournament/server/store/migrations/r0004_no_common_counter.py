# SPDX-License-Identifier: MIT
"""
The fourth step: the database numbers the lines, and no server locks a counter for all.

SQLite does that by itself. A server of an earlier version that still runs on this database finds
no counter any more, so it writes nothing, and then refuses the step. `docs/scale.md` says how to
go back.
"""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("DELETE FROM counters WHERE name = 'arrival'")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("CREATE SEQUENCE lines_arrival_seq OWNED BY lines.arrival")
        op.execute(
            "SELECT setval('lines_arrival_seq', coalesce(max(arrival), 0) + 1, false) FROM lines"
        )
        op.execute(
            "ALTER TABLE lines ALTER COLUMN arrival SET DEFAULT nextval('lines_arrival_seq')"
        )
