# SPDX-License-Identifier: MIT
"""What a running table tells monitors, and what it writes down about itself."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from tests.support.demo_process import DemoProcess, Screen

TIMEOUT_S = 60.0


def get(demo: DemoProcess, path: str) -> tuple[int, bytes]:
    line = http.client.HTTPConnection("127.0.0.1", demo.port, timeout=TIMEOUT_S)
    try:
        line.request("GET", path)
        answer = line.getresponse()
        return answer.status, answer.read()
    finally:
        line.close()


def numbers(demo: DemoProcess) -> dict[str, float]:
    families = text_string_to_metric_families(get(demo, "/metrics")[1].decode())
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in families
        for sample in family.samples
    }


def wait_for_view(screen: Screen, fits: Callable[[dict[str, Any]], bool]) -> None:
    seen = 0
    while not (screen.views and fits(screen.views[-1])):
        screen.wait_for(seen := max(seen, len(screen.views)) + 1, TIMEOUT_S)
        assert len(screen.views) >= seen, f"still {screen.views[-1:]}"


def throw(demo: DemoProcess, screen: Screen) -> None:
    """Throw until a roll is taken; a busy machine sees too little of one and asks."""
    demo.post("/simulator", {"do": "throw"})
    wait_for_view(screen, lambda view: view["phase"] in ("choosing", "straighten"))
    while (view := screen.views[-1])["phase"] != "choosing":
        question = view["question"]
        if view["phase"] == "straighten" and view["buttons"]["confirm"]:
            # A die that it takes for set by hand may count.
            demo.post("/command", {"do": "press", "key": "confirm", "about": question})
        elif view["phase"] == "straighten":
            demo.post("/simulator", {"do": "throw"})
        wait_for_change(screen, question)


def wait_for_change(screen: Screen, question: str) -> None:
    wait_for_view(screen, lambda view: view["question"] != question)


def test_a_throw_and_a_fault_are_counted_told_and_logged(tmp_path: Path) -> None:
    with DemoProcess(tmp_path, "--seed", "2", "--players", "Xanthippe,Yngvild") as demo:
        screen = Screen(demo.port)
        wait_for_view(screen, lambda view: len(view["dice"]) == 5)
        throw(demo, screen)
        demo.post("/simulator", {"do": "fault", "name": "dark"})
        wait_for_view(screen, lambda view: view["phase"] == "fault")
        status, body = get(demo, "/healthz")
        told = numbers(demo)
        assert demo.stop() == 0
        screen.close()
    health = json.loads(body)
    assert (status, health["ok"], health["camera"], health["phase"]) == (200, True, "dark", "fault")
    assert health["frames"] > 0
    assert told["dicebell_rolls_total"] == 1
    assert told["dicebell_faults_total camera dark"] == 1
    assert told["dicebell_frames_total"] > 0
    assert told["dicebell_reading_milliseconds_count"] > 0
    assert told["dicebell_journal_milliseconds_count"] >= 3
    assert told["dicebell_followers"] == 1
    assert told["process_resident_memory_bytes"] > 1e7
    for line in ("app: start version=", "camera: camera opened", "table: roll taken roll=", "stop"):
        assert line in demo.output
    assert "fault began device=camera kind=dark" in demo.output
    assert b"Xanthippe" not in body
    assert not any("Xanthippe" in line for line in demo.output.splitlines())
