# SPDX-License-Identifier: MIT
"""A few kills of a real table; and what must not happen is told."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from controller.bench.kills.result import KillResult, find_kill_failures, list_kill_metrics

KILLS = 3
SCREENS = 6


def test_killed_tables_lose_and_invent_nothing() -> None:
    command = [sys.executable, "-m", "controller.cli.main", "bench", "kills", "--json"]
    done = subprocess.run(
        [*command, "--count", str(KILLS)], capture_output=True, text=True, timeout=400, check=False
    )
    told = json.loads(done.stdout)
    assert told["complaints"] == [], told
    assert done.returncode == 0
    assert told["kills"] == KILLS
    assert told["screens compared after a restart"] == KILLS * SCREENS
    assert told["states shown before a kill"] >= KILLS
    assert told["entries in the journals"] > KILLS


@pytest.mark.parametrize(
    ("result", "failure"),
    [
        (KillResult(lost=2), "2 states were shown and are lost"),
        (KillResult(lost_answers=1), "1 presses were confirmed and are lost"),
        (KillResult(lost_entries=1), "1 journals lost entries"),
        (KillResult(lost_pictures=1), "1 rolls have no picture"),
        (KillResult(invented=1), "1 rolls were invented"),
        (KillResult(refused=1), "1 presses were answered with an error"),
        (KillResult(kills=20), "not one roll was taken"),
        (KillResult(differing=["screen 0: phase"]), "screen 0: phase"),
        (KillResult(broken=["line 3: torn"]), "line 3: torn"),
    ],
)
def test_each_failure_of_a_kill_is_told(result: KillResult, failure: str) -> None:
    assert find_kill_failures(result) == [failure]


def test_kills_without_a_failure_are_counted() -> None:
    result = KillResult(kills=2, rolls=3, screens=12)
    assert find_kill_failures(result) == []
    assert list_kill_metrics(result)["screens compared after a restart"] == 12
