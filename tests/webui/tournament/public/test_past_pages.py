# SPDX-License-Identifier: MIT
"""The pages of earlier events read each event once, whatever is asked for."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

import httpx
from starlette.applications import Starlette

from controller.tournament.results.past_events import PastEvents
from controller.tournament.server.store.store import JournalStore
from tests.controller.tournament.archive.cups import play_duplicate_cup
from webui.tournament.public.pages import PastPages


class CountedEvents(PastEvents):
    """Events that note which of them was read."""

    def __init__(self, data: Path, end: int) -> None:
        super().__init__(data, end)
        self.loaded: list[int] = []

    def load(self, number: int) -> JournalStore:
        self.loaded.append(number)
        return super().load(number)


def test_visitors_who_alternate_read_each_event_once(tmp_path: Path) -> None:
    data = tmp_path / "cup"
    play_duplicate_cup(data)
    (data / "events").mkdir()
    play_duplicate_cup(data / "events" / "2")
    past = CountedEvents(data, 3)
    asyncio.run(visit(past))
    assert past.loaded == [1, 2]


async def visit(past: CountedEvents) -> None:
    transport = httpx.ASGITransport(Starlette(routes=[*PastPages(past).list_routes()]))
    async with httpx.AsyncClient(transport=transport, base_url="http://desk.test") as client:
        assert (await client.get("/events/1/nothing")).status_code == 404
        assert (await client.get("/events/3/result.json")).status_code == 404
        assert past.loaded == []
        for number in (1, 2, 1, 2):
            answer = await client.get(f"/events/{number}/result.json")
            assert answer.json()["is_final"] is True
