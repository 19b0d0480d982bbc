# SPDX-License-Identifier: MIT
"""
What a person does at the kiosk, done by a real browser: sees a fault, throws, taps, confirms.

The table tells monitors of it, and its log.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.demo_process import DemoProcess
from tests.support.page_player import PagePlayer

pytestmark = pytest.mark.browser

LOGGED = (
    *("app: start version=", "camera: camera opened", "fault began device=camera kind=blocked"),
    *("table: roll taken roll=", "stop"),
)


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
        answer = demo.request("/healthz")
        health = json.loads(answer.body)
        assert (answer.status, health["ok"], health["phase"]) == (200, True, "fault")
        assert health["camera"] == "blocked"
        assert health["frames"] > 0
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
        metrics = read_metrics(demo)
        assert demo.stop() == 0, demo.output
    assert metrics["dicebell_rolls_total"] == 1
    assert metrics['dicebell_faults_total{kind="camera blocked"}'] == 1
    assert metrics["dicebell_frames_total"] > 0
    assert metrics["dicebell_reading_milliseconds_count"] > 0
    assert metrics["dicebell_journal_milliseconds_count"] >= 3
    assert metrics["dicebell_followers"] == 1
    for line in LOGGED:
        assert line in demo.output
    assert b"Ada" not in answer.body
    assert "Ada" not in demo.output


def read_metrics(demo: DemoProcess) -> dict[str, float]:
    lines = demo.request("/metrics").body.decode().splitlines()
    samples = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in samples}


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
