# SPDX-License-Identifier: MIT
"""Where the store of a test is: the same tests run with SQLite and with PostgreSQL."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.postgres_cluster import one_database
from tests.support.tournament_store import StorePlace

_NUMBERS = itertools.count(1)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StorePlace]:
    """A data folder and an empty database."""
    if request.param == "sqlite":
        yield StorePlace(tmp_path)
        return
    cluster = request.getfixturevalue("cluster")
    with one_database(cluster, f"event_{next(_NUMBERS)}") as url:
        yield StorePlace(tmp_path, url)
