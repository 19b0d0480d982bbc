# SPDX-License-Identifier: MIT
"""An official's browser at a running event."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from controller.journal.hashchain import Entry, decode_entry
from tests.controller.tournament.event_tables import BOX
from tests.support.running_event import RunningEvent, run_event, serve_pages
from tests.support.tournament_store import list_lines

DUPLICATE = {
    "name": "Autumn cup",
    "style": "duplicate",
    "game": "choice",
    "games": "1",
    "clock_s": "60",
    "scoring": "sum",
    "tie_break": "play_off",
    "corrected": "recompute",
    "pairing": "random",
    "table_size": "4",
    "lives": "3",
}


@dataclass
class Office:
    event: RunningEvent
    client: httpx.Client
    pin: str

    def do(self, act: str, **fields: str) -> httpx.Response:
        return self.client.post("/organiser", data={"do": act, **fields})

    def must(self, act: str, **fields: str) -> None:
        answer = self.do(act, **fields)
        assert answer.status_code == 303, self.said(answer)

    def said(self, answer: httpx.Response) -> str:
        found = re.search(r'role="alert">(.*?)</p>', answer.text, re.DOTALL)
        return found[1].strip() if found else ""

    def page(self) -> str:
        return self.client.get("/organiser").text

    def kinds(self) -> list[str]:
        return [entry.kind for entry in self.entries()]

    def entries(self) -> list[Entry]:
        lines = [line for line in list_lines(self.event.store) if line.box != BOX]
        return [decode_entry(line.line) for line in lines]

    def last(self) -> tuple[str, Any]:
        """Return the kind and the body of the newest entry that an official made."""
        entries = self.entries()
        made = [entry for entry in entries if entry.body.get("by")]
        return made[-1].kind, made[-1].body


@contextmanager
def open_office(folder: Path) -> Iterator[Office]:
    """Give the browser of the official Olga, who is logged in; the event has not begun."""
    with (
        run_event(folder) as event,
        serve_pages(event, folder) as served,
        httpx.Client(base_url=served.url, timeout=60, trust_env=False) as client,
    ):
        office = Office(event, client, served.pin)
        office.must("log in", pin=served.pin, name="Olga")
        yield office
