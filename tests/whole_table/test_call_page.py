# SPDX-License-Identifier: MIT
"""Somebody calls an official from the table's own screen, in a real browser."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.table.state import TableState
from tests.support.page_table import PageTable
from tests.support.sending_table import SendingTable
from tests.support.tournament_client import serve_event
from tests.webui.fakes import FakeTray
from tests.webui.test_service_pages import FakeService
from tests.webui.visitors import FakeAccess
from tests.whole_table.conftest import Chromium
from webui import create_app
from webui.server import KioskServer

pytestmark = pytest.mark.browser


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SendingTable]:
    with contextlib.closing(SendingTable(tmp_path / "table")) as table:
        yield table


@pytest.fixture
def url(table: SendingTable, tmp_path: Path) -> Iterator[str]:
    service = replace(FakeService(tmp_path).parts, uplink=table.uplink)
    shown = PageTable(TableState())
    server = KioskServer(
        create_app(shown.running, FakeTray(), FakeAccess(), service=service), "127.0.0.1", 0
    )
    server.start()
    yield server.url
    shown.close()
    server.close()


def test_a_joined_table_calls_an_official(
    table: SendingTable, url: str, chromium: Chromium, tmp_path: Path
) -> None:
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    with page.expect_response("**/official") as asked:
        page.goto(url)
    assert asked.value.json() == {"is_joined": False, "plays_here": False}
    expect(page.locator("#start")).to_be_visible()
    expect(page.locator("#official-call")).to_be_hidden()
    (tmp_path / "event").mkdir()
    with serve_event(tmp_path / "event") as event:
        address = str(event.client.base_url)
        table.uplink.join(address, event.receiver.read_code(), "Table 1")
        page.reload()
        page.locator("#official-call").click()
        expect(page.locator("#toast")).to_have_text("An official has been called.")
        table.write_later_entries()
        assert table.kinds.count("called") == 1
