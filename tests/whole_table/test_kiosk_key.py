# SPDX-License-Identifier: MIT
"""The kiosk's script hands the table's key to a real browser, which becomes the box's screen."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.run_process import RunProcess
from tests.whole_table.conftest import Chromium
from tests.whole_table.test_run import settings_of

pytestmark = pytest.mark.browser

SCRIPT = Path(__file__).parents[2] / "hardware" / "appliance" / "kiosk.sh"


def test_the_script_makes_its_browser_the_boxs_own_screen(
    tmp_path: Path, chromium: Chromium
) -> None:
    started, browser = tmp_path / "started", tmp_path / "browser"
    os.mkfifo(started)
    browser.write_text(
        f'#!/bin/sh\nfor last; do :; done\necho "$last" >{started}\nexec sleep 600\n'
    )
    browser.chmod(0o755)
    page = chromium.new_page()
    with RunProcess(settings_of(tmp_path)) as run:
        kiosk = subprocess.Popen(
            ["/bin/sh", SCRIPT],
            env={
                "PATH": os.environ["PATH"],
                "XDG_RUNTIME_DIR": str(tmp_path),
                "KIOSK_URL": run.url,
                "KIOSK_KEY": str(tmp_path / "data" / "kiosk.key"),
                "KIOSK_BROWSER": str(browser),
                "KIOSK_CHECK_S": "0.1",
                "KIOSK_PATIENCE": "100000",
            },
        )
        page.goto(run.url)
        expect(page.locator("body")).to_have_attribute("data-role", "watcher")
        page.goto(started.read_text().strip())
        page.wait_for_url(run.url)
        expect(page.locator("body")).to_have_attribute("data-role", "box")
        kiosk.terminate()
        assert kiosk.wait() == 0
        assert run.stop() == 0, run.output
    page.close()
