# SPDX-License-Identifier: MIT
"""A table whose dice lie under a dome: a whole game, and its calibration page in a browser."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.runtime.calibration.store import load_calibration
from tests.support.axe import find_barriers
from tests.support.demo_process import DemoProcess
from tests.whole_table.conftest import eventually

END = re.compile(r"1 games, (\d+) rolls read from pixels: 0 wrong, \d+ doubtful")


@pytest.mark.long
def test_a_game_of_choice_is_played_under_a_dome(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "controller.cli.main", "demo", "--tray", "dome", "--no-web"]
    command += ["--autoplay", "1", "--seed", "5", "--data", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = END.search(done.stdout)
    assert found is not None, done.stdout
    assert int(found[1]) >= 10


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def demo(data: Path) -> Iterator[DemoProcess]:
    with DemoProcess(data, "--players", "Ada", "--seed", "5", "--tray", "dome") as demo:
        yield demo
        assert demo.stop() == 0, demo.output


@pytest.mark.browser
def test_a_shake_is_read_and_a_removed_dome_is_asked_for(page: Page, demo: DemoProcess) -> None:
    page.goto(demo.url)
    eventually(page, "#hint", "Shake the dome")
    expect(page.locator("#dice [data-face]")).to_have_count(5)
    page.locator("[data-hand=throw]").click()
    expect(page.locator("body")).to_have_attribute("data-phase", re.compile("choosing|straighten"))
    assert demo.post("/simulator", {"do": "take_out"}) == 200
    assert demo.post("/simulator", {"do": "put_back"}) == 200
    expect(page.locator("#dice [data-face]")).to_have_count(5)


@pytest.mark.browser
def test_a_dome_is_marked_by_itself_or_by_hand(page: Page, demo: DemoProcess, data: Path) -> None:
    page.goto(f"{demo.url}calibrate")
    eventually(page, "#dome-says", "The cards give the size of the dome")
    page.locator("[data-hand=lay_cards]").click()
    eventually(page, "#dome-says", r"Found: (9\d|10\d) mm inside")
    expect(page.locator("#tray-marks .dome")).to_have_count(1)
    page.locator("#dome-by-hand").click()
    eventually(page, "#dome-says", "Marked by hand")
    assert find_barriers(page) == []
    rim = page.locator("[data-handle='1']")
    rim.focus()
    before = int(rim.get_attribute("aria-valuenow") or "0")
    rim.press("ArrowRight")
    expect(rim).to_have_attribute("aria-valuenow", str(before + 1))
    # The middle takes the rim along.
    page.locator("[data-handle='0']").press("ArrowLeft")
    expect(rim).to_have_attribute("aria-valuenow", str(before))
    page.locator("#save").click()
    eventually(page, "#saved", "Saved. The table uses it")
    kept = load_calibration(data)
    assert kept is not None
    assert 90.0 < kept.tray.dome_mm < 110.0
    page.locator("#dome-by-hand").click()
    eventually(page, "#dome-says", "Found")
