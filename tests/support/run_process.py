# SPDX-License-Identifier: MIT
"""The appliance as a process of its own, as its service manager starts it."""

from __future__ import annotations

import http.client
import random
import socket
from pathlib import Path

from controller.base.settings import load_settings
from tests.support.child import PROGRAM
from tests.support.demo_process import DemoProcess
from webui.auth.roles import BOX_COOKIE

OWN_ADDRESS = "192.168.0.7:8080"
"""A name by which phones would call the box; who calls it so is not its own screen."""

_claims: list[socket.socket] = []
"""One for each port that was given to a test, held until this process ends."""


class RunProcess(DemoProcess):
    """`dicebell run` by a settings file, ended or killed at the end of the block."""

    def __init__(self, config: Path) -> None:
        super().__init__(config.parent, program=PROGRAM)
        self._config = config
        self._command = ["run", "--config", str(config)]

    @property
    def box_key(self) -> str:
        return (load_settings(self._config).data.folder / "kiosk.key").read_text().strip()

    @property
    def box_url(self) -> str:
        return f"{self.url}login#box={self.box_key}"

    def asked(
        self, path: str, *, host: str = "", body: object = None, cookie: str = ""
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Ask for a page, or post where there is a body; without `host` as the box's screen."""
        if not host:
            cookie = f"{BOX_COOKIE}={self.box_key}; {cookie}"
        headers = {"Host": host or f"127.0.0.1:{self.port}", "Cookie": cookie}
        answer = self.request(path, body, headers=headers)
        return answer.status, answer.headers, answer.body


def free_port() -> int:
    """
    Return a port that nobody uses now; nor does anybody use the one after it.

    It is below those that the system gives to connections, so none takes it meanwhile. No other
    test gets it either, in this process or in one beside it.
    """
    for port in random.SystemRandom().sample(range(20_000, 32_000, 2), 100):
        claim = socket.socket(socket.AF_UNIX)
        try:
            claim.bind(f"\0a port of dicebell's tests: {port}")
            for one in (port, port + 1):
                socket.create_server(("127.0.0.1", one)).close()
        except OSError:
            claim.close()
            continue
        _claims.append(claim)
        return port
    raise RuntimeError("expected a free port from 20000 to 32000, found 100 in use")
