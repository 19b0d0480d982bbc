# SPDX-License-Identifier: MIT
"""A real Chromium for the tests that do what a person would do."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    FloatRect,
    Locator,
    Page,
    expect,
    sync_playwright,
)

from controller.appliance.welcome.parts import WelcomeParts
from controller.base.settings import WebSettings
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


# The page gives a command up after some seconds, which is too short for a starved machine.
WAIT_FOR_EVERY_ANSWER = "AbortSignal.timeout = () => new AbortController().signal;"


LARGE_SCREEN = {"width": 1920, "height": 1080}
"""The screen around a page, unless a test is about small ones: those get the big layout."""

TWO_FRAMES = """() => new Promise(
    (done) => requestAnimationFrame(() => requestAnimationFrame(done)))"""


class Chromium:
    """A browser whose pages wait as long as a starved machine needs."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def new_context(self, **options: Any) -> BrowserContext:
        return _make_patient(self._browser.new_context(**{"screen": LARGE_SCREEN, **options}))

    def new_page(self, **options: Any) -> Page:
        page = self._browser.new_page(**{"screen": LARGE_SCREEN, **options})
        _make_patient(page.context)
        return page


def _make_patient(context: BrowserContext) -> BrowserContext:
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(WAIT_FOR_EVERY_ANSWER)
    return context


def wait_for_layout(page: Page) -> None:
    """Wait until the page has been laid out again: sheets fit themselves after each layout."""
    page.evaluate(TWO_FRAMES)


def let_no_time_pass(page: Page) -> None:
    """However long this machine takes, presses come one right after the other."""
    page.evaluate("() => { const now = performance.now(); performance.now = () => now; }")


def let_time_pass(page: Page, ms: int) -> None:
    """Let a page that stood still go on, this much later."""
    page.evaluate("ms => { const now = performance.now() + ms; performance.now = () => now; }", ms)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    # Without windows and menus it takes a third less of a processor.
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        pytest.skip("no chromium on this machine: apt-get install chromium")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield Chromium(browser)
        browser.close()


@pytest.fixture
def page(chromium: Chromium) -> Iterator[Page]:
    """Open a page that shows nothing yet; at the end no script may have complained."""
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.emulate_media(reduced_motion="reduce")
    yield page
    # pytest shows it if the test fails.
    print(f"--- the page showed:\n{page.locator('body').inner_text()}")  # noqa: T201
    page.close()
    assert complaints == []


def eventually(page: Page, selector: str, text: str) -> None:
    """Wait until an element contains a text, a regular expression."""
    expect(page.locator(selector)).to_contain_text(re.compile(text))


def box_of(node: Locator) -> FloatRect:
    box = node.bounding_box()
    assert box is not None, node
    return box


def is_inside(inner: FloatRect, outer: FloatRect, slack_px: float = 1) -> bool:
    return (
        inner["x"] >= outer["x"] - slack_px
        and inner["y"] >= outer["y"] - slack_px
        and inner["x"] + inner["width"] <= outer["x"] + outer["width"] + slack_px
        and inner["y"] + inner["height"] <= outer["y"] + outer["height"] + slack_px
    )


def screen_of(page: Page) -> FloatRect:
    """Return what a page has room for."""
    size = page.viewport_size
    assert size is not None
    return FloatRect(x=0, y=0, width=size["width"], height=size["height"])


def _wh(size: tuple[int, int]) -> dict[str, int]:
    return {"width": size[0], "height": size[1]}


@pytest.fixture
def open_page(chromium: Chromium) -> Iterator[OpenPage]:
    """Open the page of a table; at the end no script may have complained."""
    opened: list[tuple[PageTable, KioskServer, Page]] = []
    complaints: list[str] = []

    def open_it(
        of: PageTable,
        *,
        size: tuple[int, int] = (1280, 800),
        screen: tuple[int, int] = (1920, 1080),
        has_tray: bool = True,
        welcome: WelcomeParts | None = None,
        language: str = "en",
        has_touch: bool = False,
    ) -> Page:
        tray = FakeTray() if has_tray else None
        web = WebSettings(language=language)
        app = create_app(of.running, tray, access=FakeAccess(), web=web, welcome=welcome)
        server = KioskServer(app, "127.0.0.1", 0)
        server.start()
        page = chromium.new_page(viewport=_wh(size), screen=_wh(screen), has_touch=has_touch)
        opened.append((of, server, page))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.emulate_media(reduced_motion="reduce")
        page.goto(server.url)
        expect(page.locator("#headline")).not_to_be_empty()
        return page

    yield open_it
    for of, server, page in opened:
        view = of.snapshot()
        print(f"--- the table: {view['phase']}, {view['headline']!r}, {view['notice']}, {of.sent}")  # noqa: T201
        page.close()
        of.close()
        server.close()
    assert complaints == []


def expect_phase(page: Page, phase: str) -> None:
    """Wait for the phase of a player's page of an event."""
    expect(page.locator("body")).to_have_attribute("data-phase", phase)


def join_event(page: Page, name: str) -> None:
    page.locator("#new-name").fill(name)
    page.locator("#join-form button").click()


def choose_action(page: Page, action: str) -> None:
    expect_phase(page, "choose")
    page.locator(f"#choices [data-action='{action}']").click()
    page.locator("#do-confirm").click()


def say_name(page: Page, name: str) -> None:
    page.locator("#who-names a", has_text=name).click()


def log_in_organiser(page: Page, pin: str) -> None:
    """Log in as Olga at a page of an event."""
    page.locator("[name=name]").fill("Olga")
    page.locator("[name=pin]").fill(pin)
    page.get_by_role("button", name="Log in").click()
