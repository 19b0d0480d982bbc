# SPDX-License-Identifier: MIT
"""
Take the picture of the kiosk in the README: a real browser at a real demo.

A few rolls are played first, so that the sheets are not empty.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2  # noqa: TID251
import numpy as np
from playwright.sync_api import Page, sync_playwright

from vision.frame import Image

SIZE_WH = (1280, 800)
ROLLS = 5
TIMEOUT_MS = 60_000
PRESS_EVERY_MS = 500
SEED = "7"


# A confirm counts only after a second of looking.
_CONFIRM_UNTIL_IT_COUNTS = """headline => {
    if (document.getElementById("headline").textContent !== headline) return true;
    document.getElementById("button-confirm").click();
    return false;
}"""


def take_kiosk_picture() -> Image | None:
    """Return a picture of the kiosk during a choice; None if this machine has no Chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return None
    with TemporaryDirectory() as data:
        command = [sys.executable, "-m", "controller.cli.main", "demo", "--port", "0"]
        command += ["--data", str(Path(data) / "data"), "--seed", SEED]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo:
            try:
                return _photograph(chromium, _read_url(demo))
            finally:
                demo.terminate()


def _read_url(demo: subprocess.Popen[str]) -> str:
    assert demo.stdout is not None
    for line in demo.stdout:
        if found := re.search(r"http://127\.0\.0\.1:\d+/", line):
            return found[0]
    raise RuntimeError("expected the address of the kiosk, found the end of the demo's output")


def _photograph(chromium: str, url: str) -> Image:
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        page = browser.new_page(viewport={"width": SIZE_WH[0], "height": SIZE_WH[1]})
        page.set_default_timeout(TIMEOUT_MS)
        page.goto(url)
        _play(page)
        png = np.frombuffer(page.screenshot(), np.uint8)
        browser.close()
    return np.asarray(cv2.imdecode(png, cv2.IMREAD_COLOR), np.uint8)


def _play(page: Page) -> None:
    """Play some rolls with the first choice each; end while both sums of a roll are shown."""
    for number in range(ROLLS):
        _wait_for(page, "awaiting roll")
        while page.locator("[data-phase=choosing]").count() == 0:
            page.locator("[data-hand=throw]").click()
            _wait_for(page, "rolling", "settling")
            _wait_for(page, "choosing", "straighten")
        while number < ROLLS - 1 and page.locator("[data-phase=choosing]").count():
            page.locator("#button-right").click()
            headline = page.locator("#headline").inner_text()
            page.wait_for_function(_CONFIRM_UNTIL_IT_COUNTS, arg=headline, polling=PRESS_EVERY_MS)
    page.mouse.move(0, 0)


def _wait_for(page: Page, *phases: str) -> None:
    page.wait_for_function(
        "phases => phases.includes(document.body.dataset.phase)", arg=list(phases)
    )
