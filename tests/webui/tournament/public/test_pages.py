# SPDX-License-Identifier: MIT
"""The pages that everybody may open, on a real server with a running event."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

import httpx

from tests.support.running_event import RunningEvent, run_event, serve_pages


@pytest.fixture
def event(tmp_path: Path) -> Iterator[RunningEvent]:
    with run_event(tmp_path) as event:
        yield event


@pytest.fixture
def client(event: RunningEvent, tmp_path: Path) -> Iterator[httpx.Client]:
    with (
        serve_pages(event, tmp_path) as pages,
        httpx.Client(base_url=pages.url, trust_env=False, timeout=60) as client,
    ):
        yield client


def test_first_page_shows_what_is_played(event: RunningEvent, client: httpx.Client) -> None:
    before = client.get("/").text
    assert "The event has not begun" in before
    assert "/play" not in before
    event.begin(name="Cup <1>", games=4)
    event.wait_until(lambda state: state.data.begun)
    after = client.get("/", headers={"Accept-Language": "de"})
    assert "Cup &lt;1&gt;" in after.text
    assert f"{client.base_url.host}:{client.base_url.port}/play" in after.text
    assert '<html lang="de"' in after.text
