# SPDX-License-Identifier: MIT
"""The server of a tournament as a process of its own."""

from __future__ import annotations

import json
import time
from pathlib import Path

from tests.support.forked import ForkedCommand
from tests.support.server_process import ServerProcess, StartedProcess

START_S = 60.0


class DeskProcess(ServerProcess):
    """`dicebell desk` on a free port, or on a given one; killed at the end of the block."""

    def __init__(self, data: Path, *options: str, port: int = 0) -> None:
        super().__init__(["desk", "--data", str(data), "--port", str(port), *options])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def health(self) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.request("/healthz").body)
        return found

    def wait_until(self, *, is_ok: bool) -> dict[str, object]:
        end_s = time.monotonic() + START_S
        while (found := self.health())["ok"] is not is_ok and time.monotonic() < end_s:
            time.sleep(0.02)
        assert found["ok"] is is_ok
        return found

    def _start(self) -> StartedProcess:
        return ForkedCommand(self._command)
