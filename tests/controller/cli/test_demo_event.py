# SPDX-License-Identifier: MIT
"""`dicebell demo --desk`: a tournament that plays by itself, as a process."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

import httpx

from tests.controller.conftest import Dicebell
from tests.support.demo_process import DemoProcess

WAIT_S = 120.0


def test_demo_plays_a_tournament_by_itself(tmp_path: Path) -> None:
    """The table joins, players join and choose, rolls close, pictures arrive, and it ends."""
    with DemoProcess(tmp_path, "--desk", "0") as demo:
        end_s = time.monotonic() + WAIT_S
        found = demo.find(r"(http://\S+/)organiser .* PIN (\d+)\n")
        with httpx.Client(base_url=found[1], trust_env=False, timeout=60) as client:
            roll = wait_for_closed_roll(client, end_s)
            assert sum(choice["players"] for choice in roll["field"]) == 24
            picture = f"/pictures/{roll['picture']}"
            while client.get(picture).status_code != 200:
                assert time.monotonic() < end_s
                time.sleep(0.05)
            rows = client.get("/result.json").json()["rows"]
            assert len(rows) == 24
            assert {row["place"] for row in rows} != {1}
            login = {"do": "log in", "pin": found[2]}
            assert client.post("/organiser", data=login).status_code == 303
        assert demo.stop() == 0
    assert (tmp_path / "event" / "event.sqlite").exists()


def wait_for_closed_roll(client: httpx.Client, end_s: float) -> dict[str, Any]:
    while True:
        answer = client.get("/public/rolls.json")
        games = answer.json()["games"] if answer.status_code == 200 else []
        closed: list[dict[str, Any]] = [
            roll for game in games for roll in game["rolls"] if not roll["is_open"]
        ]
        if closed:
            return closed[0]
        assert time.monotonic() < end_s
        time.sleep(0.1)


def test_demo_of_a_tournament_has_its_own_game(dicebell: Dicebell) -> None:
    done = dicebell("demo", "--desk", "--game", "choice")
    assert done.status == 2
    assert "expected --desk without --autoplay, --game" in done.complaint
