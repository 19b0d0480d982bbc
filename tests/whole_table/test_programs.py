# SPDX-License-Identifier: MIT
"""
Other programs at a real table: the examples of the documents, over a restart of the table.

An official makes tokens on the service page; a page of another origin asks for three dice, and
gets those that are thrown into the simulated tray and read by the camera.
"""

from __future__ import annotations

import functools
import http.server
import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.demo_process import DemoProcess, Screen
from tests.support.run_process import free_port
from tests.whole_table.conftest import Chromium

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
READERS = 4
SENT = {"request", "answer", "reading", "restart", "game", "closed", "checkpoint"}
"""The kinds of entries of this story that programs get."""


class ExampleReader:
    """`docs/examples/follow.py` as a process, and what it has printed."""

    def __init__(self, url: str, token: str) -> None:
        command = [sys.executable, str(EXAMPLES / "follow.py"), url, token]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self._changed = threading.Condition()
        self.events: list[dict[str, Any]] = []
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def kinds(self) -> list[str]:
        with self._changed:
            return [event["type"] for event in self.events]

    def wait_for(self, kind: str) -> None:
        self.wait_until(lambda kinds: kind in kinds)

    def wait_until(self, is_enough: Callable[[list[str]], bool]) -> None:
        with self._changed:
            is_there = self._changed.wait_for(
                lambda: is_enough([event["type"] for event in self.events]), 120
            )
            assert is_there, f"not enough: {self.events}"

    def close(self) -> None:
        self._process.kill()
        self._thread.join()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._changed:
                self.events.append(json.loads(line))
                self._changed.notify_all()


class QuietFiles(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def origin() -> Iterator[str]:
    """Serve the examples at an origin of their own."""
    handler = functools.partial(QuietFiles, directory=str(EXAMPLES))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def make_token(page: Page, name: str, *, asks: bool) -> str:
    form = page.locator("#token-form")
    form.locator("[name=name]").fill(name)
    form.locator("[value=ask]").set_checked(asks)
    form.locator("button").click()
    expect(page.locator("#api-tokens")).to_contain_text(name)
    return page.locator("#new-token code").inner_text()


def leave_game(demo: DemoProcess) -> None:
    """Leave the game that a demo begins with; it stays parked."""
    screen = Screen(demo.port)
    screen.wait_for(1)
    question = screen.views[-1]["question"]
    assert demo.post("/command", {"do": "leave", "about": question}) == 200
    threading.Thread(target=screen.close, daemon=True).start()


def is_read(readings: int, kinds: list[str]) -> bool:
    """Return whether the throw was read: it is the answer, or one more is in doubt."""
    return "answer" in kinds or kinds.count("reading") >= readings


def throw_until_read(demo: DemoProcess, reader: ExampleReader) -> None:
    """Throw, and again if a die came to rest where the table doubts it, as people do."""
    for readings in range(1, 9):
        assert demo.post("/simulator", {"do": "throw"}) == 200
        reader.wait_until(functools.partial(is_read, readings))
        if "answer" in reader.kinds():
            return


@pytest.mark.browser
def test_programs_ask_for_dice_and_lose_nothing_over_a_restart(
    chromium: Chromium, tmp_path: Path, origin: str
) -> None:
    port = free_port()
    options = ("--port", str(port), "--seed", "4", "--api", origin, "--phones", "watch")
    readers: list[ExampleReader] = []
    try:
        with DemoProcess(tmp_path, *options) as demo:
            leave_game(demo)
            service = chromium.new_page(viewport={"width": 1280, "height": 800})
            service.goto(f"{demo.url}service#machine")
            asker = make_token(service, "Three dice", asks=True)
            tokens = [make_token(service, f"Reader {number}", asks=False) for number in range(3)]
            url = f"http://127.0.0.1:{port}"
            readers += [ExampleReader(url, tokens[number % 3]) for number in range(READERS)]
            for reader in readers:
                reader.wait_for("open")

            page = chromium.new_page()
            page.goto(f"{origin}/ask.html?table={url}#{asker}")
            page.get_by_role("button").click()
            expect(page.locator("#answer")).to_contain_text("Waiting")
            throw_until_read(demo, readers[0])
            expect(page.locator("#answer")).to_have_text(re.compile(r"^\d \d \d$"))
            faces = [int(face) for face in page.locator("#answer").inner_text().split()]
            for reader in readers:
                reader.wait_for("answer")
            demo.kill()
        with DemoProcess(tmp_path, *options):
            for reader in readers:
                reader.wait_for("started")
    finally:
        for reader in readers:
            reader.close()
    lines = (tmp_path / "journal.jsonl").read_text().splitlines()
    entries = [json.loads(line) for line in lines]
    for reader in readers:
        (head, *others) = reader.events
        told = [event["entry"] for event in others if "entry" in event]
        since, until = int(head["last"].partition(".")[0]), told[-1]
        wanted = [entry["seq"] for entry in entries[since + 1 : until + 1] if entry["kind"] in SENT]
        assert told == wanted, "an event was lost, or came twice"
        (answer,) = (event for event in others if event["type"] == "answer")
        assert (answer["faces"], len(answer["dice"])) == (faces, 3)
