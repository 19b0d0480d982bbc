# SPDX-License-Identifier: MIT
"""The steps of the database lead to the tables that the program uses."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="make installs it")

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from controller.base.errors import InputError
from controller.tournament.server.store.database import Database, describe_failure
from controller.tournament.server.store.schema import METADATA
from tests.support.tournament_store import (
    StorePlace,
    count_lines,
    list_lines,
    make_lines,
    open_store,
    send,
)

DOCUMENT = Path(__file__).parents[5] / "docs" / "scale.md"
BOX = "a" * 64
LINES = make_lines(6)


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


def go_back(connection: Connection) -> int:
    """Go back as the document says; return the counter by which earlier versions number lines."""
    section = DOCUMENT.read_text().partition("### Back to an earlier version")[2]
    steps = section.split("```")[1].strip().splitlines()
    is_sqlite = connection.dialect.name == "sqlite"
    for step in (steps[0], steps[-1]) if is_sqlite else steps:
        connection.exec_driver_sql(step)
    found = connection.exec_driver_sql("SELECT value FROM counters WHERE name = 'arrival'")
    return int(found.scalar_one())


def test_a_database_with_a_counter_for_all_goes_on(place: StorePlace) -> None:
    """There and back: what an earlier version wrote stays, and so does what it would count on."""
    with open_store(place, is_open=True) as store:
        send(store, BOX, 0, LINES[:3])
    database = Database(place.folder, place.url)
    for count in (3, 5):
        with database.write() as connection:
            counted = go_back(connection)
        with open_store(place, is_open=True) as store:
            before = list_lines(store)
            assert before[-1].arrival == counted
            assert send(store, BOX, count, LINES[count : count + 1]).next == count + 1
            assert count_lines(store, BOX) == count + 1
            send(store, BOX, count + 1, LINES[count + 1 : count + 2])
            after = list_lines(store)
        assert after[: len(before)] == before
        assert min(line.arrival for line in after[len(before) :]) > counted
    database.disconnect()


@pytest.mark.parametrize("url", ["nonsense", "oracle://host/event", "postgresql:/x"])
def test_a_wrong_address_of_a_database_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(InputError, match="--database"):
        Database(tmp_path, url).open()


def test_a_failure_is_told_without_the_password() -> None:
    error = OSError("no connection to postgresql://ada:secret@host/event\n  try again")
    assert describe_failure(error) == "no connection to postgresql://host/event try again"
