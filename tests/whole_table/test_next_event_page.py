# SPDX-License-Identifier: MIT
"""An official starts the next event of a desk, and every page follows, in a real browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

from controller.base.errors import InputError
from controller.cli.event.server import EventOptions, open_event_server
from controller.runtime.access.store import renew_pin
from tests.controller.tournament.archive.cups import play_duplicate_cup
from tests.support.axe import find_barriers
from tests.support.tournament_store import wait_until_open
from tests.whole_table.conftest import Chromium, log_in_organiser
from webui.tournament.server import TournamentServer

pytestmark = pytest.mark.browser


@contextmanager
def serve_desk(data: Path) -> Iterator[str]:
    refused: list[InputError] = []
    server = TournamentServer("127.0.0.1", 0)
    with open_event_server(EventOptions(data), server, refused.append) as served:
        thread = threading.Thread(target=served.run)
        thread.start()
        try:
            wait_until_open(served.event.store, refused)
            yield server.url
        finally:
            server.stop()
            thread.join()


def test_every_page_follows_to_the_next_event(chromium: Chromium, tmp_path: Path) -> None:
    data = tmp_path / "cup"
    play_duplicate_cup(data)
    pin = renew_pin(data)
    with serve_desk(data) as url:
        phone = chromium.new_page(viewport={"width": 390, "height": 844})
        phone.goto(f"{url}play")
        expect(phone.locator("#join-absence")).to_have_count(1)
        screen = chromium.new_page()
        screen.goto(f"{url}standings")
        expect(screen.locator("#rows tr")).to_have_count(2)
        page = chromium.new_page(viewport={"width": 390, "height": 844})
        page.goto(f"{url}organiser")
        log_in_organiser(page, pin)
        page.get_by_text("Start the next event").first.click()
        assert find_barriers(page) == []
        page.get_by_role("button", name="Start the next event").click()
        expect(page.get_by_role("button", name="Begin")).to_be_visible()
        expect(screen.locator("#rows tr")).to_have_count(0)
        # Nothing of the event before stays on a phone.
        expect(phone.locator("#join-absence")).to_have_count(0)
        page.goto(url)
        assert find_barriers(page) == []
        page.get_by_role("link", name="Standings").click()
        assert page.url == f"{url}events/1/standings"
        expect(page.locator("#rows tr")).to_have_count(2)
        page.get_by_role("link", name="Result to print").click()
        expect(page.locator("h1")).to_have_text("Autumn cup")
        assert page.url == f"{url}events/1/result"
