# SPDX-License-Identifier: MIT
"""A real Chromium for the tests that do what a person would do."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.page_table import PageTable
from tests.webui.fakes import FakeTray
from tests.webui.visitors import FakeAccess
from webui import create_app
from webui.server import KioskServer

OpenPage = Callable[..., Page]

PATIENCE_MS = 60_000
"""How long a page may take to show what it shall, on a machine that does a lot besides."""

# A test's browser talks to the demo and to nobody else.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("no chromium on this machine: apt-get install chromium")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[OpenPage]:
    """Open the page of a table; at the end no script may have complained."""
    opened: list[tuple[PageTable, KioskServer, Page]] = []
    complaints: list[str] = []

    def open_it(
        of: PageTable, *, size: tuple[int, int] = (1280, 800), has_tray: bool = True
    ) -> Page:
        tray = FakeTray() if has_tray else None
        server = KioskServer(create_app(of, tray, access=FakeAccess()), "127.0.0.1", 0)
        server.start()
        page = chromium.new_page(viewport={"width": size[0], "height": size[1]})
        opened.append((of, server, page))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.emulate_media(reduced_motion="reduce")
        page.goto(server.url)
        expect(page.locator("#headline")).not_to_be_empty()
        return page

    yield open_it
    for of, server, page in opened:
        page.close()
        of.close()
        server.close()
    assert complaints == []
