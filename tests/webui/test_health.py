# SPDX-License-Identifier: MIT
"""What monitors are told, and with which status."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from tests.webui.fakes import WELL, FakeTable
from webui import create_app
from webui.auth.roles import Role, Viewer
from webui.auth.stream_slots import StreamSlots

BOX = Viewer(Role.BOX)


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def client(table: FakeTable) -> FlaskClient:
    return create_app(table, None).test_client()


def test_a_table_that_is_well_is_200_and_says_what_lives(client: FlaskClient) -> None:
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json == {
        "ok": True,
        "wrong": [],
        "loop": "live",
        "camera": "live",
        "tournament": "off",
        "journal": "live",
        "phase": "lobby",
        "frames": 7,
        "up_s": 1.5,
        "version": "1.2.3",
        "clock": "live",
        "mqtt": "off",
        "peripherals": "live",
    }


def test_a_missing_camera_is_reported_but_no_program_fault(
    client: FlaskClient, table: FakeTable
) -> None:
    table.how = replace(WELL, camera="gone")
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json is not None
    assert answer.json["camera"] == "gone"


def test_what_is_wrong_is_503_with_its_words(client: FlaskClient, table: FakeTable) -> None:
    table.how = replace(WELL, wrong=("the loop has not been heard of",), loop="stuck for 3 s")
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json is not None
    assert answer.json["wrong"] == ["the loop has not been heard of"]
    assert answer.json["ok"] is False


def test_metrics_are_prometheus_text_and_not_cached(client: FlaskClient) -> None:
    answer = client.get("/metrics")
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.get_data(as_text=True) == "dicebell_rolls_total 3.0\n"


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
        assert table.followers == 1
    assert table.followers == 0
