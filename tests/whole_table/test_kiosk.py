# SPDX-License-Identifier: MIT
"""What a person does at the kiosk, done by a real browser: sees a fault, throws, taps, confirms."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.demo_process import DemoProcess
from tests.support.page_player import PagePlayer

pytestmark = pytest.mark.browser


def marks_of(page: Page, player: str) -> int:
    lines = page.locator(f"[data-player='{player}'] [data-sum]")
    return sum(int(marks) for marks in lines.evaluate_all("all => all.map(x => x.dataset.marks)"))


def test_a_turn_goes_on_after_a_covered_camera(page: Page, tmp_path: Path) -> None:
    with DemoProcess(tmp_path, "--players", "Ada,Ben", "--seed", "11") as demo:
        page.goto(demo.url)
        headline = page.locator("#headline")
        expect(headline).to_have_text("Ada: throw the dice")
        page.locator("#fault").select_option("blocked")
        expect(page.locator("#panel-text")).to_contain_text("hides the tray")
        expect(page.locator("#panel-fix")).not_to_be_empty()
        page.locator("#fault").select_option("")
        expect(headline).to_have_text("Ada: throw the dice")
        assert PagePlayer(page).throw() == "choosing"
        expect(headline).to_have_text("Ada chooses")
        tap_pairs(page)
        page.locator("#button-confirm").click()
        expect(headline).to_have_text("Ben chooses")
        assert marks_of(page, "Ada") == 2
        page.reload()
        expect(headline).to_have_text("Ben chooses")
        assert marks_of(page, "Ada") == 2
        page.keyboard.press("Backspace")
        expect(headline).to_have_text("Ada chooses")
        assert marks_of(page, "Ada") == 0
        assert demo.stop() == 0, demo.output


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
