# SPDX-License-Identifier: MIT
"""The measured table: `dicebell demo` as a process that ends with its benchmark."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tests.support.server_process import (
    START_TIMEOUT_S,
    HttpAnswer,
    ProcessGoneError,
    ServerProcess,
    StartedProcess,
)

ANSWER_TIMEOUT_S = 15.0
LEAVING_S = 120.0
"""Longer than any request and any patience of those who visit a table or play at it."""
POLL_S = 0.02


def start_command(arguments: Sequence[str]) -> StartedProcess:
    """Start `dicebell` with these arguments."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.child", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


class TableProcess(ServerProcess):
    """
    A demo on a free port, ended at the end of the block.

    Args:
        folder: A folder for its data.
        seed: The same seed throws the same dice.
        has_phones: Whether phones may play, at a port of their own.
        options: Further options of the demo.
        start: Starts the process.
        has_camera_thread: Whether to wait for the camera; a table that plays by itself has none.

    Attributes:
        public_port: The port of everybody but the table's own screen.
        start_s: Seconds from the start of the process to its first picture.
        slowest_ms: The slowest answer to the table's own screen so far.
    """

    def __init__(
        self,
        folder: Path,
        *,
        seed: int,
        has_phones: bool = False,
        options: Sequence[str] = (),
        start: Callable[[Sequence[str]], StartedProcess] = start_command,
        has_camera_thread: bool = True,
    ) -> None:
        self.data = folder / "data"
        command = ["demo", "--port", "0", "--data", str(self.data), "--seed", str(seed), *options]
        super().__init__([*command, *(["--phones", "play"] if has_phones else [])])
        self._start_process = start
        self._has_camera_thread = has_camera_thread
        self.public_port = 0
        self.slowest_ms = 0.0
        self.start_s = 0.0

    def cut_power(self) -> None:
        """Kill it, and do not wait for its end; safe to call from any thread."""
        self._process.kill()

    def get(self, path: str) -> HttpAnswer:
        """Ask for a page."""
        return self._time_request(path)

    def post(self, path: str, body: dict[str, object]) -> HttpAnswer:
        """Send a command as the page does; raises as `get` does."""
        return self._time_request(path, body)

    def read_metric(self, name: str) -> float | None:
        """Return a metric that it publishes; None if it is too busy to answer."""
        try:
            text = self.get("/metrics").body.decode()
        except (OSError, http.client.HTTPException):
            return None
        found = re.search(rf"^{name} ([\d.]+)", text, re.MULTILINE)
        return float(found[1]) if found else 0.0

    def _start(self) -> StartedProcess:
        self._began_s = time.monotonic()
        return self._start_process(self._command)

    def _wait_until_ready(self) -> None:
        public = re.search(r"Others use port (\d+)", self.output)
        self.public_port = int(public[1]) if public else self.port
        if self._has_camera_thread:
            self._wait_for_frames()
        self.start_s = time.monotonic() - self._began_s

    def _time_request(self, path: str, body: object = None) -> HttpAnswer:
        answer = self.request(path, body, timeout_s=ANSWER_TIMEOUT_S)
        self.slowest_ms = max(self.slowest_ms, answer.took_ms)
        return answer

    def _wait_for_frames(self) -> None:
        while time.monotonic() - self._began_s < START_TIMEOUT_S:
            try:
                if json.loads(self.get("/healthz").body)["frames"]:
                    return
            except (OSError, http.client.HTTPException):
                pass
            if self._process.poll() is not None:
                break
            time.sleep(POLL_S)
        self.kill()
        raise self.gone_error()


def join_threads(threads: Iterable[threading.Thread]) -> None:
    """Wait until these threads have ended, which were asked to."""
    until_s = time.monotonic() + LEAVING_S
    for thread in threads:
        thread.join(max(0.0, until_s - time.monotonic()))
        if thread.is_alive():
            raise ProcessGoneError(f"{thread.name} still waits for it after {LEAVING_S:g} s")
