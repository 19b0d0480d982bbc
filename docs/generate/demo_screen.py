# SPDX-License-Identifier: MIT
"""Open a page of a running demo in a real browser, for pictures of it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import cv2  # noqa: TID251
import numpy as np
from playwright.sync_api import Page, sync_playwright

from tests.support.server_process import ServerProcess
from vision.frame import Image

SEED = "7"

Taken = TypeVar("Taken")


def open_demo(
    options: Sequence[str],
    address: str,
    take: Callable[[Page], Taken],
    *,
    size_wh: tuple[int, int],
    timeout_ms: int,
) -> Taken | None:
    """
    Return what `take` makes of a page; None if this machine has no Chromium.

    Args:
        options: Of `dicebell demo`, beside its port, its data folder and its seed.
        address: What the address of the page looks like in the demo's output, as a pattern.
        take: Plays until the page shows what the picture is for, and takes it.
        size_wh: Width and height of the page.
        timeout_ms: How long each wait may take.
    """
    chromium = shutil.which("chromium")
    if chromium is None:
        return None
    command = [sys.executable, "-m", "controller.cli.main", "demo", "--port", "0"]
    with TemporaryDirectory() as name:
        command += ["--data", str(Path(name) / "data"), "--seed", SEED, *options]
        with ServerProcess(command) as demo, sync_playwright() as playwright:
            flags = ["--no-sandbox", "--disable-gpu"]
            browser = playwright.chromium.launch(executable_path=chromium, args=flags)
            page = browser.new_page(viewport={"width": size_wh[0], "height": size_wh[1]})
            page.set_default_timeout(timeout_ms)
            page.goto(demo.find(address)[0])
            taken = take(page)
            browser.close()
    return taken


def take_screenshot(page: Page) -> Image:
    """Return what the page shows now, in BGR."""
    png = np.frombuffer(page.screenshot(), np.uint8)
    return np.asarray(cv2.imdecode(png, cv2.IMREAD_COLOR), np.uint8)
