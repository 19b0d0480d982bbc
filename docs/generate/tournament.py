# SPDX-License-Identifier: MIT
"""
Take the picture of the big screen of a tournament: a real browser at `dicebell demo --desk`.

Some rolls are played first, so that players differ.
"""

from __future__ import annotations

from playwright.sync_api import Page

from docs.generate.demo_screen import open_demo, take_screenshot
from vision.frame import Image

SIZE_WH = (1920, 1080)
ROLLS = 6
TIMEOUT_MS = 240_000

# The picture of a roll comes a moment after it, and some have chosen by then.
_IS_READY = """rolls => {
    const { shows } = document.body.dataset;
    const chosen = parseInt(document.getElementById("count-text").textContent, 10);
    const number = parseInt(document.getElementById("progress").textContent.split(" ").at(-1), 10);
    const picture = document.getElementById("picture");
    return shows === "roll" && number >= rolls && chosen >= 10 && !picture.hidden;
}"""


def take_tournament_picture() -> Image | None:
    """Return a picture of a big screen during a roll; None if this machine has no Chromium."""
    options, address = ("--desk", "0"), r"http://127\.0\.0\.1:\d+/tv"
    return open_demo(options, address, _take, size_wh=SIZE_WH, timeout_ms=TIMEOUT_MS)


def _take(page: Page) -> Image:
    page.wait_for_function(_IS_READY, arg=ROLLS)
    return take_screenshot(page)
