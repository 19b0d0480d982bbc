# SPDX-License-Identifier: MIT
"""The look of a screen: its theme, its motion, and the colour and shape of every seat."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from controller.base.settings import Theme, WebSettings
from controller.table.state import TableState
from tests.support.axe import find_barriers
from tests.support.contrast import LEAST_LARGE, compare_colours
from tests.support.page_table import PageTable
from tests.support.table import rolled_table
from tests.webui.visitors import FakeAccess
from tests.whole_table.conftest import OpenPage, wait_for_layout
from webui import create_app

TOKENS = Path(__file__).parents[2] / "controller" / "base" / "tokens.css"
SIX = ("Ada", "Ben", "Clementine", "Dragoslav", "Eva-Maria", "Finn")

SEAT_MARKS = """cards => cards.map(card => {
  const style = getComputedStyle(card.querySelector("header"), "::before");
  return [style.backgroundColor, style.clipPath];
})"""
LINES = """heads => heads.map(head => {
  const style = getComputedStyle(head);
  return [style.borderBottomColor, parseFloat(style.borderBottomWidth)];
})"""
PENDING = ".sheet .pending"
ANIMATION = "mark => getComputedStyle(mark).animationName"


@pytest.mark.browser
def test_screen_keeps_its_look_and_stays_clear(open_page: OpenPage) -> None:
    live = PageTable(TableState())
    page = open_page(live)
    page.emulate_media(reduced_motion="no-preference")
    root, pending = page.locator("html"), page.locator(PENDING).first
    expect(root).to_have_attribute("data-theme", "felt")
    page.locator("#look-open").click()
    page.locator("#look [data-pick-theme=night]").click()
    expect(root).to_have_attribute("data-theme", "night")
    assert find_barriers(page) == []
    page.keyboard.press("Escape")
    live.put(rolled_table("13446", *SIX))
    expect(page.locator("#look-open")).to_be_hidden()
    assert pending.evaluate(ANIMATION) == "blink"
    for theme in (Theme.BURGUNDY, Theme.NIGHT):
        page.locator("#help-open").click()
        page.locator(f"#help [data-pick-theme={theme.value}]").click()
        expect(root).to_have_attribute("data-theme", theme.value)
        expect(page.locator("#help .looks [aria-pressed=true]")).to_have_count(1)
        assert find_barriers(page) == []
        page.locator("#help-close").click()
        wait_for_layout(page)
        page.emulate_media(reduced_motion="reduce")
        assert find_barriers(page) == []
        page.emulate_media(reduced_motion="no-preference")
    page.locator("#help-open").click()
    page.locator("#help [data-pick-motion]").click()
    page.reload()
    expect(root).to_have_attribute("data-theme", "night")
    expect(root).to_have_attribute("data-motion", "less")
    # The stream draws the sheet once more.
    expect(page.locator(PENDING).first).to_have_css("animation-name", "none")


@pytest.mark.browser
def test_seats_differ_by_colour_and_by_shape(open_page: OpenPage) -> None:
    page = open_page(PageTable(rolled_table("13446", *SIX)))
    marks = page.locator("#sheets .card").evaluate_all(SEAT_MARKS)
    colours, shapes = zip(*marks, strict=True)
    assert len(set(colours)) == len(set(shapes)) == len(SIX)
    lines = page.locator("#sheets .card > header").evaluate_all(LINES)
    assert [colour for colour, _ in lines] == list(colours)
    assert min(width for _, width in lines) >= 4


def test_line_of_every_seat_is_clear_on_every_paper() -> None:
    design = TOKENS.read_text()
    papers = re.findall(r"--(?:paper-light|ivory|paper-deep): (#\w{6});", design)
    seats = re.findall(r"--seat-\d: (#\w{6});", design)
    grounds = re.findall(r"--(?:felt|wood)-deep: (#\w{6});", design)
    lighter = re.findall(r"--seat-light-\d: (#\w{6});", design)
    assert (len(papers), len(grounds)) == (6, 6)
    assert len(seats) == len(lighter) == len(SIX)
    assert [pair for pair in product(seats, papers) if _contrast(*pair) < LEAST_LARGE] == []
    assert [pair for pair in product(lighter, grounds) if _contrast(*pair) < LEAST_LARGE] == []


def _contrast(*colours: str) -> float:
    one, other = (np.array([*bytes.fromhex(colour[1:])], float) for colour in colours)
    return float(compare_colours(one, other))


def test_settings_give_the_look_until_a_screen_chooses() -> None:
    web = WebSettings(theme=Theme.BURGUNDY, reduced_motion=True)
    client = create_app(
        PageTable(rolled_table("13446", *SIX)).running, None, FakeAccess(), web=web
    ).test_client()
    assert 'data-theme="burgundy" data-motion="less"' in client.get("/").text
    client.set_cookie("dicebell-theme", "night")
    client.set_cookie("dicebell-motion", "full")
    assert 'data-theme="night" data-motion="full"' in client.get("/").text
    client.set_cookie("dicebell-theme", '"><script>')
    assert 'data-theme="burgundy"' in client.get("/").text


@pytest.mark.browser
def test_the_page_of_the_design_shows_parts_of_real_pages(open_page: OpenPage) -> None:
    page = open_page(PageTable(rolled_table("13446", *SIX)))
    page.goto(page.url.split("#")[0] + "styles")
    page.locator("body[data-version]").wait_for()
    design = re.findall(r"^  (--[\w-]+):", TOKENS.read_text(), re.MULTILINE)
    assert page.locator("#tokens code").all_text_contents() == list(dict.fromkeys(design))
    for part in ("#rail", "#sheets .card", "#dice button", "#acts", "#turn"):
        assert page.locator(part).first.is_visible(), part
    real = create_app(PageTable(rolled_table("13446")).running, None, FakeAccess()).test_client()
    assert real.get("/styles").status_code == 404
