# SPDX-License-Identifier: MIT
"""The simulated tray's controls: there in the demo, nowhere else."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.webui.fakes import FakeTable, FakeTray
from tests.webui.visitors import FakeAccess
from webui import create_app
from webui.simulator import FAULTS

MOVES = ["throw", "nudge", "turn", "tilt", "take_out", "put_back"]
ON_THE_BENCH = ["lay_cards", "take_cards", "knock"]


@pytest.mark.parametrize(
    ("body", "done"),
    [
        *(({"do": move}, move.replace("_", " ")) for move in [*MOVES, *ON_THE_BENCH]),
        # A die is pointed at in pixels of the picture.
        ({"do": "take", "x": 640, "y": 31.5}, "take at 640.0 31.5"),
        ({"do": "turn_at", "x": 640, "y": 31.5}, "turn at 640.0 31.5"),
        *(({"do": "fault", "name": fault}, f"fault {fault}") for fault in [*FAULTS, None]),
    ],
    ids=str,
)
def test_each_control_moves_the_tray(
    client: FlaskClient, tray: FakeTray, body: dict[str, object], done: str
) -> None:
    assert client.post("/simulator", json=body).status_code == 200
    assert tray.done == [done]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"do": "shake"}, "do: one of throw, nudge"),
        ({"do": "throw", "hard": True}, "exactly the keys do"),
        ({"do": "fault"}, "exactly the keys do, name"),
        ({"do": "fault", "name": "wet"}, "name: one of null, dark"),
        ({"do": "fault", "name": 1}, "name: one of null, dark"),
        ({"do": "take", "x": 3}, "exactly the keys do, x, y"),
        ({"do": "take", "x": 3, "y": "4"}, "y: a position in pixels"),
        ({"do": "turn_at", "x": True, "y": 4}, "x: a position in pixels"),
        ({"do": "turn_at", "x": 1, "y": float("inf")}, "y: a position in pixels"),
        ({"do": "turn_at", "x": 1, "y": 10**400}, "y: a position in pixels"),
        ({}, 'a JSON object with the key "do"'),
    ],
)
def test_wrong_control_is_refused_in_words(
    client: FlaskClient, tray: FakeTray, body: dict[str, object], expected: str
) -> None:
    answer = client.post("/simulator", json=body)
    assert answer.status_code == 400
    assert expected in answer.get_json()["error"]
    assert tray.done == []


def test_a_real_table_has_no_tray_controls() -> None:
    client = create_app(FakeTable().running, None, FakeAccess()).test_client()
    assert client.post("/simulator", json={"do": "throw"}).status_code == 404
    assert b'id="hands"' not in client.get("/").data


def test_the_demo_page_carries_every_control(client: FlaskClient) -> None:
    page = client.get("/").text
    assert all(f'data-hand="{move}"' in page for move in MOVES)
    assert all(f'data-tool="{tool}"' in page for tool in ("take", "turn_at"))
    assert all(f'<option value="{fault}">' in page for fault in FAULTS)
