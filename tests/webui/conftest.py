# SPDX-License-Identifier: MIT
"""A table, a tray and a login as most tests of pages need them."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.webui.fakes import FakeTable, FakeTray
from tests.webui.visitors import FakeAccess
from webui import create_app


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
