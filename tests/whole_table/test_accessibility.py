# SPDX-License-Identifier: MIT
"""What the kiosk shows can be read by everybody: by rules of axe, by contrast, from two metres."""

from __future__ import annotations

import math
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from controller.table.state import TableState
from tests.support.axe import find_barriers
from tests.support.page_table import PageTable
from tests.support.quick import first_quick
from tests.support.table import (
    play,
    rolled_table,
    table,
    throw_of,
)
from tests.whole_table.conftest import OpenPage, wait_for_layout
from tests.whole_table.test_long_texts import SIX, STATES

pytestmark = pytest.mark.browser

SHOWN = ("lobby", "waiting", "choice", "wuerfelspiel", "black-n-white", "doubt", "game over")

MM_PER_INCH = 25.4
DISTANCE_PER_CAPITAL = 250
"""From how many times its height a capital letter can be read."""

CAPITAL_PX = """element => {
  const canvas = document.createElement("canvas").getContext("2d");
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(element);
  canvas.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  return canvas.measureText("H").actualBoundingBoxAscent;
}"""


def test_no_state_breaks_a_rule_and_each_is_clear(open_page: OpenPage) -> None:
    live = PageTable(TableState())
    page = open_page(live)
    expect(page.locator("body")).to_have_attribute("data-size", "normal")
    show = partial(put_and_wait, live, page)
    barriers = {}
    for name in SHOWN:
        show(name)
        barriers[name] = find_barriers(page)
        if name == "choice":
            for paper in page.locator(".card .paper").all():
                expect(paper).to_be_visible()
            for opener, dialog in (("#help-open", "#help"), ("#leave", "#leave-dialog")):
                page.locator(opener).click()
                expect(page.locator(dialog)).to_be_visible()
                barriers[dialog] = find_barriers(page)
                page.locator(dialog).press("Escape")
                expect(page.locator(dialog)).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 1600})
    for name in ("lobby", "choice"):
        show(name)
        barriers[f"{name} on a phone"] = find_barriers(page)
    assert not any(barriers.values()), barriers


def put_and_wait(live: PageTable, page: Page, name: str) -> None:
    live.put(STATES[name]())
    expect(page.locator("body")).to_have_attribute("data-phase", live.snapshot()["phase"])
    expect(page.locator("#headline")).to_have_text(live.snapshot()["headline"])
    wait_for_layout(page)


@pytest.mark.parametrize("screen", first_quick(((800, 480), 7.0, 1.0), ((1280, 800), 10.1, 1.5)))
def test_small_screens_are_legible_from_afar(
    open_page: OpenPage, screen: tuple[tuple[int, int], float, float]
) -> None:
    size, inches, least_m = screen
    live = PageTable(TableState())
    page = open_page(live, size=size, screen=size)
    mm_per_px = inches * MM_PER_INCH / math.hypot(*size)
    for name in ("lobby", "choice", "black-n-white"):
        put_and_wait(live, page, name)
        expect(page.locator("body")).to_have_attribute("data-size", "big")
        shown = page.locator("#headline, .card .total").filter(visible=True)
        for element in shown.all():
            capital_mm = element.evaluate(CAPITAL_PX) * mm_per_px
            assert capital_mm * DISTANCE_PER_CAPITAL / 1000 >= least_m, element.inner_text()


def test_tap_on_a_name_brings_a_sheet_to_the_front(open_page: OpenPage) -> None:
    page = open_page(
        PageTable(play(table(*SIX, game="wuerfelspiel"), *throw_of("44524"))),
        size=(1280, 800),
        screen=(1280, 800),
    )
    ada, ben = (page.locator(f"[data-player={name}] .paper") for name in ("Ada", "Ben"))
    expect(ada).to_be_visible()
    expect(ben).not_to_be_visible()
    page.locator("[data-player=Ben] h2").click()
    expect(ben).to_be_visible()
    expect(ada).not_to_be_visible()
    page.locator("[data-player=Ben] h2").click()
    expect(ada).to_be_visible()


def test_roll_is_announced_and_pairs_are_more_than_colours(open_page: OpenPage) -> None:
    live = PageTable(table("Ada", "Ben"))
    page = open_page(live)
    announced = page.locator("#announced")
    expect(announced).to_have_text("")
    expect(announced).to_have_attribute("aria-live", "polite")
    live.happen(*throw_of("13446"))
    expect(announced).to_have_text("Read: 1 3 4 4 6")
    expect(page.locator("#dice [data-group=fifth]")).to_be_visible()
    borders = [
        page.locator(f"#dice [data-group={group}]").first.evaluate(
            "element => getComputedStyle(element).borderTopStyle"
        )
        for group in ("a", "b", "fifth")
    ]
    assert borders == ["solid", "double", "dashed"]


def test_colours_of_the_system_show_what_is_chosen(open_page: OpenPage) -> None:
    page = open_page(PageTable(rolled_table("13446")))
    page.emulate_media(forced_colors="active")
    chosen = page.locator("#choices [aria-current=true]")
    other = page.locator("#choices [aria-current=false]").first
    styles = [
        button.evaluate("node => getComputedStyle(node).outlineStyle") for button in (chosen, other)
    ]
    assert styles == ["solid", "none"]
    dark, lit = (
        page.locator(f"#button-{key}").evaluate("node => getComputedStyle(node).borderColor")
        for key in ("back", "confirm")
    )
    assert dark != lit
