# SPDX-License-Identifier: MIT
"""A few kills of a real table; and what must not happen is a failure."""

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

from controller.journal.journal import JOURNAL_FILE, LOCK_FILE
from tests.bench.kills import KillCounts

KILLS = 3
PATIENCE_S = 120.0
SCREENS = 6
LOSSES = {
    "differing": "screens that differ from the journal",
    "lost": "states shown and lost",
    "lost_answers": "presses confirmed and lost",
    "lost_entries": "journals that lost entries",
    "lost_pictures": "rolls without their picture",
    "invented": "rolls invented",
    "refused": "presses answered with an error",
    "broken": "breaks found by verify",
}


@pytest.mark.long
def test_killed_tables_lose_and_invent_nothing() -> None:
    command = [sys.executable, "-m", "tests.bench", "kills", "--json", "--seed", "1"]
    done = subprocess.run(
        [*command, "--count", str(KILLS)], capture_output=True, text=True, timeout=400, check=False
    )
    assert done.stdout, f"status {done.returncode}: {done.stderr}"
    found = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert found["kills"] == KILLS
    assert found["screens compared after a restart"] == KILLS * SCREENS
    assert found["states shown before a kill"] >= KILLS
    assert found["entries in the journals"] > KILLS


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_an_ended_benchmark_leaves_no_table_running(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "tests.bench", "kills", "--json"]
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


def test_each_count_of_a_loss_is_a_failure() -> None:
    lossy = KillCounts(kills=20, **dict.fromkeys(LOSSES, 1))
    failures = [each.name for each in lossy.list_metrics() if each.find_failure()]
    assert failures == ["rolls in the journals", *LOSSES.values()]


def test_kills_without_a_loss_pass() -> None:
    counts = KillCounts(kills=20, rolls=3, screens=120, torn=2)
    assert not any(each.find_failure() for each in counts.list_metrics())
