# SPDX-License-Identifier: MIT
"""The delay from a rest to the drawn page: its stages, the script on the page, and a small run."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.bench.clients.screen import StreamClient
from tests.bench.delay import FIRST_STILL, STAGES, split_delay, time_rolls
from tests.bench.page_probe import REPORT_PATH

MARKS = {name: 10.0 + 0.01 * number**2 for number, name in enumerate((FIRST_STILL, *STAGES))}


def test_stages_follow_each_other_and_add_up() -> None:
    stages = split_delay(MARKS)
    assert list(stages) == list(STAGES)
    assert stages["still"] == pytest.approx(10.0)
    assert stages["camera"] == pytest.approx(30.0)
    assert sum(stages.values()) == pytest.approx(10.0 * len(STAGES) ** 2)


@contextmanager
def drawn_at_once(url: str, _: Path) -> Iterator[None]:
    """Follow the page's stream and report every view at once, as a browser without a screen."""
    port = urlsplit(url).port or 0

    def on_view(view: Any) -> None:
        line = HTTPConnection("127.0.0.1", port)
        now_ms = time.time() * 1000.0
        body = {"version": view["version"], "arrived": now_ms, "shown": now_ms, "drawn": now_ms}
        line.request("POST", REPORT_PATH, json.dumps(body))
        line.getresponse().read()
        line.close()

    client = StreamClient(port, on_view=on_view)
    try:
        yield
    finally:
        client.close()


def test_a_thrown_roll_is_timed_from_its_rest_to_the_page() -> None:
    [marks] = time_rolls(1, drawn_at_once, seed=5, warm_up=0)
    stages = split_delay(marks)
    assert stages["still"] >= 60.0
    assert all(duration > -1.0 for duration in stages.values()), stages
