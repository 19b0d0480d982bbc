# SPDX-License-Identifier: MIT
"""Where the store of a test is: the same tests run with SQLite and with PostgreSQL."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.postgres_cluster import Cluster, one_database
from tests.support.tournament_store import StorePlace

_NUMBERS = itertools.count(1)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StorePlace]:
    """A data folder and an empty database."""
    if request.param == "sqlite":
        yield StorePlace(tmp_path)
    else:
        yield request.getfixturevalue("cluster_place")


@pytest.fixture
def cluster_place(cluster: Cluster, tmp_path: Path) -> Iterator[StorePlace]:
    """A data folder and an empty database in PostgreSQL."""
    with one_database(cluster, f"event_{next(_NUMBERS)}") as url:
        yield StorePlace(tmp_path, url)
