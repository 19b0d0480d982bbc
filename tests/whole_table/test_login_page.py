# SPDX-License-Identifier: MIT
"""
A phone comes to the table, in a real browser; and presses that come twice or too late.

A phone is a browser that calls the box by its address in the network. Where a machine has
none, it calls it by a further name, and who is the box is told by that name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.base.settings import Phones, WebSettings
from controller.runtime.access.tickets import AccessControl
from controller.table.events import PauseRequested
from controller.table.state import TableState
from hardware.clock import SteppedClock
from tests.support.page_table import PageTable
from tests.support.table import rolled_table
from tests.webui.fakes import FakeTray
from tests.whole_table.conftest import Chromium, OpenPage, let_no_time_pass
from webui import create_app
from webui.auth.hosts import find_lan_address
from webui.auth.roles import is_box_browser
from webui.server import KioskServer

pytestmark = pytest.mark.browser

BOX, ELSEWHERE = "127.0.0.1", find_lan_address()


@dataclass(frozen=True, slots=True)
class Served:
    """A table that phones may play at, and how to reach it."""

    table: PageTable
    access: AccessControl
    box_url: str
    phone_url: str


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    table, access = PageTable(TableState()), AccessControl(tmp_path, SteppedClock())
    access.begin()
    app = create_app(
        table.running,
        FakeTray(),
        access=access,
        web=WebSettings(host="0.0.0.0", phones=Phones.PLAY),
        is_box=is_box_browser if ELSEWHERE else lambda asked: asked.host.startswith(BOX),
    )
    server = KioskServer(app, "0.0.0.0", 0, own_port=0)
    server.start()
    elsewhere = ELSEWHERE or "localhost"
    yield Served(table, access, server.url, f"http://{elsewhere}:{server.port}/")
    table.close()
    server.close()


@pytest.fixture
def browsers(chromium: Chromium) -> Iterator[tuple[Page, Page]]:
    contexts = [
        chromium.new_context(viewport={"width": 1280, "height": 800}),
        chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True),
    ]
    screen, phone = (context.new_page() for context in contexts)
    complaints: list[str] = []
    for page in (screen, phone):
        page.on("pageerror", lambda error: complaints.append(str(error)))
    yield screen, phone
    for context in contexts:
        context.close()
    assert complaints == []


def test_a_phone_plays_after_entering_the_code(served: Served, browsers: tuple[Page, Page]) -> None:
    screen, phone = browsers
    screen.goto(served.box_url)
    expect(screen.locator("#join-card")).to_contain_text(served.access.pairing_code())
    expect(screen.locator("#pairing-pin")).to_have_text(served.access.first_pin() or "")

    phone.goto(served.phone_url)
    expect(phone.locator("#pairing, #join-card")).to_have_count(0)
    expect(phone.locator("#start")).to_be_hidden()
    phone.locator("#join").tap()
    phone.locator("#code").fill("0")
    phone.get_by_role("button", name="Join").tap()
    expect(phone.locator("#code-why")).to_have_text("That is not the code.")
    phone.locator("#code").fill(served.access.pairing_code())
    phone.get_by_role("button", name="Join").tap()
    phone.locator("#who-names [data-name='Ada']").tap()
    phone.locator("#start").tap()
    expect(screen.locator("#headline")).to_have_text("Ada: throw the dice")
    expect(screen.locator("#pairing")).to_be_hidden()


def test_an_official_logs_in_with_the_pin_and_is_led_back(
    served: Served, browsers: tuple[Page, Page]
) -> None:
    _, phone = browsers
    phone.goto(f"{served.phone_url}login?to=//evil.example/x")
    phone.locator("#pin").fill(served.access.first_pin() or "")
    phone.get_by_role("button", name="Log in").tap()
    phone.wait_for_url(served.phone_url)
    expect(phone.locator("body")).to_have_attribute("data-role", "official")
    assert served.access.first_pin() is None


def test_no_address_leads_away_from_the_box(served: Served, browsers: tuple[Page, Page]) -> None:
    """A path such as /.//host becomes //host, which names another machine."""
    _, phone = browsers
    pin = served.access.first_pin() or ""
    for to in ("/.//evil.example/x", "/.%5C%5Cevil.example/x", f"blob:{served.phone_url}x"):
        phone.goto(f"{served.phone_url}door?to={to}")
        phone.locator("#pin").fill(pin)
        phone.get_by_role("button", name="Log in").tap()
        phone.wait_for_url(lambda url: "to=" not in url)
        assert phone.url.startswith(served.phone_url), to
        phone.context.clear_cookies()


def test_before_its_script_is_there_no_pin_gets_into_an_address(
    served: Served, chromium: Chromium
) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{served.phone_url}login")
    page.locator("#pin").fill("123456")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Log in")).to_be_disabled()
    assert asked
    assert [url for url in asked if "?" in url] == []
    assert page.url == f"{served.phone_url}login"
    context.close()


def test_presses_that_come_twice_or_late_count_once(open_page: OpenPage) -> None:
    table = PageTable(rolled_table("13446"))
    page = open_page(table)
    headline, toast = page.locator("#headline"), page.locator("#toast")
    expect(headline).to_have_text("Ada chooses")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.locator("[data-choice='4']")).to_have_attribute("aria-current", "true")
    assert table.state.screen.cursor == 4, "quick presses through the choices all count"

    let_no_time_pass(page)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(toast).to_contain_text("Too late")
    expect(headline).to_have_text("Ben chooses")
    assert len(table.state.play.undoable) == 1

    table.put(rolled_table("13446"))
    page.reload()
    expect(headline).to_have_text("Ada chooses")
    let_no_time_pass(page)
    page.evaluate(
        """async () => {
            const button = document.getElementById("button-confirm");
            const shown = new Promise((tell) => new MutationObserver(tell).observe(
                document.getElementById("headline"), { childList: true }));
            button.click();
            await shown;
            button.click();
        }"""
    )
    expect(toast).to_contain_text("Too late")
    assert len(table.state.play.undoable) == 1, "a double tap across a new question is one answer"

    table.put(rolled_table("13446"))
    page.reload()
    expect(headline).to_have_text("Ada chooses")

    table.overtake(PauseRequested())
    page.keyboard.press("Enter")
    expect(toast).to_contain_text("Too late")
    assert len(table.state.play.undoable) == 0
