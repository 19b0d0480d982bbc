# SPDX-License-Identifier: MIT
"""The steps of the database lead to the tables that the program uses."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="make installs it")

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from controller.base.errors import InputError
from controller.tournament.server.store.database import Database, describe_failure
from controller.tournament.server.store.schema import METADATA


def test_the_steps_lead_to_the_tables_of_the_program(tmp_path: Path) -> None:
    database = Database(tmp_path)
    database.open()
    database.open()
    with database.read() as connection:
        found = compare_metadata(MigrationContext.configure(connection), METADATA)
        modes = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous")
        ]
    database.disconnect()
    assert found == []
    assert modes == ["wal", 2]


def test_a_database_of_a_later_version_is_refused(tmp_path: Path) -> None:
    database = Database(tmp_path)
    database.open()
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(InputError, match="step 9999, of a later dicebell"):
        database.open()
    database.disconnect()


@pytest.mark.parametrize("url", ["nonsense", "oracle://host/event", "postgresql:/x"])
def test_a_wrong_address_of_a_database_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(InputError, match="--database"):
        Database(tmp_path, url).open()


def test_a_failure_is_told_without_the_password() -> None:
    error = OSError("no connection to postgresql://ada:secret@host/event\n  try again")
    assert describe_failure(error) == "no connection to postgresql://host/event try again"
