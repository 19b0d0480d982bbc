# SPDX-License-Identifier: MIT
"""
Writers that write what a table writes, as fast as they can, and are killed while they do.

    python -m tests.support.writer_process

It takes a wish a line, `{"folder", "point", "life_s"}`, forks a writer for it, which takes a
hundredth of the time that a new process would, and answers with the lines that the writer
told: each names an entry that was confirmed. The writer kills itself at a point, counted
over everything that it does to files, right before and right after each; or is killed from
outside so long after its first word.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from controller.journal.continuity.journal_facts import JournalFacts
from controller.journal.journal import Journal
from controller.journal.picture_store import PictureStore
from controller.journal.signing_key import TableKey
from controller.journal.writer import JournalWriter, TableInfo

TOUCHING = ("open", "pwrite", "fsync", "replace", "ftruncate", "mkdir")
"""What of the system's calls writes to a data folder."""
ENTRIES_A_ROUND = 3


def serve() -> None:
    for line in sys.stdin:
        wish = json.loads(line)
        told = _confirmed_by(Path(wish["folder"]), wish["point"], wish["life_s"])
        sys.stdout.write(f"{json.dumps(told)}\n")
        sys.stdout.flush()


def _confirmed_by(folder: Path, point: int | None, life_s: float) -> list[str]:
    """Let a writer live and die; return the lines that it told."""
    reading_fd, telling_fd = os.pipe()
    writer = os.fork()
    if writer == 0:
        os.close(reading_fd)
        _die_at(point)
        _write(folder, lambda text: os.write(telling_fd, text.encode()))
    os.close(telling_fd)
    told = os.read(reading_fd, 1 << 16)
    dies_s = None if point is not None else time.monotonic() + life_s
    while True:
        left_s = None if dies_s is None else max(0.0, dies_s - time.monotonic())
        if not select.select([reading_fd], [], [], left_s)[0]:
            os.kill(writer, signal.SIGKILL)
            dies_s = None
            continue
        more = os.read(reading_fd, 1 << 16)
        told += more
        if not more:
            break
    os.close(reading_fd)
    os.waitpid(writer, 0)
    return told.decode().splitlines()


def _write(folder: Path, tell: Callable[[str], object]) -> None:
    journal, found = Journal.open(folder)
    key = TableKey.load_or_create(folder)
    writer = JournalWriter(journal, key, TableInfo(), JournalFacts(found.entries))
    writer.begin(found.torn.decode("utf-8", errors="backslashreplace"))
    evidence = PictureStore(folder)
    for number in itertools.count():
        # Another picture every time, and another one than any other process writes.
        picture = hashlib.sha512(f"{os.getpid()} {number}".encode()).digest() * 200
        digest = evidence.store(picture)
        entry = writer.append("reading", {"picture": digest})
        tell(f"{entry.seq} {digest}\n")
        if number % ENTRIES_A_ROUND == 0:
            tell(f"{writer.checkpoint().size} \n")


def _die_at(point: int | None) -> None:
    passed = itertools.count()

    def pass_point() -> None:
        if next(passed) == point:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any, **named: Any) -> Any:
            pass_point()
            done = call(*args, **named)
            pass_point()
            return done

        return called

    for name in TOUCHING:
        setattr(os, name, around(getattr(os, name)))


if __name__ == "__main__":
    serve()
