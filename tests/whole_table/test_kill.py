# SPDX-License-Identifier: MIT
"""
A table that is killed at any moment goes on where it stood, and has lost nothing shown.

The table plays by itself in a process of its own, a screen follows it, and the process
is killed without a warning. Everything the screen was shown has to be in the journal.
"""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest

from controller.journal.journal import JOURNAL_FILE, read_journal
from controller.journal.picture_store import PictureStore, compute_digest
from controller.table.journal_entries import restore_table
from controller.table.state import TableState
from controller.table.view.snapshot import build_snapshot
from tests.support.demo_process import DemoProcess, Screen
from tests.support.quick import first_quick

MOST_VIEWS = 45
LONGEST_PAUSE_S = 0.1
"""A view follows another one after about half of it."""


def confirmed(view: dict[str, Any]) -> tuple[object, ...]:
    """Return what a view shows as confirmed: nothing that a person could still change."""
    players = view["players"]
    sheets = [[row["marks"] for row in player["sheet"]["rows"]] for player in players]
    outcome = json.loads(json.dumps(view["outcome"]))
    return view["progress"], [player["name"] for player in players], sheets, outcome


def histories(folder: Path) -> list[tuple[object, ...]]:
    """Return what every state that the journal went through would have shown as confirmed."""
    entries = [(entry.kind, entry.body) for entry in read_journal(folder).entries]
    state, shown = TableState(), []
    for entry in entries:
        state = restore_table(state, [entry])
        shown.append(confirmed(dict(build_snapshot(state, version=1))))
    return shown


def without_torn_end(journal: bytes) -> bytes:
    return journal[: journal.rfind(b"\n") + 1]


@pytest.mark.parametrize("part", first_quick(3, 1))
def test_killed_at_random_moments_nothing_shown_is_lost(
    tmp_path: Path, pytestconfig: pytest.Config, part: int
) -> None:
    kills = pytestconfig.getoption("--kills") // part
    chance = random.Random(20)
    path = tmp_path / JOURNAL_FILE
    before = b""
    for number in range(kills):
        options = ("--autoplay", "1000", "--players", "Ada,Ben", "--seed", str(number))
        with DemoProcess(tmp_path, *options) as demo:
            screen = Screen(demo.port)
            # So many, that a starved table takes rolls too.
            screen.wait_for(chance.randrange(1, MOST_VIEWS))
            time.sleep(chance.uniform(0.0, LONGEST_PAUSE_S))  # the moment is the test's subject
            demo.kill()
            screen.close()
        now = path.read_bytes()
        assert now.startswith(before), f"kill {number}: the journal lost what it had"
        before = without_torn_end(now)
        kept = histories(tmp_path)
        for view in screen.views:
            assert confirmed(view) in kept, f"kill {number}: shown, but not in the journal"
    rolls = [entry for entry in read_journal(tmp_path).entries if entry.kind == "roll"]
    assert rolls, "no roll was taken between the kills"
    for entry in rolls:
        picture = PictureStore(tmp_path).picture_path(str(entry.body["picture"])).read_bytes()
        assert compute_digest(picture) == entry.body["picture"]


def test_a_torn_last_line_is_cut_and_told_and_the_game_goes_on(tmp_path: Path) -> None:
    with DemoProcess(tmp_path, "--players", "Ada,Ben") as demo:
        demo.kill()
    path = tmp_path / JOURNAL_FILE
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"at_ms":17')
    with DemoProcess(tmp_path) as demo:
        assert "was torn (11 bytes) and has been cut off" in demo.output
        assert "Continuing the game of Ada and Ben" in demo.output
        assert demo.stop() == 0
    assert path.read_bytes().startswith(whole)
    (restart,) = [entry for entry in read_journal(tmp_path).entries if entry.kind == "restart"]
    assert restart.body["torn"] == '{"at_ms":17'
