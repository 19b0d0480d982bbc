# SPDX-License-Identifier: MIT
"""A report in a real Chromium that has no network: read, on a phone, and printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from controller.games.contract import Options
from controller.history.report.html import render_html
from controller.history.report.report import build_report
from tests.support.proven_game import proven_game
from tests.support.random_journal import BEGAN_MS
from tests.whole_table.conftest import Chromium, box_of

pytestmark = pytest.mark.browser

NAMES = ("<img src=x onerror=alert(1)>", "Søren-Aleksander von Hohenzollern-Sigmar", "Cleo")

OpenReport = Callable[..., Page]


@pytest.fixture
def open_report(chromium: Chromium, tmp_path: Path) -> Iterator[OpenReport]:
    """Open a report without a network; at the end nothing else may have been asked for."""
    opened: list[tuple[BrowserContext, str]] = []
    asked: list[str] = []
    complaints: list[str] = []

    def open_it(
        game: str, *, options: Options | None = None, size: tuple[int, int] = (1280, 900)
    ) -> Page:
        folder = tmp_path / "data"
        proven_game(folder, game, names=NAMES, options=options, seed=5, mischief=0.5)
        told = build_report(folder, None, now_ms=BEGAN_MS, zone=UTC, made_by="dicebell 1.2")
        file = tmp_path / "game.html"
        file.write_text(render_html(told))
        context = chromium.new_context(offline=True, viewport={"width": size[0], "height": size[1]})
        page = context.new_page()
        opened.append((context, file.as_uri()))
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(file.as_uri())
        return page

    yield open_it
    foreign = [url for url in asked if not url.startswith("data:")]
    assert foreign == [uri for _, uri in opened]
    assert complaints == []
    for context, _ in opened:
        context.close()


def is_styled(page: Page) -> bool:
    style = "getComputedStyle(document.querySelector('.verdict')).borderLeftStyle"
    return bool(page.evaluate(style) == "solid")


def overflow_px(page: Page) -> int:
    root = "document.documentElement"
    return int(page.evaluate(f"{root}.scrollWidth - {root}.clientWidth"))


def test_it_opens_without_a_network_and_shows_every_picture(open_report: OpenReport) -> None:
    page = open_report("choice", options={"jokers": True})
    assert is_styled(page)
    pictures = page.locator(".photo img")
    assert pictures.count() > 3
    sizes = "images => images.map(image => image.complete && image.naturalWidth > 0)"
    assert all(pictures.evaluate_all(sizes))
    assert page.locator(".lead").inner_text().startswith(NAMES[0])
    assert page.locator(".qr svg").count() == 2


def test_the_dice_are_ringed_where_they_lie(open_report: OpenReport) -> None:
    page = open_report("choice")
    chapter = page.locator(".chapter.roll", has=page.locator(".ring")).first
    outer, inner = box_of(chapter.locator(".photo")), box_of(chapter.locator(".ring").first)
    # The first die of a roll lies at 60, 90 in a picture of 480 by 240.
    scale = outer["width"] / 480
    assert inner["x"] + inner["width"] / 2 - outer["x"] == pytest.approx(60 * scale, abs=2)
    assert inner["y"] + inner["height"] / 2 - outer["y"] == pytest.approx(90 * scale, abs=2)


@pytest.mark.parametrize("game", ["choice", "black-n-white", "wuerfelspiel"])
def test_a_phone_shows_it_whole_and_no_printed_roll_is_torn(
    open_report: OpenReport, game: str
) -> None:
    page = open_report(game, size=(360, 740))
    assert overflow_px(page) == 0
    page.set_viewport_size({"width": 1280, "height": 900})
    document = page.pdf(prefer_css_page_size=True)
    assert document.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", document)) > 1
    # A4 in points, give or take what rounding makes of 210 by 297 millimetres.
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)", document)
    assert box
    assert float(box[1]) == pytest.approx(595, abs=1)
    assert float(box[2]) == pytest.approx(842, abs=1)
    page.emulate_media(media="print")
    breaks = "rolls => rolls.map(roll => getComputedStyle(roll).breakInside)"
    assert set(page.locator(".chapter").evaluate_all(breaks)) == {"avoid"}
