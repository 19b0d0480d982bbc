# SPDX-License-Identifier: MIT
"""A few kills of a real table; and what must not happen is told."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from controller.bench.kills.result import KillResult, find_kill_failures, list_kill_metrics
from controller.journal.journal import JOURNAL_FILE, LOCK_FILE

KILLS = 3
PATIENCE_S = 120.0
SCREENS = 6


@pytest.mark.long
def test_killed_tables_lose_and_invent_nothing() -> None:
    command = [sys.executable, "-m", "controller.cli.main", "bench", "kills", "--json"]
    done = subprocess.run(
        [*command, "--count", str(KILLS)], capture_output=True, text=True, timeout=400, check=False
    )
    assert done.stdout, f"status {done.returncode}: {done.stderr}"
    told = json.loads(done.stdout)
    assert told["complaints"] == [], told
    assert done.returncode == 0
    assert told["kills"] == KILLS
    assert told["screens compared after a restart"] == KILLS * SCREENS
    assert told["states shown before a kill"] >= KILLS
    assert told["entries in the journals"] > KILLS


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_an_ended_benchmark_leaves_no_table_running(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "controller.cli.main", "bench", "kills", "--json"]
    bench = subprocess.Popen(
        [*command, "--count", "1000"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        with wait_for_lock(tmp_path) as lock:
            bench.send_signal(number)
            output, _ = bench.communicate(timeout=PATIENCE_S)
            assert is_soon(lambda: is_free(lock)), "a table still has the data folder"
    finally:
        bench.kill()
    if number == signal.SIGTERM:
        assert json.loads(output)["kills"] < 1000
        assert list(tmp_path.glob("kills-*")) == []


def wait_for_lock(folder: Path) -> IO[bytes]:
    """Return the lock of the data folder of a table, as soon as it was played at."""
    locks: list[IO[bytes]] = []

    def is_locked() -> bool:
        for path in folder.glob(f"kills-*/data/{LOCK_FILE}"):
            journal = path.with_name(JOURNAL_FILE)
            if journal.exists() and b'"kind":"roll"' in journal.read_bytes():
                locks.append(open(path, "rb"))
                return not is_free(locks[-1])
        return False

    assert is_soon(is_locked)
    return locks[-1]


def is_free(lock: IO[bytes]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    fcntl.flock(lock, fcntl.LOCK_UN)
    return True


def is_soon(is_so: Callable[[], bool]) -> bool:
    until_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < until_s:
        if is_so():
            return True
        time.sleep(0.02)
    return False


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
