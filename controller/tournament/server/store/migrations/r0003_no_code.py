# SPDX-License-Identifier: MIT
"""The third step: the code with which tables enrol is no longer in the database."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("facts")
