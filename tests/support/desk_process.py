# SPDX-License-Identifier: MIT
"""The server of a tournament as a process of its own."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx

START_S = 60.0


class DeskProcess:
    """`dicebell desk` on a free port, or on a given one; killed at the end of the block."""

    def __init__(self, data: Path, *options: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "controller.cli.main", "desk", "--data", str(data)]
        self._command = [*command, "--port", str(port), *options]

    def __enter__(self) -> DeskProcess:
        self.process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout
        self.lines: list[str] = []
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)/", "".join(self.lines))):
            line = self.process.stdout.readline()
            assert line, "".join(self.lines)
            self.lines.append(line)
        self.port = int(found[1])
        self._reading = threading.Thread(
            target=lambda: self.lines.extend(self.process.stdout or ())
        )
        self._reading.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end(signal.SIGKILL)

    def end(self, number: int) -> int:
        """Send a signal, if it still runs, and return the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait()
        self._reading.join()
        if self.process.stdout:
            self.process.stdout.close()
        return status

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def health(self) -> dict[str, object]:
        """Return what it says of itself."""
        answer = httpx.get(f"http://127.0.0.1:{self.port}/healthz", trust_env=False, timeout=30)
        found: dict[str, object] = answer.json()
        return found

    def wait_until(self, *, is_ok: bool) -> dict[str, object]:
        """Wait until it is well, or not."""
        end_s = time.monotonic() + START_S
        while (found := self.health())["ok"] is not is_ok and time.monotonic() < end_s:
            time.sleep(0.02)
        assert found["ok"] is is_ok
        return found
