# SPDX-License-Identifier: MIT
"""
The table that is soaked: `dicebell demo` as a process of its own, and what it uses.

Measured is the process, from outside and as the kernel counts: a table that counted its
own memory would leave out what its libraries keep.
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
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

HOST = "127.0.0.1"
ANSWER_TIMEOUT_S = 15.0
START_TIMEOUT_S = 120.0
STOP_TIMEOUT_S = 60.0
POLL_S = 0.02


class TableGoneError(RuntimeError):
    """The table's process ended, or never began to answer. Its last words are the message."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process uses: memory in MB as it is resident, threads, open files and connections."""

    memory_mb: float
    threads: int
    files: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What a table answered to a request, and after how many milliseconds."""

    status: int
    body: bytes
    took_ms: float


class TableProcess:
    """
    A demo on a free port, ended at the end of the block.

    Args:
        folder: An empty folder for its data and its log.
        seed: The same seed throws the same dice.
    """

    def __init__(self, folder: Path, *, seed: int) -> None:
        self.data = folder / "data"
        self._log = folder / "log"
        self._command = [sys.executable, "-m", "controller.app.main", "demo", "--port", "0"]
        self._command += ["--data", str(self.data), "--seed", str(seed)]
        self._drain = threading.Thread(target=self._take_words, name="words", daemon=True)
        self.port = 0
        self.start_s = 0.0

    def __enter__(self) -> TableProcess:
        began_s = time.monotonic()
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(
                self._command, stdout=subprocess.PIPE, stderr=log, text=True
            )
        try:
            assert self._process.stdout is not None
            self.port = self._told_port(self._process.stdout)
            # Whatever else it says has to be taken from it, or it would wait for ever.
            self._drain.start()
            self._wait_for_frames(began_s)
        except TableGoneError:
            self._end()
            raise
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
        """Ask it to end, as a service manager does; return its exit status."""
        self._process.terminate()
        return self._process.wait(STOP_TIMEOUT_S)

    def usage(self) -> Usage:
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
            raise self._gone() from error
        memory, threads = (re.search(rf"^{key}:\s*(\d+)", status, re.M) for key in _STATUS_KEYS)
        if memory is None or threads is None:
            raise self._gone()
        return Usage(int(memory[1]) / 1024, int(threads[1]), files)

    def get(self, path: str) -> Answer:
        """
        Ask for a page.

        Raises:
            OSError: It does not answer.
            HTTPException: It answers no HTTP.
        """
        return self._request("GET", path)

    def post(self, path: str, body: dict[str, object]) -> Answer:
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
            self._drain.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _request(self, method: str, path: str, body: str | None = None) -> Answer:
        began_s = time.monotonic()
        line = http.client.HTTPConnection(HOST, self.port, timeout=ANSWER_TIMEOUT_S)
        with closing(line):
            line.request(method, path, body, {"Content-Type": "application/json"} if body else {})
            answer = line.getresponse()
            told = answer.read()
        return Answer(answer.status, told, (time.monotonic() - began_s) * 1000)

    def _take_words(self) -> None:
        assert self._process.stdout is not None
        self._process.stdout.read()

    def _told_port(self, lines: IO[str]) -> int:
        # A process that hangs says nothing and does not end either.
        patience = threading.Timer(START_TIMEOUT_S, self._process.kill)
        patience.start()
        try:
            for line in lines:
                if found := re.search(rf"http://{re.escape(HOST)}:(\d+)/", line):
                    return int(found[1])
        finally:
            patience.cancel()
        raise self._gone()

    def _wait_for_frames(self, began_s: float) -> None:
        """Wait until it says that its camera delivers."""
        while time.monotonic() - began_s < START_TIMEOUT_S:
            try:
                if json.loads(self.get("/healthz").body)["frames"]:
                    return
            except (OSError, http.client.HTTPException):
                pass
            if self._process.poll() is not None:
                break
            time.sleep(POLL_S)
        raise self._gone()

    def _gone(self) -> TableGoneError:
        return TableGoneError(self._log.read_text(errors="replace")[-2000:] or "it said nothing")


_STATUS_KEYS = ("VmRSS", "Threads")
