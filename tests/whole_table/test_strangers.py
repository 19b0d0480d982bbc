# SPDX-License-Identifier: MIT
"""Strangers at the public port of the appliance: the table's own screen does not notice them."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.support.run_process import RunProcess, free_port
from tests.whole_table.test_run import settings_of

STRANGERS = 520
"""More connections than either port takes."""
PATIENCE_S = 60.0
STRANGER, PHONE = "127.0.0.7", "127.0.0.8"


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Give the socket of a service manager that restarts the table without frequent pings."""
    address = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(address))
        listening.settimeout(PATIENCE_S)
        monkeypatch.setenv("NOTIFY_SOCKET", str(address))
        monkeypatch.setenv("WATCHDOG_USEC", "300000")
        yield listening


def wait_for_line(manager: socket.socket, line: str) -> None:
    while line not in manager.recv(4096).decode().split("\n"):
        pass


def drop_messages(manager: socket.socket) -> None:
    manager.settimeout(0)
    try:
        while manager.recv(4096):
            pass
    except BlockingIOError:
        manager.settimeout(PATIENCE_S)


def ask(port: int, address: str) -> int:
    line = http.client.HTTPConnection(
        "127.0.0.1", port, timeout=PATIENCE_S, source_address=(address, 0)
    )
    with closing(line):
        line.request("GET", "/healthz")
        return line.getresponse().status


def test_silent_strangers_stop_neither_screen_nor_watchdog(
    tmp_path: Path, manager: socket.socket
) -> None:
    config, port = settings_of(tmp_path), free_port()
    config.write_text(config.read_text().replace("[web]\nport = ", f"[web]\nport = {port} # "))
    with RunProcess(config) as run, ExitStack() as stack:
        wait_for_line(manager, "READY=1")
        for _ in range(STRANGERS):
            line = stack.enter_context(socket.socket())
            line.bind((STRANGER, 0))
            line.connect(("127.0.0.1", port))
        drop_messages(manager)
        for _ in range(3):
            wait_for_line(manager, "WATCHDOG=1")
        assert run.asked("/tray.jpg")[0] in (200, 204)
        assert [ask(port, address) for address in (PHONE, STRANGER)] == [200, 200]
        assert run.stop() == 0, run.output
