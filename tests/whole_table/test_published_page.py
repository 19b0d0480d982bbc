# SPDX-License-Identifier: MIT
"""Spectators leave the desk for the published files of the event, in a real browser."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from playwright.sync_api import Page, expect

from controller.tournament.entries.player_entries import PlayerJoined
from controller.tournament.server.player_requests import hash_secret
from tests.support.running_event import run_event, serve_pages
from webui.tournament.browsers import PLAYER_COOKIE

pytestmark = pytest.mark.browser

SECRET = "s" * 32


class _PublicFiles(http.server.SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        """Let pages of other origins read every answer, refusals too."""
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def serve_files(folder: Path) -> Iterator[str]:
    """Give the address of a web server that knows nothing of the desk."""
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(_PublicFiles, directory=str(folder))
    )
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_spectators_leave_the_desk_for_the_published_files(page: Page, tmp_path: Path) -> None:
    public = tmp_path / "public"
    public.mkdir()
    (public / "index.html").write_text("<h1>Published</h1>")
    with (
        run_event(tmp_path) as event,
        serve_files(public) as published,
        serve_pages(event, tmp_path, published=published) as pages,
    ):
        event.begin(name="Cup")
        event.write(PlayerJoined(1, "Ada", hash_secret(SECRET)))
        page.goto(f"{pages.url}standings")
        page.wait_for_url(f"{published}index.html")
        page.goto(f"{pages.url}tv")
        page.wait_for_url(f"{published}index.html#tv")
        page.goto(f"{pages.url}tv?here")
        expect(page.locator("#joined")).to_have_text("1 player is here")
        page.context.add_cookies([{"name": PLAYER_COOKIE, "value": SECRET, "url": pages.url}])
        page.goto(f"{pages.url}standings")
        expect(page.locator("#rows")).to_contain_text("Ada")
        expect(page.locator("body")).to_have_attribute("data-published", "")


def test_the_desk_shows_what_is_missing_elsewhere(page: Page, tmp_path: Path) -> None:
    public = tmp_path / "public"
    public.mkdir()
    with (
        run_event(tmp_path) as event,
        serve_files(public) as published,
        serve_pages(event, tmp_path, published=published) as pages,
    ):
        event.begin(name="Cup")
        event.write(PlayerJoined(1, "Ada", hash_secret(SECRET)))
        wanted = f"{published}index.html, found status 404. The desk shows its own."
        with page.expect_console_message(lambda said: said.text.endswith(wanted)):
            page.goto(f"{pages.url}standings")
        expect(page.locator("#rows")).to_contain_text("Ada")


def test_the_desk_shows_what_cannot_be_reached_elsewhere(page: Page, tmp_path: Path) -> None:
    with serve_files(tmp_path) as gone:
        pass
    with run_event(tmp_path) as event, serve_pages(event, tmp_path, published=gone) as pages:
        event.begin(name="Cup")
        event.write(PlayerJoined(1, "Ada", hash_secret(SECRET)))
        with page.expect_event("requestfailed", lambda request: request.url.startswith(gone)):
            page.goto(f"{pages.url}standings")
        expect(page.locator("#rows")).to_contain_text("Ada")
