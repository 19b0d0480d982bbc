# SPDX-License-Identifier: MIT
"""
Take the picture of the big screen of a tournament: a real browser at `dicebell demo --desk`.

Some rolls are played first, so that players differ.
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
from playwright.sync_api import sync_playwright

from vision.frame import Image

SIZE_WH = (1920, 1080)
ROLLS = 6
TIMEOUT_MS = 240_000
SEED = "7"

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
    chromium = shutil.which("chromium")
    if chromium is None:
        return None
    with TemporaryDirectory() as data:
        command = [sys.executable, "-m", "controller.cli.main", "demo", "--desk", "0"]
        command += ["--port", "0", "--data", str(Path(data) / "data"), "--seed", SEED]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo:
            try:
                return _photograph(chromium, _read_url(demo))
            finally:
                demo.terminate()


def _read_url(demo: subprocess.Popen[str]) -> str:
    assert demo.stdout is not None
    for line in demo.stdout:
        if found := re.search(r"http://127\.0\.0\.1:\d+/tv", line):
            return found[0]
    raise RuntimeError("expected the address of the screen, found the end of the demo's output")


def _photograph(chromium: str, url: str) -> Image:
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        page = browser.new_page(viewport={"width": SIZE_WH[0], "height": SIZE_WH[1]})
        page.set_default_timeout(TIMEOUT_MS)
        page.goto(url)
        page.wait_for_function(_IS_READY, arg=ROLLS)
        png = np.frombuffer(page.screenshot(), np.uint8)
        browser.close()
    return np.asarray(cv2.imdecode(png, cv2.IMREAD_COLOR), np.uint8)
