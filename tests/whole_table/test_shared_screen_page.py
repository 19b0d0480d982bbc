# SPDX-License-Identifier: MIT
"""The shared screen while others choose on phones: who is on it, and what it keeps to itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from controller.table.events import Key, KeyPressed, PhonesBound
from controller.table.state import require_game
from tests.support.page_table import PageTable
from tests.support.table import play, table, throw_of
from tests.whole_table.conftest import OpenPage

pytestmark = pytest.mark.browser

NAMES = ("Ada", "Ben", "Cleo")


def test_a_tap_brings_choices_and_secret_ones_stay_unseen(open_page: OpenPage) -> None:
    live = PageTable(play(table(*NAMES), *throw_of("13446"), PhonesBound(NAMES)))
    page = open_page(live)
    headline = page.locator("#headline")
    expect(headline).to_have_text("Everyone chooses")
    expect(page.locator("#choices [data-action]")).to_have_count(0)
    page.locator(".card[data-player=Cleo] > header").click()
    expect(headline).to_have_text("Cleo chooses")
    page.keyboard.press("Enter")
    expect(headline).to_have_text("Everyone chooses")
    assert require_game(live.state).acted == ("Cleo",)

    live.put(play(table(*NAMES, options={"secret": True}), *throw_of("13446")))
    expect(headline).not_to_have_text("Everyone chooses")
    sheet = page.locator(".card[data-player=Ada] .paper svg.sheet")
    live.happen(KeyPressed(Key.CONFIRM, by="Ada"))
    expect(page.locator(".card[data-player=Ada]")).to_have_attribute("data-state", "done")
    empty = "Sums: none. Fifth die: none. Result: 0."
    expect(sheet).to_have_attribute("aria-label", empty)
    live.happen(*(KeyPressed(Key.CONFIRM, by=name) for name in ("Cleo", "Ben")))
    expect(sheet).not_to_have_attribute("aria-label", empty)
