# SPDX-License-Identifier: MIT
"""Desks whose pages are asked; the tests of the store are what the disk matters to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import PoolProxiedConnection
from sqlalchemy.pool import ConnectionPoolEntry

from controller.tournament.server.store import database


@pytest.fixture(scope="package", autouse=True)
def spare_the_disk_of_desks() -> Iterator[None]:
    """Do not wait for the disk at each commit."""
    set_up = database._set_up_sqlite

    def set_up_without_waiting(
        connection: PoolProxiedConnection, record: ConnectionPoolEntry
    ) -> None:
        set_up(connection, record)
        connection.cursor().execute("PRAGMA synchronous=OFF").close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_set_up_sqlite", set_up_without_waiting)
        yield
