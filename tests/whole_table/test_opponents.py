# SPDX-License-Identifier: MIT
"""A game against an opponent at the real table: killed, played to its end, and verified."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.journal.hashchain import Entry
from controller.journal.journal import read_journal
from tests.support.forked import ForkedCommand
from tests.support.own_logs import logs_as_before

LONGEST_S = 300.0
GAME = ("--game", "black-n-white", "--option", "chips_per_player=1", "--players", "Ada")


def test_a_game_against_an_opponent_ends_and_verifies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = killed_game(tmp_path)
    with playing_at(data, seed=99) as ending:
        printed = ending.stdout.read()
        assert ending.wait(LONGEST_S) == 0, printed
    entries = read_journal(data).entries
    (start,) = (entry for entry in entries if entry.kind == "game")
    assert start.body["players"] == ["Ada", "Pascal"]
    assert [entry for entry in entries if entry.kind == "restart"]
    assert [entry for entry in entries if "result" in entry.body]
    assert {entry.body["by"] for entry in entries if entry.kind == "roll"} == {"Ada", "Pascal"}
    with logs_as_before():
        assert main(["verify", str(data), "--json", "--no-reread"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["breaks"]) == ("fine", [])
    assert "opponent not checked" not in {note["kind"] for note in found["notes"]}


def killed_game(folder: Path) -> Path:
    """
    Return the data of a table that was killed while an opponent played there.

    The simulated tray of the next process has other dice, so none of them may have to stay.
    """
    for attempt in range(10):
        data = folder / str(attempt)
        with playing_at(data, seed=attempt) as playing:
            wait_for_choice(data, playing)
        last = next(e for e in reversed(read_journal(data).entries) if e.kind in ("roll", "action"))
        if last.body.get("do") not in ("throw white", "throw black"):
            return data
    raise AssertionError("each table was killed while a die had to stay")


@contextmanager
def playing_at(data: Path, *, seed: int) -> Iterator[ForkedCommand]:
    options = ("--no-web", "--seed", str(seed), "--opponent", "strong", "--autoplay", "1")
    playing = ForkedCommand(["demo", "--data", str(data), *GAME, *options])
    try:
        yield playing
    finally:
        playing.kill()
        playing.wait()
        for pipe in (playing.stdin, playing.stdout):
            pipe.close()


def wait_for_choice(data: Path, playing: ForkedCommand) -> None:
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
