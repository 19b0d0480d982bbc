# SPDX-License-Identifier: MIT
"""The organiser's page and the standings on paper, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.tournament.entries.call_entries import OfficialCalled
from controller.tournament.entries.draw_entries import DrawMade
from controller.tournament.entries.player_entries import PlayerJoined
from controller.tournament.state.next_draw import compute_draw
from tests.support.running_event import run_event, serve_pages
from tests.whole_table.conftest import Chromium, log_in_organiser

pytestmark = pytest.mark.browser

LEAST_PX = 18  # 14 points, which is large for a list on a wall.


def test_seats_and_standings_are_printed(chromium: Chromium, tmp_path: Path) -> None:
    """Neither the forms nor the code of the event are on the paper."""
    with run_event(tmp_path) as event, serve_pages(event, tmp_path) as pages:
        event.begin(name="Cup", style="tables", games=2)
        for number in range(1, 9):
            event.write(PlayerJoined(number, f"Player {number}"))
        event.send(thrown := event.table.throw("12345"))
        drawn = event.runner.read(lambda state: compute_draw(state.data, "12345"))
        source = event.table.source(thrown)
        event.write(DrawMade(1, drawn.tables, "12345", (source,), drawn.byes))
        page = chromium.new_page()
        page.goto(f"{pages.url}organiser")
        log_in_organiser(page, pages.pin)
        expect(page.locator(".code")).to_be_visible()
        # A call is shown at once, and what an official has opened stays open.
        page.get_by_text("Change something for a player").click()
        unchanged = page.locator("#tables > *").element_handle()
        event.write(OfficialCalled(1))
        expect(page.get_by_role("heading", name="1 call for an official")).to_be_visible()
        expect(page.locator("#players details[open]")).to_have_count(1)
        assert unchanged.evaluate("node => node.isConnected"), "only what has changed is replaced"
        page.emulate_media(media="print")
        for hidden in (".code", "form", "details", "nav"):
            for each in page.locator(hidden).all():
                expect(each).to_be_hidden()
        seats = page.locator("section > p", has_text="Table 2")
        expect(seats).to_be_visible()
        expect(page.locator("td.name")).to_have_count(8)
        for line in (seats, page.locator("td.name").first):
            size = line.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
            assert size >= LEAST_PX
        page.goto(f"{pages.url}standings")
        expect(page.locator("td.name")).to_have_count(8)
        expect(page.locator("#search")).to_be_hidden()
