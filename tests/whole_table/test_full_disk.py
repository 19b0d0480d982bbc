# SPDX-License-Identifier: MIT
"""A table that starts on a full disk comes up, says so, and goes on once there is room."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.access.tickets import AccessControl
from controller.journal.hashchain import Body, build_next_entry, encode_entry
from controller.journal.journal import JOURNAL_FILE, Journal, read_journal
from controller.runtime.table import TableRuntime
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.support.demo_process import DemoProcess, Screen
from tests.support.truthful_reader import TruthfulReader
from tests.whole_table.test_health import get, wait_for_view

TMPFS_BYTES = 8 * 1024 * 1024
PAGE_BYTES = 4096
LIMITED = "import os, resource, sys; n = int(sys.argv[1]);" + (
    "resource.setrlimit(resource.RLIMIT_FSIZE, (n, resource.RLIM_INFINITY));"
    "os.execv(sys.argv[2], sys.argv[2:])"
)
"""Runs a command of which no file may grow beyond so many bytes, until the limit is raised."""


class LimitedProcess(DemoProcess):
    """The demo in a process that cannot let any file grow beyond a size."""

    def __init__(self, data: Path, most: int) -> None:
        super().__init__(data)
        self._command = [sys.executable, "-c", LIMITED, str(most), *self._command]

    def lift_limit(self) -> None:
        infinite = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, infinite)


def begin_journal(data: Path) -> None:
    """Let a table have started in a folder; the last page of its journal is full."""
    reader = TruthfulReader(SimulatedCamera(SteppedClock(), seed=1, size_wh=(640, 360)))
    runtime = TableRuntime.open(data, reader)
    runtime.begin()
    runtime.close()
    AccessControl(data, SteppedClock()).begin()
    journal, _ = Journal.open(data)
    body: Body = {"device": "camera", "what": ""}
    empty = build_next_entry(journal.last_entry, at_ms=journal.now_ms(), kind="fault", body=body)
    size = (data / JOURNAL_FILE).stat().st_size + len(encode_entry(empty)) + 1
    journal.append("fault", {**body, "what": "x" * (-size % PAGE_BYTES)})
    journal.close()
    assert (data / JOURNAL_FILE).stat().st_size % PAGE_BYTES == 0


@contextlib.contextmanager
def full_tmpfs(data: Path) -> Iterator[tuple[DemoProcess, Callable[[], None]]]:
    """A table on a small disk that a file has filled, and what deletes that file."""
    data.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={TMPFS_BYTES}", "tmpfs", str(data)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no right to mount a disk: run as root")
    try:
        begin_journal(data)
        filler = data / "filler"
        with contextlib.suppress(OSError), open(filler, "wb", buffering=0) as file:
            while file.write(bytes(PAGE_BYTES)):
                pass
        assert os.statvfs(data).f_bavail == 0
        yield DemoProcess(data), filler.unlink
    finally:
        subprocess.run(["umount", str(data)], check=True)


@contextlib.contextmanager
def no_larger_file(data: Path) -> Iterator[tuple[DemoProcess, Callable[[], None]]]:
    """A table that may not let its journal grow, and what allows it again."""
    begin_journal(data)
    limited = LimitedProcess(data, (data / JOURNAL_FILE).stat().st_size)
    yield limited, limited.lift_limit


@pytest.mark.parametrize("fill", [full_tmpfs, no_larger_file])
def test_a_start_on_a_full_disk_shows_a_fault(
    tmp_path: Path,
    fill: Callable[
        [Path], contextlib.AbstractContextManager[tuple[DemoProcess, Callable[[], None]]]
    ],
) -> None:
    data = tmp_path / "data"
    with fill(data) as (table, make_room), table:
        before = (data / JOURNAL_FILE).read_bytes()
        screen = Screen(table.port)
        wait_for_view(screen, lambda view: view["phase"] == "fault")
        notice = screen.views[-1]["notice"]
        assert notice["text"] == "The disk is full."
        assert notice["mend"] == "Make room on it. Nothing that was confirmed is lost."
        status, health = get(table, "/healthz")
        assert (status, json.loads(health)["journal"]) == (503, "refuses")
        assert get(table, "/")[0] == 200
        assert (data / JOURNAL_FILE).read_bytes() == before
        make_room()
        wait_for_view(screen, lambda view: view["phase"] == "lobby")
        assert table.stop() == 0
        screen.close()
        kinds = [entry.kind for entry in read_journal(data).entries]
        assert kinds == ["genesis", "key", "fault", "restart", "back"]
