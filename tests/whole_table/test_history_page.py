# SPDX-License-Identifier: MIT
"""An evening is over: its games are opened, replayed and taken along, on the box and on a phone."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from controller.table.events import MotionStarted
from controller.table.state import TableState
from tests.support.axe import find_barriers
from tests.support.history_pages import PlayedTable, played_table
from tests.support.long_texts import find_cut_texts
from tests.support.page_table import PageTable
from tests.support.quick import first_quick
from tests.support.table import table
from tests.webui.fakes import FakeTray
from tests.webui.visitors import FakeAccess
from tests.whole_table.conftest import Chromium, wait_for_layout
from webui import create_app
from webui.server import KioskServer

pytestmark = pytest.mark.browser

SMALL, PHONE = {"width": 800, "height": 480}, {"width": 390, "height": 844}
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SWIPE_LEFT = """() => {
  const at = (x) => [new Touch({ identifier: 1, target: document.body, clientX: x, clientY: 200 })];
  const send = (name, touches, changed) => document.getElementById("replay").dispatchEvent(
    new TouchEvent(name, { bubbles: true, touches, changedTouches: changed }));
  send("touchstart", at(300), at(300));
  send("touchend", [], at(100));
}"""


@dataclass(frozen=True)
class Evening:
    played: PlayedTable
    live: PageTable
    url: str


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    played = played_table(tmp_path_factory.mktemp("table") / "data")
    live, access = PageTable(TableState()), FakeAccess()
    parts = played.parts(makes_files=False)
    server = KioskServer(
        create_app(live.running, FakeTray(), access=access, history=parts), "127.0.0.1", 0
    )
    server.start()
    yield Evening(played, live, server.url.rstrip("/"))
    live.close()
    server.close()


def is_clear(page: Page) -> None:
    """Check that all of a page is seen and can be read; once, because it hides the texts."""
    wait_for_layout(page)
    assert find_cut_texts(page) == []
    assert page.evaluate(OVERFLOW) == 0
    assert find_barriers(page) == []


def test_a_game_is_found_and_replayed_on_the_box(evening: Evening, chromium: Chromium) -> None:
    page = chromium.new_page(viewport=SMALL, has_touch=True)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.emulate_media(reduced_motion="reduce")
    page.goto(evening.url)
    page.locator("#history-open").click()
    expect(page.locator("#games > li")).to_have_count(4)
    is_clear(page)
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{evening.url}/history/1")
    walk_through(page, evening)
    page.locator("#scores-open").click()
    expect(page.locator("#curve polyline")).to_have_count(2)
    page.locator("#scores .close").click()
    page.keyboard.press("Backspace")
    expect(page.locator("#games > li")).to_have_count(4)
    page.locator("#filter [name=player]").select_option("Ben")
    page.locator("#filter button").click()
    expect(page.locator("#games > li")).to_have_count(2)
    # The dice roll, so the table needs its screen.
    evening.live.put(table("Ada", "Ben"))
    evening.live.happen(MotionStarted())
    expect(page).to_have_url(f"{evening.url}/")
    expect(page.locator("#history-open")).not_to_be_visible()
    evening.live.put(TableState())
    assert complaints == []
    page.close()


def walk_through(page: Page, evening: Evening) -> None:
    with urllib.request.urlopen(f"{evening.url}/history/1/steps.json") as answer:
        steps = json.load(answer)["replay"]["steps"]
    body, count = page.locator("body"), len(steps)
    expect(body).to_have_attribute("data-step", "0")
    page.keyboard.press("ArrowRight")
    expect(body).to_have_attribute("data-step", "1")
    page.locator("#forward").click()
    page.evaluate(SWIPE_LEFT)
    expect(body).to_have_attribute("data-step", "3")
    page.keyboard.press("ArrowLeft")
    expect(body).to_have_attribute("data-step", "2")
    page.keyboard.press("Home")
    expect(page.locator("#back")).to_be_disabled()
    gone = evening.played.pictures[0][1]
    for step in steps:
        if step["picture"]["digest"] == gone:
            expect(page.locator("#picture p")).to_have_text("This picture is no longer stored.")
            break
        is_missing = step["picture"]["digest"] == ""
        expect(page.locator("#picture p")).to_be_visible(visible=is_missing)
        page.keyboard.press("ArrowRight")
    is_clear(page)
    marked = next(place for place, step in enumerate(steps) if step["marks"])
    page.locator("#timeline input").fill(str(marked))
    expect(page.locator("#marks b")).to_have_count(len(steps[marked]["marks"]))
    page.locator("#last").click()
    expect(body).to_have_attribute("data-step", str(count - 1))
    for name, total in evening.played.totals.items():
        page.locator(f"#tabs [data-player={name}]").click()
        shown = page.locator(f"#sheets [data-player={name}] .total")
        expect(shown).to_have_text(str(total).replace("-", "−"))
        expect(page.locator(f"#sheets [data-player={name}] [data-total='{total}']")).to_be_visible()


@pytest.mark.parametrize("size", first_quick(PHONE, SMALL))
def test_players_and_games_are_legible(
    evening: Evening, chromium: Chromium, size: dict[str, int]
) -> None:
    page = chromium.new_page(viewport=size)
    games = ("/history", "/history/2") if size == PHONE else ()
    for address in (*games, "/history/players", "/history/player?name=Ada"):
        page.goto(f"{evening.url}{address}")
        if address == "/history/2":
            expect(page.locator("body")).to_have_attribute("data-step", "0")
            page.locator("#scores-open").click()
            expect(page.locator("#curve svg")).to_be_visible()
        is_clear(page)
    plots = page.locator(".plot")
    assert plots.count() >= 2
    for plot in plots.all():
        expect(plot.locator("svg > title")).to_have_count(1)
        plot.locator("summary").click()
        expect(plot.locator("tbody tr").first).to_be_visible()
    page.close()
