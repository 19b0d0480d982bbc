# SPDX-License-Identifier: MIT
"""The kiosk's page in a real browser says that it lives, and loads itself anew after an update."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from controller.table.state import TableState
from tests.support.page_table import PageTable
from tests.webui.visitors import FakeAccess
from tests.whole_table.conftest import Chromium
from webui import create_app
from webui.server import KioskServer

pytestmark = pytest.mark.browser

SIGN_MS = 5000
SILENCE_MS = 8000


@pytest.fixture
def page(chromium: Chromium) -> Iterator[Page]:
    """A kiosk whose time stands still until the test lets some pass."""
    table = PageTable(TableState())
    server = KioskServer(create_app(table.running, None, FakeAccess()), "127.0.0.1", 0)
    server.start()
    page = chromium.new_page()
    stop_time(page)
    page.goto(server.url)
    expect(page.locator("#headline")).not_to_be_empty()
    assert age_of_heartbeat(page, server.url) == "never"
    page.clock.run_for(SIGN_MS // 2)
    yield page
    page.close()
    table.close()
    server.close()


def stop_time(page: Page) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1)


def age_of_heartbeat(page: Page, url: str) -> str:
    """Return the age of the page's last heartbeat as the kiosk script gets it."""
    answer = page.request.get(f"{url}heartbeat")
    assert answer.ok
    return answer.text().strip()


def give_sign(page: Page) -> None:
    with page.expect_response("**/heartbeat"):
        page.clock.run_for(SIGN_MS)


def drop_first_view(route: Route) -> None:
    answer = route.fetch()
    body = re.sub(r'<meta id="first-view"[^>]*>', "", answer.text())
    assert body != answer.text()
    route.fulfill(response=answer, body=body)


def test_a_page_without_a_table_gives_none(chromium: Chromium, page: Page) -> None:
    """Blank for whatever reason, it is a page that has to be brought back."""
    blank = chromium.new_page()
    stop_time(blank)
    blank.route("**/events", lambda route: route.abort())
    blank.route(page.url, drop_first_view)
    asked: list[str] = []
    blank.on("request", lambda request: asked.append(request.url))
    blank.goto(page.url)
    blank.clock.run_for(4 * SIGN_MS)
    # Requests are told in their order: the list has all before this one.
    with blank.expect_request("**/end"):
        blank.evaluate("void fetch('/end')")
    assert [url for url in asked if "/tray.jpg" in url], "its scripts run"
    assert not [url for url in asked if url.endswith("/heartbeat")]
    blank.close()


def test_a_page_that_is_not_drawn_gives_none(page: Page) -> None:
    """Its scripts may run on while the browser's graphics are dead."""
    give_sign(page)
    page.evaluate("drawn = requestAnimationFrame; requestAnimationFrame = () => 1; 0")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(2 * SIGN_MS)
    page.evaluate("requestAnimationFrame = drawn; 0")
    give_sign(page)
    assert len([url for url in asked if url.endswith("/heartbeat")]) == 1


def test_a_page_made_of_something_else_loads_itself_anew(page: Page) -> None:
    give_sign(page)
    give_sign(page)

    def after_the_update(route: Route) -> None:
        route.fulfill(json={"pages": "another"})

    page.route("**/heartbeat", after_the_update)
    with page.expect_navigation():
        page.clock.run_for(SIGN_MS)
    expect(page.locator("#headline")).not_to_be_empty()


def test_a_line_that_fell_silent_is_told_and_taken_up_anew(page: Page) -> None:
    """A phone out of reach gets no word that its line is dead: only the table's beats stop."""
    expect(page.locator("#lost")).to_be_hidden()
    page.route("**/events", lambda route: route.abort())
    page.clock.run_for(SILENCE_MS)
    expect(page.locator("#lost")).to_be_visible()
    page.unroute("**/events")
    page.clock.run_for(SIGN_MS)
    expect(page.locator("#lost")).to_be_hidden()
