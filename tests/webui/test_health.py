# SPDX-License-Identifier: MIT
"""What monitors are told, and with which status."""

from __future__ import annotations

from importlib.metadata import version

from flask.testing import FlaskClient

from controller.runtime.monitoring.health import LOOP_PATIENCE_S
from controller.table.events import CAMERA, DeviceLost
from tests.webui.fakes import FakeTable
from webui.auth.roles import Role, Viewer
from webui.auth.stream_slots import StreamSlots

BOX = Viewer(Role.BOX)


def test_a_table_that_is_well_is_200_and_says_what_lives(client: FlaskClient) -> None:
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json == {
        "ok": True,
        "wrong": [],
        "loop": "live",
        "camera": "starting",
        "tournament": "off",
        "journal": "live",
        "phase": "lobby",
        "frames": 0,
        "up_s": 0.0,
        "version": version("dicebell"),
        "clock": "live",
        "mqtt": "off",
        "peripherals": "live",
    }


def test_a_missing_camera_is_reported_but_no_program_fault(
    client: FlaskClient, table: FakeTable
) -> None:
    table.handle(DeviceLost(CAMERA, "The camera was unplugged", "Plug it in.", kind="gone"))
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json is not None
    assert answer.json["camera"] == "gone"


def test_what_is_wrong_is_503_with_its_words(client: FlaskClient, table: FakeTable) -> None:
    table.monitor.expect_heartbeats()
    table.clock.wait_s(LOOP_PATIENCE_S + 3.0)
    table.monitor.on_frame()
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json is not None
    assert answer.json["wrong"] == ["the loop gave no heartbeat in time"]
    assert (answer.json["loop"], answer.json["ok"]) == ("stuck for 3 s", False)


def test_metrics_are_prometheus_text_and_not_cached(client: FlaskClient) -> None:
    answer = client.get("/metrics")
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "\ndicebell_rolls_total 0.0\n" in answer.get_data(as_text=True)


def test_streams_are_counted_as_they_come_and_go() -> None:
    counts: list[int] = []
    slots = StreamSlots(2, on_change=counts.append)
    first, second = slots.acquire(BOX), slots.acquire(BOX)
    assert slots.acquire(BOX) is None
    assert first is not None
    first()
    first()
    assert second is not None
    second()
    assert counts == [1, 2, 1, 0]


def test_a_screen_that_follows_is_counted(client: FlaskClient, table: FakeTable) -> None:
    with client.get("/events"):
        assert "\ndicebell_followers 1.0\n" in table.monitor.metrics.text()
    assert "\ndicebell_followers 0.0\n" in table.monitor.metrics.text()
