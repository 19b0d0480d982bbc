# SPDX-License-Identifier: MIT
"""Signs of life, heard at the other end of a real socket."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from controller.runtime.monitoring.systemd import SystemdNotifier, SystemdWatchdog, is_page_up

URL = "http://127.0.0.1:8080/"
PATIENCE_S = 0.06
TIMEOUT_S = 60.0


class Listener:
    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(TIMEOUT_S)

    def hear(self) -> list[str]:
        return self.socket.recv(4096).decode().split("\n")

    def hear_until(self, line: str) -> list[list[str]]:
        """Return what is told until this line is, with what tells it."""
        heard = [self.hear()]
        while line not in heard[-1]:
            heard.append(self.hear())
        return heard


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Listener]:
    listener = Listener(str(tmp_path / "notify"))
    yield listener
    listener.socket.close()


@pytest.fixture
def manager(tmp_path: Path, listener: Listener) -> SystemdNotifier:
    return SystemdNotifier(str(tmp_path / "notify"), PATIENCE_S)


def test_ready_is_sent_once_the_page_answers_then_pings_follow(
    listener: Listener, manager: SystemdNotifier
) -> None:
    answers = iter([False, False])
    signs = SystemdWatchdog(manager, URL, stuck=tuple, answers=lambda url: next(answers, True))
    with signs:
        assert listener.hear() == ["READY=1", f"STATUS=The kiosk is at {URL}"]
        assert listener.hear() == ["WATCHDOG=1"]
        assert listener.hear() == ["WATCHDOG=1"]
        assert next(answers, None) is None
    assert listener.hear_until("STOPPING=1")[-1][0] == "STOPPING=1"


def test_no_life_is_told_while_a_thread_is_stuck(
    listener: Listener, manager: SystemdNotifier, caplog: pytest.LogCaptureFixture
) -> None:
    asked = threading.Event()

    def stuck() -> tuple[str, ...]:
        asked.set()
        return ("loop",)

    with SystemdWatchdog(manager, URL, stuck=stuck, answers=lambda url: True):
        assert asked.wait(TIMEOUT_S)
    assert [lines[0] for lines in listener.hear_until("STOPPING=1")] == ["READY=1", "STOPPING=1"]
    assert "the loop gave no heartbeat in time" in str([each.__dict__ for each in caplog.records])


def test_no_life_is_told_while_the_page_does_not_answer(
    listener: Listener, manager: SystemdNotifier
) -> None:
    answers, asked = iter([True, False]), threading.Event()

    def answer(url: str) -> bool:
        is_there = next(answers, None)
        if is_there is None:
            asked.set()
        return bool(is_there)

    with SystemdWatchdog(manager, URL, stuck=tuple, answers=answer):
        assert asked.wait(TIMEOUT_S)
    assert [lines[0] for lines in listener.hear_until("STOPPING=1")] == ["READY=1", "STOPPING=1"]


def test_a_table_that_never_answered_is_never_ready(
    listener: Listener, manager: SystemdNotifier
) -> None:
    with SystemdWatchdog(manager, URL, stuck=tuple, answers=lambda url: False):
        pass
    assert listener.hear()[0] == "STOPPING=1"


def test_a_name_in_the_kernel_is_reached(tmp_path: Path) -> None:
    name = f"dicebell-test-{tmp_path.name}-{id(tmp_path)}"
    listener = Listener(f"\0{name}")
    SystemdNotifier(f"@{name}").notify("READY=1")
    assert listener.hear() == ["READY=1"]
    listener.socket.close()


def test_where_nobody_listens_nothing_is_told_and_no_thread_runs() -> None:
    before = threading.active_count()
    with SystemdWatchdog(SystemdNotifier(), URL, stuck=tuple, answers=lambda url: True):
        assert threading.active_count() == before
    SystemdNotifier("/nowhere/notify").notify("READY=1")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, SystemdNotifier()),
        ({"NOTIFY_SOCKET": "/run/n"}, SystemdNotifier("/run/n", 0.0)),
        (
            {"NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"},
            SystemdNotifier("/run/n", 30.0),
        ),
        (
            {"NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"},
            SystemdNotifier("/run/n", 0.0),
        ),
        ({"NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "soon"}, SystemdNotifier("/run/n", 0.0)),
    ],
)
def test_the_environment_names_the_manager(
    environment: dict[str, str], expected: SystemdNotifier
) -> None:
    assert SystemdNotifier.from_environment(environment, 7) == expected


class _Unwell(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_error(503)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


def test_a_page_that_reports_a_problem_counts_as_up() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Unwell)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    url = f"http://127.0.0.1:{server.server_address[1]}/"
    assert is_page_up(url)
    server.shutdown()
    thread.join()
    server.server_close()
    assert not is_page_up(url)
