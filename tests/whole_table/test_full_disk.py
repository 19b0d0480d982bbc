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
from typing import Protocol

import pytest

from controller.cli.main import main
from controller.journal.hashchain import Body, build_next_entry, encode_entry
from controller.journal.journal import JOURNAL_FILE, Journal, read_journal
from controller.runtime.access.tickets import AccessControl
from controller.runtime.table import TableRuntime
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.support.demo_process import DemoProcess, Screen
from tests.support.quick import first_quick
from tests.support.server_process import StartedProcess, start_program
from tests.support.truthful_reader import TruthfulReader

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
        self._most = most

    def _start(self) -> StartedProcess:
        table = [sys.executable, "-m", self._program, *self._command]
        return start_program([sys.executable, "-c", LIMITED, str(self._most), *table])

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


class Fill(Protocol):
    """Returns a table on a full disk, and what makes room on it."""

    def __call__(
        self, folder: Path, *, is_new: bool
    ) -> contextlib.AbstractContextManager[tuple[DemoProcess, Callable[[], None]]]: ...


@contextlib.contextmanager
def mounted_tmpfs(folder: Path, option: str) -> Iterator[None]:
    mount = ["mount", "-t", "tmpfs", "-o", option, "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no right to mount a disk: run as root")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextlib.contextmanager
def full_tmpfs(folder: Path, *, is_new: bool) -> Iterator[tuple[DemoProcess, Callable[[], None]]]:
    with mounted_tmpfs(folder, f"size={TMPFS_BYTES}"):
        data, filler = folder / "data", folder / "filler"
        data.mkdir()
        if not is_new:
            begin_journal(data)
        with contextlib.suppress(OSError), open(filler, "wb", buffering=0) as file:
            while file.write(bytes(PAGE_BYTES)):
                pass
        assert os.statvfs(data).f_bavail == 0
        yield DemoProcess(data), filler.unlink


@contextlib.contextmanager
def no_inodes(folder: Path, *, is_new: bool) -> Iterator[tuple[DemoProcess, Callable[[], None]]]:
    assert is_new
    with mounted_tmpfs(folder, "nr_inodes=64"):

        def make_room() -> None:
            for file in folder.glob("filler*"):
                file.unlink()

        with contextlib.suppress(OSError):
            for number in range(64):
                (folder / f"filler {number}").touch()
        assert os.statvfs(folder).f_favail == 0
        yield DemoProcess(folder / "data"), make_room


@contextlib.contextmanager
def no_larger_file(
    folder: Path, *, is_new: bool
) -> Iterator[tuple[DemoProcess, Callable[[], None]]]:
    data, most = folder / "data", 0
    if not is_new:
        begin_journal(data)
        most = (data / JOURNAL_FILE).stat().st_size
    limited = LimitedProcess(data, most)
    yield limited, limited.lift_limit


@pytest.mark.parametrize(
    "start",
    first_quick(
        (full_tmpfs, False), (full_tmpfs, True), (no_inodes, True), (no_larger_file, False)
    ),
)
def test_a_start_on_a_full_disk_shows_a_fault(tmp_path: Path, start: tuple[Fill, bool]) -> None:
    fill, is_new = start
    data = tmp_path / "data"
    with fill(tmp_path, is_new=is_new) as (table, make_room), table:
        before = read_bytes(data / JOURNAL_FILE)
        screen = Screen(table.port)
        wait_for_phase(screen, "fault")
        notice = screen.views[-1]["notice"]
        assert notice["text"] in ("The disk is full.", "The disk refuses to write: File too large.")
        assert notice["mend"] == "Make room on it. Nothing that was confirmed is lost."
        health = table.request("/healthz")
        assert (health.status, json.loads(health.body)["journal"]) == (503, "refuses")
        assert table.request("/").status == 200
        first_pin = json.loads(table.request("/login/pairing").body)["first_pin"]
        assert table.post("/simulator", {"do": "throw"}) == 200
        assert read_bytes(data / JOURNAL_FILE) == before
        make_room()
        wait_for_phase(screen, "lobby")
        if is_new:
            assert json.loads(table.request("/login/pairing").body)["first_pin"] == first_pin
            assert table.post("/login/pin", {"pin": first_pin}) == 200
        assert table.stop() == 0
        screen.close()
        kinds = [entry.kind for entry in read_journal(data).entries]
        started = ["genesis", "key"]
        assert kinds == (started if is_new else [*started, "fault", "restart"]) + ["back"]
        assert main(["verify", str(data)]) == 0


def wait_for_phase(screen: Screen, phase: str) -> None:
    seen = 0
    while not (screen.views and screen.views[-1]["phase"] == phase):
        screen.wait_for(seen := max(seen, len(screen.views)) + 1)
        assert len(screen.views) >= seen, f"still {screen.views[-1:]}"


def read_bytes(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""
