# SPDX-License-Identifier: MIT
"""The thread of a running table that keeps its history up to date."""

from __future__ import annotations

import logging
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.history import follower
from controller.history.follower import POLL_S, RETRY_S, HistoryFollower
from controller.history.history import TableHistory
from controller.table.events import GameLeft, GameStarted
from tests.controller.history.written_games import add_finished, begin_journal
from tests.support.begun_game import open_table
from tests.support.random_journal import WrittenJournal

LINES = "dicebell.history"


class Waits:
    """Waits as a table does, and takes the next step of a test whenever the follower is idle."""

    def __init__(self, *steps: Callable[[], None]) -> None:
        self._steps = list(steps)
        self.idle_s: list[float] = []

    def __call__(self, timeout_s: float) -> bool:
        if timeout_s not in (POLL_S, RETRY_S):
            time.sleep(timeout_s)
            return False
        self.idle_s.append(timeout_s)
        if not self._steps:
            return True
        self._steps.pop(0)()
        return False


def journal_of(games: int) -> WrittenJournal:
    journal = begin_journal()
    for seed in range(games):
        add_finished(journal, ("Ada", "Ben"), seed=seed)
    return journal


def read_all(folder: Path) -> int:
    history = TableHistory(folder, in_memory=True)
    history.index.catch_up()
    return history.list_games().count


def test_it_follows_a_running_table(tmp_path: Path) -> None:
    """Games are there while they are played, and nothing is lost at the end."""
    runtime = open_table(tmp_path)
    runtime.begin()
    history = TableHistory(tmp_path)
    found: list[list[tuple[int, str]]] = []

    def play() -> None:
        runtime.loop.handle(GameStarted("choice", ("Ada", "Ben")))

    def leave() -> None:
        found.append([(game.number, game.status) for game in history.list_games().games])
        runtime.loop.handle(GameLeft())

    def read() -> None:
        found.append([(game.number, game.status) for game in history.list_games().games])

    HistoryFollower(tmp_path, history, Waits(play, leave, read)).run()
    runtime.close()
    assert found == [[(1, "open")], [(1, "parked")]]
    assert read_all(tmp_path) == 1


def test_a_long_journal_is_read_by_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(follower, "NEAR_BYTES", 10_000)
    journal_of(3).write(tmp_path)
    history = TableHistory(tmp_path)
    counts: list[int] = []
    with caplog.at_level(logging.INFO, LINES):
        HistoryFollower(
            tmp_path, history, Waits(lambda: counts.append(history.list_games().count))
        ).run()
    assert counts == [3]
    assert [line.fields["status"] for line in caplog.records if hasattr(line, "fields")] == [0]


def test_without_another_process_the_thread_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "NEAR_BYTES", 10_000)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    journal_of(3).write(tmp_path)
    history = TableHistory(tmp_path)
    counts: list[int] = []
    read = Waits(lambda: counts.append(history.list_games().count))
    HistoryFollower(tmp_path, history, read).run()
    assert counts == [3]


def test_a_failure_is_logged_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A thread that dies would end the table."""
    journal_of(1).write(tmp_path)
    history = TableHistory(tmp_path)

    def fail(**_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(history.index, "catch_up", fail)
        waits = Waits(patched.undo, lambda: None)
        HistoryFollower(tmp_path, history, waits).run()
    assert waits.idle_s == [RETRY_S, POLL_S, POLL_S]
    assert "history not updated" in caplog.text
    assert read_all(tmp_path) == 1
