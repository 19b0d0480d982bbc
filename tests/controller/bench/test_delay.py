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
from controller.bench.delay import page
from controller.bench.delay.page import REPORT_PATH, SCRIPT_PATH, add_probe, open_browser
from controller.bench.delay.run import measure_delay
from controller.bench.delay.stages import FIRST_STILL, STAGES, list_delay_metrics, split_delay
from controller.bench.soak.screen import StreamClient
from controller.cli.bench_tables import serve_probed_kiosk

CLOCKS_S = 0.05
"""How much two clocks of one machine may disagree."""

MARKS = {name: 10.0 + 0.01 * number**2 for number, name in enumerate((FIRST_STILL, *STAGES))}


def test_stages_follow_each_other_and_add_up() -> None:
    stages = split_delay(MARKS)
    assert list(stages) == list(STAGES)
    assert stages["still"] == pytest.approx(10.0)
    assert stages["camera"] == pytest.approx(30.0)
    assert sum(stages.values()) == pytest.approx(10.0 * len(STAGES) ** 2)


def test_metrics_have_the_median_of_every_stage() -> None:
    later = {name: at_s + (at_s > 10.0) * 0.01 for name, at_s in MARKS.items()}
    metrics = list_delay_metrics([MARKS, later, later])
    assert metrics["rolls"] == 3
    assert metrics["still, median, ms"] == pytest.approx(20.0)
    assert metrics["camera, median, ms"] == pytest.approx(30.0)
    assert metrics["rest to screen, 90th of 100, ms"] == pytest.approx(1010.0)


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


def test_a_machine_without_a_browser_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(page, "BROWSERS", ("no-such-browser",))
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
    measured = measure_delay(
        1, serve_probed_kiosk, drawn_at_once, seed=5, report=lambda line: None, warm_up=0
    )
    [marks] = measured.rolls
    stages = split_delay(marks)
    assert stages["still"] >= 90.0
    assert all(duration > -1.0 for duration in stages.values()), stages
