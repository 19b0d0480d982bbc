# SPDX-License-Identifier: MIT
"""Pages that a table refuses or that arrive without their styles, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.base.settings import Phones, WebSettings
from tests.support.page_table import PageTable
from tests.support.proxies import run_nginx
from tests.support.run_process import free_port
from tests.support.table import rolled_table
from tests.webui.visitors import FakeAccess
from tests.whole_table.conftest import Chromium
from webui import create_app
from webui.server import KioskServer

pytestmark = pytest.mark.browser


@pytest.fixture
def table() -> Iterator[KioskServer]:
    shown = PageTable(rolled_table("11335"))
    web = WebSettings(phones=Phones.WATCH)
    server = KioskServer(
        create_app(shown.running, None, access=FakeAccess(), web=web), "127.0.0.1", 0, own_port=0
    )
    server.start()
    yield server
    shown.close()
    server.close()


@pytest.fixture
def phone(chromium: Chromium) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, locale="de-DE")
    yield context.new_page()
    context.close()


def test_an_unknown_page_leads_to_the_start_page(table: KioskServer, phone: Page) -> None:
    phone.goto(f"http://127.0.0.1:{table.port}/none")
    expect(phone.get_by_role("heading")).to_have_text("Diese Seite gibt es nicht")
    phone.get_by_role("link", name="Zur Startseite").click()
    expect(phone.locator("#headline")).not_to_be_empty()


@pytest.fixture
def proxy(table: KioskServer, tmp_path: Path) -> Iterator[str]:
    """Give the address of an nginx that calls the table by a foreign name, and below two paths."""
    to, port = f"http://127.0.0.1:{table.port}", free_port()
    site = (
        f"server {{ listen 127.0.0.1:{port};\n"
        f"location / {{ proxy_pass {to}; proxy_set_header Host dice.example; }}\n"
        f"location /cut/ {{ proxy_pass {to}/; }}\n"
        f"location /kept/ {{ proxy_pass {to}; proxy_set_header X-Forwarded-For $remote_addr; }}\n"
        "}\n"
    )
    with run_nginx(tmp_path, port, site):
        yield f"http://127.0.0.1:{port}"


def test_a_foreign_name_gets_a_page_in_the_tables_look(proxy: str, phone: Page) -> None:
    """No other file is served by that name, so the page brings its styles with it."""
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    phone.goto(proxy)
    expect(phone.locator("main")).to_contain_text("dice.example")
    expect(phone.locator("main")).to_contain_text("host_names")
    assert [url for url in asked if not url.startswith("data:")] == [f"{proxy}/"]
    felt = phone.evaluate("getComputedStyle(document.body).getPropertyValue('--felt')")
    assert felt.strip() == "#14532f"


def test_a_page_below_a_path_says_why_it_stays_empty(proxy: str, phone: Page) -> None:
    """Behind one path the table's own page arrives without its styles, behind the other none."""
    phone.goto(f"{proxy}/cut/")
    expect(phone.locator(".unstyled")).to_be_visible()
    expect(phone.locator(".unstyled")).to_contain_text("unter einem Pfad")
    phone.goto(f"{proxy}/kept/")
    expect(phone.locator("main")).to_contain_text("unter einem Pfad")


def test_a_page_with_its_styles_says_nothing_of_them(table: KioskServer, phone: Page) -> None:
    phone.goto(f"http://127.0.0.1:{table.port}/")
    expect(phone.locator("#headline")).not_to_be_empty()
    expect(phone.locator(".unstyled")).to_be_hidden()
