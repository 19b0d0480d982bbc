# SPDX-License-Identifier: MIT
"""
Take the picture of the kiosk in the README: a real browser at a real demo.

A few rolls are played first, so that the sheets are not empty.
"""

from __future__ import annotations

from playwright.sync_api import Page

from docs.generate.demo_screen import photograph_demo
from vision.frame import Image

SIZE_WH = (1280, 800)
ROLLS = 5
TIMEOUT_MS = 60_000
PRESS_EVERY_MS = 500


# A confirm counts only after a second of looking.
_CONFIRM_UNTIL_IT_COUNTS = """headline => {
    if (document.getElementById("headline").textContent !== headline) return true;
    document.getElementById("button-confirm").click();
    return false;
}"""


def take_kiosk_picture() -> Image | None:
    """Return a picture of the kiosk during a choice; None if this machine has no Chromium."""
    address = r"http://127\.0\.0\.1:\d+/"
    return photograph_demo((), address, _play, size_wh=SIZE_WH, timeout_ms=TIMEOUT_MS)


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
