# SPDX-License-Identifier: MIT
"""An official takes a list out of the organiser's page and brings it back, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.axe import find_barriers
from tests.support.running_event import run_event, serve_pages
from tests.whole_table.conftest import Chromium, log_in_organiser

pytestmark = pytest.mark.browser


def test_a_list_of_players_goes_out_and_comes_back(chromium: Chromium, tmp_path: Path) -> None:
    club = tmp_path / "club.csv"
    club.write_text("name,key\nAda,DE-1\nBen,DE-1\n")
    (data := tmp_path / "cup").mkdir()
    with run_event(data) as event, serve_pages(event, data) as pages:
        event.begin(games=1)
        page = chromium.new_page(viewport={"width": 390, "height": 844})
        page.goto(f"{pages.url}organiser")
        log_in_organiser(page, pages.pin)
        page.get_by_text("Lists for other programs").click()
        page.locator("[type=file]").set_input_files(club)
        lines = page.locator("[name=content]")
        expect(lines).to_have_value(club.read_text())
        assert find_barriers(page) == []
        page.get_by_role("button", name="Enter this list").click()
        said = page.locator("[role=alert]")
        expect(said).to_have_text("line 3: expected a key that nobody has, found DE-1")
        expect(page.locator("#players h2")).to_have_text("0 players")
        lines.fill("name,key\nAda,DE-1\nBen,DE-2\n")
        page.get_by_role("button", name="Enter this list").click()
        expect(said).to_have_text("The list counts: 4 changes.")
        expect(page.locator("#players h2")).to_have_text("2 players")
        page.get_by_text("Lists for other programs").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="All players: CSV").click()
        out = download.value.path().read_text("utf-8-sig")
        assert out.splitlines() == ["player,name,key", "1,Ada,DE-1", "2,Ben,DE-2"]
        page.goto(page.url)
        expect(said).to_have_count(0)
        expect(page.locator("#players h2")).to_have_text("2 players")
