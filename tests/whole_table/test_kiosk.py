# SPDX-License-Identifier: MIT
"""
What a person does at the kiosk, done by a real browser: play a whole game and see faults.

The page is the only way in: dice are thrown with its button, choices are made with the
keys, and what happened is read off the sheets as they are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.demo_process import DemoProcess
from tests.support.page_player import PagePlayer, press_anew
from tests.whole_table.conftest import Chromium, box_of, wait_for_layout

pytestmark = pytest.mark.browser

MOST_ROLLS = 70


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[DemoProcess]:
    with DemoProcess(tmp_path, "--players", "Ada,Ben", "--seed", "11") as demo:
        yield demo
        assert demo.stop() == 0, demo.output


@pytest.fixture
def page(chromium: Chromium, demo: DemoProcess) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(demo.url)
    expect(page.locator("#headline")).to_have_text("Ada: throw the dice")
    yield page
    page.close()
    assert complaints == []


def throw_until_read(page: Page) -> None:
    """Throw, and throw again where the dice lie too badly to be read for certain."""
    assert PagePlayer(page).throw() == "choosing"


def marks_of(page: Page, player: str) -> int:
    lines = page.locator(f"[data-player='{player}'] [data-sum]")
    return sum(int(marks) for marks in lines.evaluate_all("all => all.map(x => x.dataset.marks)"))


def total_of(page: Page, player: str) -> int:
    result = page.locator(f"[data-player='{player}'] [data-total]")
    return int(result.get_attribute("data-total") or "")


def choosing_player(page: Page) -> str:
    headline = page.locator("#headline").inner_text()
    found = re.fullmatch(r"(\w+) chooses", headline)
    assert found, headline
    return found[1]


def choose_with_keys(page: Page) -> None:
    """Mark the choice whose fifth die is farthest in the table, so that the game ends."""
    player = choosing_player(page)
    before = marks_of(page, player)
    rows = page.locator(f"[data-player='{player}'] [data-fifth]")
    boxes = dict(rows.evaluate_all("all => all.map(x => [x.dataset.fifth, +x.dataset.marks])"))
    actions = page.locator("#choices [data-action]").evaluate_all(
        "all => all.map(x => x.dataset.action)"
    )
    best = max(range(len(actions)), key=lambda i: boxes.get(actions[i][-1], 0))
    for _ in range(best):
        page.keyboard.press("ArrowRight")
    expect(page.locator(f"[data-choice='{best}'][aria-current=true]")).to_be_visible()
    press_anew(page, "Enter")
    page.wait_for_function(
        """([player, marks]) => marks === [...document.querySelectorAll(
            `[data-player='${player}'] [data-sum]`)].reduce((n, x) => n + +x.dataset.marks, 0)""",
        arg=[player, before + 2],
    )


@pytest.mark.long
def test_a_whole_game_of_two_is_played_through_the_page(page: Page) -> None:
    seen_totals = set()
    for number in range(MOST_ROLLS):
        throw_until_read(page)
        while page.locator("[data-phase=choosing]").is_visible():
            choose_with_keys(page)
            seen_totals.add((total_of(page, "Ada"), total_of(page, "Ben")))
        if number == 2:
            before = marks_of(page, "Ada"), marks_of(page, "Ben"), total_of(page, "Ada")
            page.reload()
            expect(page.locator("#headline")).to_have_text(re.compile("throw the dice"))
            assert before == (marks_of(page, "Ada"), marks_of(page, "Ben"), total_of(page, "Ada"))
        if page.locator("[data-phase='game over']").is_visible():
            break
    expect(page.locator("#headline")).to_have_text("The game is over")
    winner = "Ada" if total_of(page, "Ada") >= total_of(page, "Ben") else "Ben"
    expect(page.locator("#outcome")).to_contain_text(winner)
    assert len(seen_totals) > 3, "the totals changed while playing"


def test_a_turn_goes_on_after_a_covered_camera_on_any_screen(page: Page) -> None:
    page.locator("#fault").select_option("blocked")
    expect(page.locator("#panel")).to_be_visible()
    expect(page.locator("#panel-text")).to_contain_text("hides the tray")
    expect(page.locator("#panel-fix")).not_to_be_empty()
    page.locator("#fault").select_option("")
    expect(page.locator("#headline")).to_have_text("Ada: throw the dice")
    throw_until_read(page)
    assert choosing_player(page) == "Ada"
    tap_pairs(page)
    page.locator("#button-confirm").click()
    expect(page.locator("#headline")).to_have_text("Ben chooses")
    assert marks_of(page, "Ada") == 2
    page.keyboard.press("Backspace")
    expect(page.locator("#headline")).to_have_text("Ada chooses")
    assert marks_of(page, "Ada") == 0
    for size in ((1280, 800), (800, 480)):
        nothing_is_cut_off(page, *size)


def tap_pairs(page: Page) -> None:
    """Tap dice until they are two pairs; a die that is tapped again is free."""
    dice = page.locator("#dice [data-die]")
    for index in (0, 1, 2, 3):
        dice.nth(index).click()
    groups = "all => all.map(x => x.dataset.group)"
    expect(dice.nth(4)).to_have_attribute("data-group", "fifth")
    assert dice.evaluate_all(groups) == ["a", "a", "b", "b", "fifth"]
    dice.nth(1).click()
    expect(dice.nth(1)).to_have_attribute("data-group", "none")
    assert dice.evaluate_all(groups) == ["a", "none", "b", "b", "none"]
    dice.nth(4).click()
    expect(dice.nth(1)).to_have_attribute("data-group", "fifth")


def nothing_is_cut_off(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    wait_for_layout(page)
    scrolls = "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert page.evaluate(scrolls) == [width, height]
    for selector in ("#headline", "#tray-picture", "#dice", "#sheets", "#button-confirm"):
        box = box_of(page.locator(selector))
        assert box["x"] >= 0, selector
        assert box["y"] >= 0, selector
        assert box["x"] + box["width"] <= width + 1, selector
        assert box["y"] + box["height"] <= height + 1, selector
