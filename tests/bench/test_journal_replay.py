# SPDX-License-Identifier: MIT
"""What a journal replays to, compared with what a table shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from controller.journal.journal import JOURNAL_FILE
from controller.table.events import GameStarted
from tests.bench.journal_replay import JournalReplay, encode_confirmed, find_differences
from tests.support.begun_game import begin_game, open_table

START = GameStarted("choice", ("Ada", "Ben"), {})


def write_game(folder: Path, *rolls: str) -> None:
    begin_game(folder, START, rolls, lambda actions: actions[0])


def restart(folder: Path) -> dict[str, Any]:
    """Return the view of a table that is started on a folder."""
    table = open_table(folder)
    try:
        view: dict[str, Any] = json.loads(json.dumps(table.loop.snapshot()))
        return view
    finally:
        table.close()


def test_a_restarted_table_shows_what_the_journal_replays_to(tmp_path: Path) -> None:
    write_game(tmp_path, "11234", "23456")
    replay = JournalReplay(tmp_path)
    assert replay.read_on().rolls == 2
    assert find_differences(restart(tmp_path), replay.view) == []


def test_a_view_that_misses_an_action_differs(tmp_path: Path) -> None:
    write_game(tmp_path, "11234", "23456")
    shown = restart(tmp_path)
    path = tmp_path / JOURNAL_FILE
    lines = path.read_bytes().splitlines(keepends=True)
    last = max(number for number, line in enumerate(lines) if b'"kind":"action"' in line)
    path.write_bytes(b"".join(lines[:last]))
    replay = JournalReplay(tmp_path)
    ended = replay.read_on()
    assert {"players", "undo", "phase", "question"} <= set(find_differences(shown, replay.view))
    assert encode_confirmed(shown) not in ended.confirmed
    assert ended.question == replay.view["question"] != shown["question"]


def test_a_journal_that_lost_its_last_entry_is_told(tmp_path: Path) -> None:
    write_game(tmp_path, "11234")
    replay = JournalReplay(tmp_path)
    replay.read_on()
    path = tmp_path / JOURNAL_FILE
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    again = replay.read_on()
    assert not again.is_continued
    assert again.rolls == 1
