# SPDX-License-Identifier: MIT
"""What is confirmed survives SIGKILL at every point of its way to the disk; nothing is invented."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from controller.journal.journal import read_journal
from controller.journal.picture_store import PictureStore, compute_digest
from controller.verify.verify import verify_journal

LONGEST_LIFE_S = 0.05
KILLS_A_JOURNAL = 10
ENOUGH = 6
"""Entries after which every kind of point was passed, in the first picture's folder and later."""

Die = Callable[..., list[str]]


@pytest.fixture(scope="module")
def die() -> Iterator[Die]:
    """Let a writer die; the lines that it told come back."""
    command = [sys.executable, "-m", "tests.support.writer_process"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as writers:
        wishes, answers = writers.stdin, writers.stdout
        assert wishes is not None
        assert answers is not None

        def let_die(folder: Path, *, point: int | None = None, life_s: float = 0.0) -> list[str]:
            wish = {"folder": str(folder), "point": point, "life_s": life_s}
            wishes.write(f"{json.dumps(wish)}\n")
            wishes.flush()
            told = json.loads(answers.readline())
            assert isinstance(told, list)
            return told

        yield let_die
        wishes.close()


def assert_kept(folder: Path, confirmed: list[str]) -> None:
    """What was confirmed stands in the journal, and every picture that it names is whole."""
    entries = read_journal(folder).entries
    for line in confirmed:
        seq, _, digest = line.partition(" ")
        assert entries[int(seq)].body.get("picture", "") == digest, "confirmed, and not there"
    for entry in entries:
        if name := str(entry.body.get("picture", "")):
            assert compute_digest(PictureStore(folder).picture_path(name).read_bytes()) == name
    if confirmed:
        # A line is told after it was written, so one at the most stands there untold.
        assert len(entries) <= int(confirmed[-1].split()[0]) + 2


def test_killed_at_every_point_of_the_way_to_the_disk(tmp_path: Path, die: Die) -> None:
    for point in count():
        folder = tmp_path / str(point)
        confirmed = die(folder, point=point)
        if (folder / "journal.jsonl").exists():
            assert_kept(folder, confirmed)
            # The next one goes on from there.
            assert_kept(folder, die(folder))
            assert not verify_journal(folder, rereads=False).is_broken
        if len(confirmed) >= ENOUGH:
            break
    assert point > 10 * ENOUGH, "each entry passes more points than that"


def test_killed_at_random_moments_while_it_writes(
    tmp_path: Path, die: Die, pytestconfig: pytest.Config
) -> None:
    kills, chance, told = pytestconfig.getoption("--kills"), random.Random(21), 0
    for number in range(kills):
        # Everything is looked at after every kill, so no journal grows too long.
        folder = tmp_path / str(number // KILLS_A_JOURNAL)
        confirmed = die(folder, life_s=chance.uniform(0.0, LONGEST_LIFE_S))
        assert_kept(folder, confirmed)
        told += len(confirmed)
    assert told > kills
    assert not any(verify_journal(folder, rereads=False).is_broken for folder in tmp_path.iterdir())
