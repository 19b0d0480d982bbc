# SPDX-License-Identifier: MIT
"""A table, a tray and a login as most tests of pages need them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from flask.testing import FlaskClient

from tests.webui.fakes import FakeTable, FakeTray
from tests.webui.visitors import FakeAccess
from webui import create_app, kiosk_heartbeat


@pytest.fixture(scope="session", autouse=True)
def digest_pages_once() -> Iterator[None]:
    """A table computes the digest at its start; hundreds of tests start the pages of a table."""
    with pytest.MonkeyPatch.context() as patch:
        digest = cache(kiosk_heartbeat.compute_pages_digest)
        patch.setattr(kiosk_heartbeat, "compute_pages_digest", digest)
        yield


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def tray() -> FakeTray:
    return FakeTray()


@pytest.fixture
def access() -> FakeAccess:
    return FakeAccess()


@pytest.fixture
def client(table: FakeTable, tray: FakeTray) -> FlaskClient:
    """Return a browser at the pages of a table with a simulated tray."""
    return create_app(table.running, tray, FakeAccess()).test_client()
