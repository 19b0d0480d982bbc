# SPDX-License-Identifier: MIT
"""The look of a screen: its theme, its motion, and the colour and shape of every seat."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from controller.settings import Theme, WebSettings
from tests.support.axe import find_barriers
from tests.support.page_table import PageTable
from tests.support.table import rolled_table
from tests.whole_table.conftest import OpenPage, wait_for_layout
from webui import create_app

SIX = ("Ada", "Ben", "Clementine", "Dragoslav", "Eva-Maria", "Finn")

SEAT_MARKS = """cards => cards.map(card => {
  const style = getComputedStyle(card.querySelector("header"), "::before");
  return [style.backgroundColor, style.clipPath];
})"""
PENDING = ".sheet .pending"
ANIMATION = "mark => getComputedStyle(mark).animationName"


@pytest.mark.browser
def test_screen_keeps_its_look_and_stays_clear(open_page: OpenPage) -> None:
    page = open_page(PageTable(rolled_table("13446", *SIX)))
    page.emulate_media(reduced_motion="no-preference")
    root, pending = page.locator("html"), page.locator(PENDING).first
    expect(root).to_have_attribute("data-theme", "felt")
    assert pending.evaluate(ANIMATION) == "blink"
    for theme in (Theme.BURGUNDY, Theme.NIGHT):
        page.locator("#help-open").click()
        page.locator(f"[data-pick-theme={theme.value}]").click()
        expect(root).to_have_attribute("data-theme", theme.value)
        expect(page.locator(".looks [aria-pressed=true]")).to_have_count(1)
        assert find_barriers(page) == []
        page.locator("#help-close").click()
        wait_for_layout(page)
        page.emulate_media(reduced_motion="reduce")
        assert find_barriers(page) == []
        page.emulate_media(reduced_motion="no-preference")
    page.locator("#help-open").click()
    page.locator("[data-pick-motion]").click()
    page.reload()
    expect(root).to_have_attribute("data-theme", "night")
    expect(root).to_have_attribute("data-motion", "less")
    assert page.locator(PENDING).first.evaluate(ANIMATION) == "none"


@pytest.mark.browser
def test_seats_differ_by_colour_and_by_shape(open_page: OpenPage) -> None:
    page = open_page(PageTable(rolled_table("13446", *SIX)))
    marks = page.locator("#sheets .card").evaluate_all(SEAT_MARKS)
    colours, shapes = zip(*marks, strict=True)
    assert len(set(colours)) == len(set(shapes)) == len(SIX)


def test_settings_give_the_look_until_a_screen_chooses() -> None:
    web = WebSettings(theme=Theme.BURGUNDY, reduced_motion=True)
    client = create_app(PageTable(rolled_table("13446", *SIX)), None, web=web).test_client()
    assert 'data-theme="burgundy" data-motion="less"' in client.get("/").text
    client.set_cookie("dicebell-theme", "night")
    client.set_cookie("dicebell-motion", "full")
    assert 'data-theme="night" data-motion="full"' in client.get("/").text
    client.set_cookie("dicebell-theme", '"><script>')
    assert 'data-theme="burgundy"' in client.get("/").text
