# SPDX-License-Identifier: MIT
"""
A phone comes to the table, in a real browser; and presses that come twice or too late.

A phone is a browser that calls the box by its address in the network. Where a machine has
none, it calls it by a further name, and who is the box is told by that name.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.table.events import PauseRequested
from tests.support.page_table import PageTable
from tests.support.phone_table import PhoneTable
from tests.support.table import lobby_of, rolled_table
from tests.whole_table.conftest import Chromium, OpenPage, let_no_time_pass

pytestmark = pytest.mark.browser


@pytest.fixture
def at(chromium: Chromium, tmp_path: Path) -> Iterator[PhoneTable]:
    with ExitStack() as closing:
        at = PhoneTable(lobby_of("Ada", "Ben"), tmp_path, chromium, closing)
        yield at
    assert at.complaints == []


def test_a_phone_plays_after_entering_the_code(at: PhoneTable) -> None:
    screen = at.box()
    expect(screen.locator("#join-card")).to_contain_text(at.access.pairing_code())
    expect(screen.locator("#pairing-pin")).to_have_text(at.access.first_pin() or "")

    phone = at.open(at.phone_url)
    expect(phone.locator("#pairing, #join-card")).to_have_count(0)
    expect(phone.locator("#start")).to_be_hidden()
    phone.locator("#join").tap()
    phone.locator("#code").fill("0")
    phone.get_by_role("button", name="Join").tap()
    expect(phone.locator("#code-why")).to_have_text("That is not the code.")
    phone.locator("#code").fill(at.access.pairing_code())
    phone.get_by_role("button", name="Join").tap()
    phone.locator("#who-names [data-name='Ada']").tap()
    phone.locator("#start").tap()
    expect(screen.locator("#headline")).to_have_text("Ada: throw the dice")
    expect(screen.locator("#pairing")).to_be_hidden()


def test_an_official_logs_in_with_the_pin_and_is_led_back(at: PhoneTable) -> None:
    phone = at.open(f"{at.phone_url}login?to=//evil.example/x")
    phone.locator("#pin").fill(at.access.first_pin() or "")
    phone.get_by_role("button", name="Log in").tap()
    phone.wait_for_url(at.phone_url)
    expect(phone.locator("body")).to_have_attribute("data-role", "official")
    assert at.access.first_pin() is None


def test_no_address_leads_away_from_the_box(at: PhoneTable) -> None:
    """A path such as /.//host becomes //host, which names another machine."""
    phone, pin = at.open(at.phone_url), at.access.first_pin() or ""
    for to in ("/.//evil.example/x", "/.%5C%5Cevil.example/x", f"blob:{at.phone_url}x"):
        phone.goto(f"{at.phone_url}door?to={to}")
        phone.locator("#pin").fill(pin)
        phone.get_by_role("button", name="Log in").tap()
        phone.wait_for_url(lambda url: "to=" not in url)
        assert phone.url.startswith(at.phone_url), to
        phone.context.clear_cookies()


def test_before_its_script_is_there_no_pin_gets_into_an_address(
    at: PhoneTable, chromium: Chromium
) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{at.phone_url}login")
    page.locator("#pin").fill("123456")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Log in")).to_be_disabled()
    assert asked
    assert [url for url in asked if "?" in url] == []
    assert page.url == f"{at.phone_url}login"
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
