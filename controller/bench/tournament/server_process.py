# SPDX-License-Identifier: MIT
"""`dicebell desk` as a process of its own, so that a benchmark measures all of its work."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from controller.base.errors import InputError


@contextmanager
def serve_event(folder: Path, database: str = "") -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """
    Give the port and the process of a server that is ready.

    Args:
        folder: Its data is in `event` there.
        database: The address of an empty database; empty for SQLite in the folder.

    Raises:
        InputError: It does not start.
    """
    command = [sys.executable, "-m", "controller.cli.main", "desk", "--open", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--data", str(folder / "event"), "--database", database],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        found = re.search(r":(\d+)/", first)
        if found is None:
            raise InputError(expected="a server that starts", found=first.strip() or "its end")
        time.sleep(1.0)
        yield int(found[1]), process
    finally:
        process.terminate()
        process.wait()
        if process.stdout:
            process.stdout.close()


def read_memory_mb(pid: int, key: str = "VmRSS") -> float:
    """Return the memory of a process in MB; with VmHWM the most that it ever had."""
    found = re.search(rf"{key}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def read_cpu_s(pid: int) -> float:
    """Return the processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def find_percentile(ordered: Sequence[float], share: float) -> float:
    """Return the value that this share of sorted ones does not exceed."""
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]
