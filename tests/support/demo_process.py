# SPDX-License-Identifier: MIT
"""The demo as a process of its own, and a screen that follows it."""

from __future__ import annotations

import http.client
import json
import threading
from pathlib import Path
from typing import Any

from tests.support.forked import ForkedCommand
from tests.support.server_process import ANSWER_TIMEOUT_S, ServerProcess, StartedProcess


class DemoProcess(ServerProcess):
    """`dicebell demo` on a free port, or a `program` in its place; ended or killed at the end."""

    def __init__(self, data: Path, *options: str, program: str = "tests.support.unguarded") -> None:
        command = ["demo", "--port", "0", "--data", str(data)]
        # The same dice in every run; a seed among the options counts instead.
        super().__init__([*command, "--seed", "1", *options])
        self._program = program

    def __exit__(self, *_: object) -> None:
        self.kill()
        # pytest shows it if the test fails.
        print(f"--- the table ended with {self.wait()} and printed:\n{self.output}")  # noqa: T201

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def post(self, path: str, body: dict[str, object]) -> int:
        return self.request(path, body).status

    def _start(self) -> StartedProcess:
        return ForkedCommand(self._command, self._program)


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
        with self._changed:
            return list(self._views)

    def wait_for(self, count: int, timeout_s: float = ANSWER_TIMEOUT_S) -> None:
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
