# SPDX-License-Identifier: MIT
"""
The soaked table: `dicebell demo` as a process, and the resources it uses.

The kernel measures the process from outside; its own count would miss what libraries use.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Protocol

HOST = "127.0.0.1"
ANSWER_TIMEOUT_S = 15.0
START_TIMEOUT_S = 120.0
STOP_TIMEOUT_S = 60.0
LEAVING_S = 120.0
"""Longer than any request and any patience of those who visit a table or play at it."""
POLL_S = 0.02
CHILD = "controller.bench.soak.child"


class TableGoneError(RuntimeError):
    """The table ended, hangs, or never began to answer. Its last words are the message."""


@dataclass(frozen=True, slots=True)
class ProcessUsage:
    """What a process uses: memory in MB as it is resident, threads, open files and connections."""

    memory_mb: float
    threads: int
    files: int


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What a table answered to a request, and after how many milliseconds."""

    status: int
    body: bytes
    took_ms: float


class ChildProcess(Protocol):
    """A started process, as `subprocess.Popen` has it."""

    @property
    def pid(self) -> int: ...

    @property
    def stdin(self) -> IO[str] | None: ...

    @property
    def stdout(self) -> IO[str] | None: ...

    def kill(self) -> None: ...

    def terminate(self) -> None: ...

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> int: ...


def start_command(arguments: Sequence[str], log: Path) -> ChildProcess:
    """Start `dicebell` with these arguments; what it prints for errors goes into a file."""
    command = [sys.executable, "-m", CHILD, *arguments]
    with open(log, "wb") as errors:
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        )


class TableProcess:
    """
    A demo on a free port, ended at the end of the block.

    Args:
        folder: A folder for its data and its log.
        seed: The same seed throws the same dice.
        has_phones: Whether phones may play, at a port of their own.
        options: Further options of the demo.
        start: Starts the process.
        has_camera_thread: Whether to wait for the camera; a table that plays by itself has none.

    Attributes:
        port: The port of the table's own screen.
        public_port: The port of everybody else.
        slowest_ms: The slowest answer to the table's own screen so far.
    """

    def __init__(
        self,
        folder: Path,
        *,
        seed: int,
        has_phones: bool = False,
        options: Sequence[str] = (),
        start: Callable[[Sequence[str], Path], ChildProcess] = start_command,
        has_camera_thread: bool = True,
    ) -> None:
        self.data = folder / "data"
        self._log = folder / "log"
        self._start = start
        self._has_camera_thread = has_camera_thread
        self._command = ["demo", "--port", "0", "--data", str(self.data), "--seed", str(seed)]
        self._command += options
        if has_phones:
            self._command += ["--phones", "play"]
        self._drain = threading.Thread(target=self._drain_output, name="words", daemon=True)
        self.port = self.public_port = 0
        self.slowest_ms = 0.0
        self.start_s = 0.0

    def __enter__(self) -> TableProcess:
        began_s = time.monotonic()
        self._process = self._start(self._command, self._log)
        with ExitStack() as if_not_up:
            if_not_up.callback(self._end)
            assert self._process.stdout is not None
            self.port, self.public_port = self._read_ports(self._process.stdout)
            # Whatever else it says has to be taken from it, or it would wait for ever.
            self._drain.start()
            if self._has_camera_thread:
                self._wait_for_frames(began_s)
            if_not_up.pop_all()
        self.start_s = time.monotonic() - began_s
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def stop(self) -> int:
        """
        Ask it to end, as a service manager does, and insist where it does not; return its
        exit status, which is below 0 then.
        """
        self._process.terminate()
        try:
            return self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def kill(self) -> None:
        """End it without a warning, as a pulled plug does; safe to call from any thread."""
        self._process.kill()

    def usage(self) -> ProcessUsage:
        """
        Return what it uses now.

        Raises:
            TableGoneError: It has ended.
        """
        process = Path("/proc", str(self._process.pid))
        try:
            status = (process / "status").read_text()
            files = len(os.listdir(process / "fd"))
        except OSError as error:
            raise self._gone_error() from error
        memory, threads = (re.search(rf"^{key}:\s*(\d+)", status, re.M) for key in _STATUS_KEYS)
        if memory is None or threads is None:
            raise self._gone_error()
        return ProcessUsage(int(memory[1]) / 1024, int(threads[1]), files)

    def get(self, path: str) -> HttpAnswer:
        """
        Ask for a page.

        Raises:
            OSError: It does not answer.
            HTTPException: It answers no HTTP.
        """
        return self._request("GET", path)

    def post(self, path: str, body: dict[str, object]) -> HttpAnswer:
        """
        Send a command as the page does.

        Raises:
            OSError: It does not answer.
            HTTPException: It answers no HTTP.
        """
        return self._request("POST", path, json.dumps(body))

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._drain.is_alive():
            join_threads([self._drain])
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    def _request(self, method: str, path: str, body: str | None = None) -> HttpAnswer:
        began_s = time.monotonic()
        line = http.client.HTTPConnection(HOST, self.port, timeout=ANSWER_TIMEOUT_S)
        with closing(line):
            line.request(method, path, body, {"Content-Type": "application/json"} if body else {})
            answer = line.getresponse()
            told = answer.read()
        took_ms = (time.monotonic() - began_s) * 1000
        self.slowest_ms = max(self.slowest_ms, took_ms)
        return HttpAnswer(answer.status, told, took_ms)

    def _drain_output(self) -> None:
        assert self._process.stdout is not None
        self._process.stdout.read()

    def _read_ports(self, lines: IO[str]) -> tuple[int, int]:
        # A process that hangs says nothing and does not end either.
        patience = threading.Timer(START_TIMEOUT_S, self._process.kill)
        patience.start()
        try:
            for line in lines:
                if found := re.search(rf"http://{re.escape(HOST)}:(\d+)/", line):
                    public = re.search(r"Others use port (\d+)", line)
                    return int(found[1]), int((public or found)[1])
        finally:
            patience.cancel()
        raise self._gone_error()

    def _wait_for_frames(self, began_s: float) -> None:
        """Wait until its camera delivers frames."""
        while time.monotonic() - began_s < START_TIMEOUT_S:
            try:
                if json.loads(self.get("/healthz").body)["frames"]:
                    return
            except (OSError, http.client.HTTPException):
                pass
            if self._process.poll() is not None:
                break
            time.sleep(POLL_S)
        raise self._gone_error()

    def _gone_error(self) -> TableGoneError:
        words = self._log.read_text(errors="replace")[-2000:]
        silent = f"nothing said to {self._log}, as on a full disk; status {self._process.poll()}"
        return TableGoneError(words or silent)


_STATUS_KEYS = ("VmRSS", "Threads")


def join_threads(threads: Iterable[threading.Thread], *, within_s: float = LEAVING_S) -> None:
    """
    Wait until these threads have ended, which were asked to.

    Raises:
        TableGoneError: One of them still waits for the table after `within_s` seconds.
    """
    until_s = time.monotonic() + within_s
    for thread in threads:
        thread.join(max(0.0, until_s - time.monotonic()))
        if thread.is_alive():
            raise TableGoneError(f"{thread.name} still waits for it after {within_s:g} s")
