# SPDX-License-Identifier: MIT
"""The delay from a rest to the drawn page: its stages, the script on the page, and a small run."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from controller.base.errors import InputError
from tests.bench import page_probe
from tests.bench.clients.screen import StreamClient
from tests.bench.delay import FIRST_STILL, STAGES, split_delay, time_rolls
from tests.bench.page_probe import REPORT_PATH, SCRIPT_PATH, add_probe, open_browser

CLOCKS_S = 0.05
"""How much two clocks of one machine may disagree."""

MARKS = {name: 10.0 + 0.01 * number**2 for number, name in enumerate((FIRST_STILL, *STAGES))}


def test_stages_follow_each_other_and_add_up() -> None:
    stages = split_delay(MARKS)
    assert list(stages) == list(STAGES)
    assert stages["still"] == pytest.approx(10.0)
    assert stages["camera"] == pytest.approx(30.0)
    assert sum(stages.values()) == pytest.approx(10.0 * len(STAGES) ** 2)


def probed(path: str, body: bytes = b"") -> tuple[str, bytes, list[Any]]:
    """Request a path of a page with the probe; return status, content and what was reported."""
    drawn: list[Any] = []
    answered: list[Any] = []

    def kiosk(_: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        start("200 OK", [("Content-Length", "13")])
        return [b"<head></head>"]

    app = add_probe(kiosk, lambda *report: drawn.append(report))
    asked: dict[str, Any] = {"PATH_INFO": path, "CONTENT_LENGTH": str(len(body))}
    asked["wsgi.input"] = type("Body", (), {"read": lambda self, count: body[:count]})()
    content = b"".join(app(asked, lambda *answer: answered.extend(answer)))
    return answered[0], content, drawn


def test_only_the_page_gets_the_script() -> None:
    assert SCRIPT_PATH.encode() in probed("/")[1]
    assert probed("/events")[1] == b"<head></head>"
    assert b"MutationObserver" in probed(SCRIPT_PATH)[1]


def test_a_report_comes_on_the_monotonic_clock() -> None:
    began_s = time.monotonic()
    now_ms = time.time() * 1000.0
    body = {"version": 7, "arrived": now_ms, "shown": now_ms + 5.0, "drawn": now_ms + 9.0}
    status, _, [(version, times)] = probed(REPORT_PATH, json.dumps(body).encode())
    assert (status, version) == ("204 No Content", 7)
    assert began_s - CLOCKS_S <= times["arrived"] <= time.monotonic() + CLOCKS_S
    assert times["drawn"] - times["arrived"] == pytest.approx(0.009, abs=1e-5)


def test_a_machine_without_a_browser_gets_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(page_probe, "BROWSERS", ("no-such-browser",))
    with pytest.raises(InputError, match="a browser: no-such-browser"), open_browser("", tmp_path):
        pass


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
    assert stages["still"] >= 90.0
    assert all(duration > -1.0 for duration in stages.values()), stages
