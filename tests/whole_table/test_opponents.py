# SPDX-License-Identifier: MIT
"""A game against an opponent at the real table: killed, played to its end, and verified."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from controller.journal.hashchain import Entry
from controller.journal.journal import read_journal

LONGEST_S = 300.0
GAME = ("--game", "black-n-white", "--option", "chips_per_player=1", "--players", "Ada")
COMMAND = (sys.executable, "-m", "controller.cli.main")


def test_a_game_against_an_opponent_ends_and_verifies(tmp_path: Path) -> None:
    data = killed_game(tmp_path)
    ended = subprocess.run(
        demo_of(data, seed=99), capture_output=True, text=True, timeout=LONGEST_S, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    entries = read_journal(data).entries
    (start,) = (entry for entry in entries if entry.kind == "game")
    assert start.body["players"] == ["Ada", "Pascal"]
    assert [entry for entry in entries if entry.kind == "restart"]
    assert [entry for entry in entries if "result" in entry.body]
    assert {entry.body["by"] for entry in entries if entry.kind == "roll"} == {"Ada", "Pascal"}
    found = verify(data)
    assert (found["status"], found["breaks"]) == ("fine", [])
    assert "opponent not checked" not in {note["kind"] for note in found["notes"]}


def killed_game(folder: Path) -> Path:
    """
    Return the data of a table that was killed while an opponent played there.

    The simulated tray of the next process has other dice, so none of them may have to stay.
    """
    for attempt in range(10):
        data = folder / str(attempt)
        with subprocess.Popen(demo_of(data, seed=attempt), stdout=subprocess.DEVNULL) as playing:
            wait_for_choice(data, playing)
            playing.kill()
        last = next(e for e in reversed(read_journal(data).entries) if e.kind in ("roll", "action"))
        if last.body.get("do") not in ("throw white", "throw black"):
            return data
    raise AssertionError("each table was killed while a die had to stay")


def demo_of(data: Path, *, seed: int) -> list[str]:
    options = ("--no-web", "--seed", str(seed), "--opponent", "strong", "--autoplay", "1")
    return [*COMMAND, "demo", "--data", str(data), *GAME, *options]


def verify(data: Path) -> dict[str, Any]:
    command = [*COMMAND, "verify", str(data), "--json", "--no-reread"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def wait_for_choice(data: Path, playing: subprocess.Popen[bytes]) -> None:
    """Wait until the opponent has chosen something."""
    until_s = time.monotonic() + LONGEST_S
    while not any(is_choice(entry) for entry in entries_so_far(data)):
        assert playing.poll() is None, "the game was over before the opponent chose"
        assert time.monotonic() < until_s
        time.sleep(0.05)


def entries_so_far(data: Path) -> list[Entry]:
    path = data / "journal.jsonl"
    return list(read_journal(data).entries) if path.exists() and path.stat().st_size else []


def is_choice(entry: Entry) -> bool:
    return entry.kind == "action" and entry.body["by"] == "Pascal"
