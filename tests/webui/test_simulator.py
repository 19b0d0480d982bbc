# SPDX-License-Identifier: MIT
"""The simulated tray's controls: there in the demo, nowhere else."""

from __future__ import annotations

import pytest

from tests.webui.fakes import FakeTable, FakeTray
from webui import create_app
from webui.simulator import FAULTS

MOVES = ["throw", "nudge", "turn", "tilt", "take_out", "put_back"]
ON_THE_BENCH = ["lay_cards", "take_cards", "knock"]


@pytest.mark.parametrize("move", [*MOVES, *ON_THE_BENCH])
def test_each_control_moves_the_tray(move: str) -> None:
    tray = FakeTray()
    answer = (
        create_app(FakeTable().running, tray).test_client().post("/simulator", json={"do": move})
    )
    assert answer.status_code == 200
    assert tray.done == [move.replace("_", " ")]


@pytest.mark.parametrize(("grasp", "told"), [("take", "take at"), ("turn_at", "turn at")])
def test_a_die_is_pointed_at_in_pixels_of_the_picture(grasp: str, told: str) -> None:
    tray = FakeTray()
    body = {"do": grasp, "x": 640, "y": 31.5}
    assert (
        create_app(FakeTable().running, tray)
        .test_client()
        .post("/simulator", json=body)
        .status_code
        == 200
    )
    assert tray.done == [f"{told} 640.0 31.5"]


@pytest.mark.parametrize("fault", [*FAULTS, None])
def test_camera_can_fail_and_be_mended(fault: str | None) -> None:
    tray = FakeTray()
    client = create_app(FakeTable().running, tray).test_client()
    assert client.post("/simulator", json={"do": "fault", "name": fault}).status_code == 200
    assert tray.done == [f"fault {fault}"]


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
def test_wrong_control_is_refused_in_words(body: dict[str, object], expected: str) -> None:
    tray = FakeTray()
    answer = create_app(FakeTable().running, tray).test_client().post("/simulator", json=body)
    assert answer.status_code == 400
    assert expected in answer.get_json()["error"]
    assert tray.done == []


def test_a_real_table_has_no_tray_controls() -> None:
    client = create_app(FakeTable().running, None).test_client()
    assert client.post("/simulator", json={"do": "throw"}).status_code == 404
    assert b'id="hands"' not in client.get("/").data


def test_the_demo_page_carries_every_control() -> None:
    page = create_app(FakeTable().running, FakeTray()).test_client().get("/").get_data(as_text=True)
    assert all(f'data-hand="{move}"' in page for move in MOVES)
    assert all(f'data-tool="{tool}"' in page for tool in ("take", "turn_at"))
    assert all(f'<option value="{fault}">' in page for fault in FAULTS)
