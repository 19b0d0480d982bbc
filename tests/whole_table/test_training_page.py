# SPDX-License-Identifier: MIT
"""A person alone: an opponent in the lobby, hints on request, and none in a game that counts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from controller.table.decisions import decide_action
from controller.table.events import GameClosed, OptionPicked, StartRequested
from tests.support.page_table import PageTable
from tests.support.table import lobby_of, throw_of
from tests.whole_table.conftest import OpenPage

pytestmark = pytest.mark.browser

FEW = 6
"""Choices of a long list that are shown at first."""
PRESS_BACK_AND_FIND_FOCUS = """() => {
    const back = { key: "Backspace", bubbles: true, cancelable: true };
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", back));
    return document.activeElement.tagName;
}"""
"""In one task of the page, before it is drawn again."""


def test_a_person_alone_plays_an_opponent_and_asks_for_hints(open_page: OpenPage) -> None:
    table = PageTable(lobby_of("Ada"))
    page = open_page(table)
    page.click("[data-seat='1']")
    page.click("#grades [data-key='strong']")
    expect(page.locator("[data-seat='1'] b")).to_have_attribute("data-grade", "Strong")
    page.click("[data-option='hints'][data-value='true']")
    page.click("#start")
    expect(page.locator("#training")).to_be_visible()
    table.happen(*throw_of("13446"))
    page.click("#coach-open")
    lines = page.locator("#coach-list button")
    expect(lines.first.locator("small")).to_have_text("best")
    expect(lines).to_have_count(FEW)
    page.keyboard.press("ArrowUp")
    expect(lines.first).to_be_focused()
    for _ in range(FEW):
        page.keyboard.press("ArrowDown")
    expect(page.locator("#coach-more")).to_have_text("All 9 choices")
    page.keyboard.press("Enter")
    expect(lines).to_have_count(9)
    expect(lines.nth(FEW)).to_be_focused()
    expect(page.locator("#coach-more")).to_be_hidden()
    costs = [text for text in lines.locator("small").all_inner_texts() if text.startswith("costs")]
    points = [int(text.split()[1]) for text in costs]
    assert points == sorted(points)
    assert len(points) > 3
    wanted = lines.nth(2).locator("b").inner_text()
    lines.nth(2).click()
    expect(page.locator("#coach")).to_be_hidden()
    chosen = page.locator("#choices [aria-current=true]")
    expect(chosen).to_have_attribute("aria-label", re.compile(re.escape(wanted)))
    page.keyboard.press("c")
    expect(page.locator("#coach")).to_be_visible()
    # The next key goes to the table, however soon it comes.
    assert page.evaluate(PRESS_BACK_AND_FIND_FOCUS) == "BODY"
    expect(page.locator("#coach")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator("#headline")).to_have_text("Pascal is choosing")
    expect(page.locator("#coach-open")).to_be_hidden()
    answer = decide_action(table.state)
    assert answer is not None
    table.happen(answer)
    expect(page.locator("#headline")).to_contain_text("For Pascal")
    # The same game, but one that counts.
    table.happen(GameClosed(), OptionPicked("hints", False), StartRequested())
    table.happen(*throw_of("13446", spot=5))
    expect(page.locator("#headline")).to_have_text("Ada chooses")
    expect(page.locator("#coach-open")).to_be_hidden()
    refused = page.request.get(f"{page.url}hints.json")
    expected = "expected a game for training, found one that counts, without hints"
    assert (refused.status, refused.json()) == (403, {"error": expected})
