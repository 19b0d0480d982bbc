# SPDX-License-Identifier: MIT
"""The demo as a process of its own, and a screen that follows it."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

START_TIMEOUT_S = 120.0
ANSWER_TIMEOUT_S = 60.0


class DemoProcess:
    """
    `dicebell demo` on a free port, ended or killed at the end of the block.

    Args:
        data: The table's data folder.
        options: Further arguments of the command.
        program: The module that is run in place of the command `dicebell`.
    """

    def __init__(self, data: Path, *options: str, program: str = "tests.support.unguarded") -> None:
        self._command = [sys.executable, "-m", program, "demo", "--port", "0"]
        self._command += ["--data", str(data), *options]
        self._lines: list[str] = []

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.port = self._find_port()
        # The pipe has to be emptied, or a talkative process would wait on it for ever.
        self._drain = threading.Thread(target=self._read_rest)
        self._drain.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self.kill()
        # pytest shows it if the test fails.
        print(f"--- the table ended with {self._process.returncode} and printed:\n{self.output}")  # noqa: T201

    @property
    def output(self) -> str:
        """What it has printed so far."""
        return "".join(self._lines)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def kill(self) -> None:
        """End it without a warning, as a pulled plug does."""
        self._process.send_signal(signal.SIGKILL)
        self._gone()

    def stop(self) -> int:
        """Ask it to end, as a service manager does; return its exit status."""
        self._process.send_signal(signal.SIGTERM)
        return self._gone()

    def wait(self) -> int:
        """Wait until it ends by itself; return its exit status."""
        return self._gone()

    def post(self, path: str, body: dict[str, object]) -> int:
        """Post a command as the page does; return the HTTP status."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_TIMEOUT_S)
        try:
            headers = {"Content-Type": "application/json"}
            connection.request("POST", path, json.dumps(body), headers)
            return connection.getresponse().status
        finally:
            connection.close()

    def _find_port(self) -> int:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.append(line)
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/", line):
                return int(found[1])
        self._process.wait()
        self._process.stdout.close()
        raise AssertionError(f"the demo told no address: {self.output}")

    def _read_rest(self) -> None:
        assert self._process.stdout is not None
        self._lines.extend(self._process.stdout)

    def _gone(self) -> int:
        status = self._process.wait(START_TIMEOUT_S)
        self._drain.join()
        assert self._process.stdout is not None
        self._process.stdout.close()
        return status


class Screen:
    """Follows a table's stream in a thread, as a kiosk does, until the stream ends."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_TIMEOUT_S)
        self._connection.request("GET", "/events")
        self._response = self._connection.getresponse()
        self._changed = threading.Condition()
        self._views: list[dict[str, Any]] = []
        self._thread = threading.Thread(target=self._follow)
        self._thread.start()

    @property
    def views(self) -> list[dict[str, Any]]:
        """Every view shown so far, whole."""
        with self._changed:
            return list(self._views)

    def wait_for(self, count: int, timeout_s: float = ANSWER_TIMEOUT_S) -> None:
        """Wait until so many views were shown, or the stream has ended."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._views) >= count, timeout_s)

    def close(self) -> None:
        """Wait until the stream has ended with its table."""
        self._thread.join()
        self._connection.close()

    def _follow(self) -> None:
        try:
            for line in self._response:
                # No more than braces is the table's word that it is still there.
                if line.startswith(b"data:") and (part := json.loads(line.removeprefix(b"data:"))):
                    self._show(part)
        except (OSError, http.client.HTTPException, ValueError):
            return  # killed in the middle of a line

    def _show(self, changes: dict[str, Any]) -> None:
        with self._changed:
            before = self._views[-1] if self._views else {}
            self._views.append({**before, **changes})
            self._changed.notify_all()
