# SPDX-License-Identifier: MIT
"""Each screen in its own language, changed on the screen itself, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from controller.base.languages.catalogue import load_catalogues
from controller.table.events import DeviceLost, PauseRequested
from controller.table.state import TableState
from tests.support.page_table import PageTable
from tests.support.quick import first_quick
from tests.support.table import play, rolled_table, table
from tests.whole_table.conftest import OpenPage, box_of, wait_for_layout

pytestmark = pytest.mark.browser

SIZES = pytest.mark.parametrize("size", first_quick((390, 844), (1280, 800), (800, 480)))


def german(text: str) -> str:
    return load_catalogues()["de"].find(text)


def change_language(page: Page, language: str) -> None:
    page.locator(f"[data-language='{language}']").click()
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("#headline")).not_to_be_empty()


@SIZES
def test_the_lobby_changes_its_language_and_keeps_its_state(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    shown = PageTable(TableState())
    page = open_page(shown, size=size)
    page.locator("[data-option=jokers][data-value=true]").click()
    expect(page.locator("[data-option=jokers][data-value=true]")).to_have_attribute(
        "aria-pressed", "true"
    )
    before = shown.state
    change_language(page, "de")
    expect(page.locator("#start")).to_have_text(german("Start the game"))
    expect(page.locator("#headline")).to_have_text(german("Who is playing?"))
    expect(page.locator("[data-option=jokers][data-value=true]")).to_have_attribute(
        "aria-pressed", "true"
    )
    assert shown.state == before
    change_language(page, "en")
    expect(page.locator("#start")).to_have_text("Start the game")


def test_a_language_in_the_address_is_that_of_the_whole_page(open_page: OpenPage) -> None:
    shown = PageTable(TableState())
    page = open_page(shown)
    page.goto(f"{page.url}?guide&language=de")
    expect(page.locator("#start")).to_have_text(german("Start the game"))
    # What comes later, by the stream, is in it too.
    shown.put(rolled_table("13446"))
    expect(page.locator("#headline")).to_have_text("Ada wählt")
    shown.put(TableState())
    assert page.evaluate("location.search").startswith("?guide")
    change_language(page, "en")
    expect(page.locator("#start")).to_have_text("Start the game")


def test_the_box_offers_its_languages_in_the_lobby_only(open_page: OpenPage) -> None:
    shown = PageTable(TableState())
    page = open_page(shown)
    expect(page.locator("#tools .language")).to_be_visible()
    shown.put(rolled_table("13446"))
    expect(page.locator("#tools .language")).to_be_hidden()


def test_the_login_page_changes_its_language(open_page: OpenPage) -> None:
    page = open_page(PageTable(TableState()))
    page.goto(f"{page.url}login")
    page.locator("[data-language='de']").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#new-pin-form h2")).to_have_text(german("Change the PIN"))


def test_the_letters_on_the_screen_are_those_of_the_language(open_page: OpenPage) -> None:
    """QWERTY in English; the German catalogue has the rows of a German keyboard."""
    page = open_page(PageTable(TableState()), has_touch=True)
    for language in ("en", "de"):
        rows = "QWERTYUIOP ASDFGHJKL ZXCVBNM-' ÄÖÜÉÈÇÑŞ"
        if language == "de":
            rows = german(rows)
            page.locator("[data-language='de']").tap()
            expect(page.locator("html")).to_have_attribute("lang", "de")
        page.locator("[data-seat='0']").tap()
        page.locator("#new-name").tap()
        shown = [row.inner_text().split() for row in page.locator("#letters div").all()]
        assert ["".join(row) for row in shown[: len(rows.split())]] == rows.split()


@pytest.mark.parametrize("kind", first_quick("blocked", "out of focus", "dark"))
def test_the_picture_stays_while_the_camera_is_covered(open_page: OpenPage, kind: str) -> None:
    lost = DeviceLost("camera", "something is wrong", "fix it", kind)
    page = open_page(PageTable(play(rolled_table("13446"), lost)))
    expect(page.locator("#tray")).to_be_visible()
    expect(page.locator("#panel-text")).to_be_visible()
    tray, panel = (box_of(page.locator(name)) for name in ("#tray-frame", "#panel .plate"))
    assert tray["x"] + tray["width"] <= panel["x"]


def test_without_a_picture_to_look_at_none_is_shown(open_page: OpenPage) -> None:
    rolled = rolled_table("13446")
    live = PageTable(rolled)
    page = open_page(live)
    for event in (
        DeviceLost("camera", "gone", "plug it in", "gone"),
        DeviceLost("disk", "full", "make room", "refuses"),
        PauseRequested(),
    ):
        live.put(rolled)
        expect(page.locator("#tray")).to_be_visible()
        live.happen(event)
        expect(page.locator("#panel-text")).to_be_visible()
        expect(page.locator("#tray")).to_be_hidden()


@pytest.mark.parametrize("size", first_quick((800, 480), (1280, 800)))
def test_no_text_changes_the_size_of_header_and_tray(
    open_page: OpenPage, size: tuple[int, int]
) -> None:
    shown = PageTable(table("Ada", "Ben"))
    page = open_page(shown, size=size)
    found = []
    for name in ("Ada", "Bartholomew the Elder of " + "Westphalia " * 2):
        shown.put(table(name.strip()[:40], "Ben"))
        expect(page.locator("#headline")).to_contain_text(name.strip()[:20])
        wait_for_layout(page)
        found.append([box_of(page.locator(name)) for name in ("#header", "#tray")])
        assert page.locator("#message").evaluate(
            "node => node.scrollHeight <= node.parentElement.clientHeight"
        )
    assert found[0] == found[1]
