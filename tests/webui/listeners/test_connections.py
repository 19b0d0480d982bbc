# SPDX-License-Identifier: MIT
"""Real sockets against the real server: silent, slow, too many, too large."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace

import pytest

from tests.webui.fakes import FakeTable
from tests.webui.visitors import FakeAccess
from webui import create_app
from webui.listeners.connections import ListenerLimits
from webui.server import KioskServer

PATIENCE_S = 20.0
FEW = ListenerLimits(threads=4, connections=8, per_address=4, request_s=PATIENCE_S)
HASTY = replace(FEW, request_s=0.2)
STRANGER, PHONE = "127.0.0.7", "127.0.0.8"
HEADERS = "POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
TOO_LARGE = 16 * 1024 + 1


@contextmanager
def serving(limits: ListenerLimits, table: FakeTable | None = None) -> Iterator[int]:
    table = table or FakeTable()
    server = KioskServer(create_app(table.running, None, FakeAccess()), "127.0.0.1", 0, own=limits)
    server.start()
    try:
        yield server.port
    finally:
        table.close()
        server.close()


@contextmanager
def connected(port: int, address: str = PHONE) -> Iterator[socket.socket]:
    with socket.socket() as line:
        line.settimeout(PATIENCE_S)
        line.bind((address, 0))
        line.connect(("127.0.0.1", port))
        yield line


def ask(port: int, address: str = PHONE) -> int:
    line = http.client.HTTPConnection(
        "127.0.0.1", port, timeout=PATIENCE_S, source_address=(address, 0)
    )
    with closing(line):
        line.request("GET", "/healthz")
        return line.getresponse().status


def is_closed(line: socket.socket) -> bool:
    """Wait until the server sends something or closes; return whether it closed."""
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True


def read_status(line: socket.socket) -> int:
    """Return the status of the next answer that is not `100 Continue`."""
    with line.makefile("rb") as answer:
        while (status := int(answer.readline().split()[1])) == 100:
            answer.readline()
        return status


@pytest.mark.parametrize("asker", [STRANGER, PHONE])
def test_silent_connections_of_one_address_block_nobody(asker: str) -> None:
    with serving(FEW) as port, ExitStack() as stack:
        for _ in range(40):
            stack.enter_context(connected(port, STRANGER))
        assert ask(port, asker) == 200


def test_silent_connections_of_many_addresses_block_nobody() -> None:
    with serving(FEW) as port, ExitStack() as stack:
        for number in range(40):
            stack.enter_context(connected(port, f"127.0.1.{number % 4 + 1}"))
        assert ask(port) == 200


def test_silent_connections_end_no_answer() -> None:
    table = FakeTable()
    with serving(FEW, table) as port, connected(port) as screen, ExitStack() as stack:
        screen.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        stream = stack.enter_context(screen.makefile("rb"))
        assert any(b"snapshot" in line for line in stream)
        for _ in range(40):
            stack.enter_context(connected(port, STRANGER))
        assert ask(port, STRANGER) == 200
        table.show(headline="Ben throws")
        assert any(b"Ben throws" in line for line in stream)


def test_an_address_gets_no_connection_beside_its_answers() -> None:
    with serving(FEW) as port, ExitStack() as stack:
        for _ in range(FEW.per_address):
            one = stack.enter_context(connected(port, STRANGER))
            one.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert one.recv(1) == b"H"
        assert is_closed(stack.enter_context(connected(port, STRANGER)))


def test_a_silent_connection_is_closed() -> None:
    with serving(HASTY) as port, connected(port) as line:
        assert is_closed(line)


@pytest.mark.parametrize("begun", ["GET /healthz HT", HEADERS + "Content-Length: 9999\r\n\r\n{"])
def test_a_slow_request_is_closed_though_bytes_keep_coming(begun: str) -> None:
    with serving(HASTY) as port, connected(port) as line:
        line.sendall(begun.encode())
        line.settimeout(0.05)
        for _ in range(int(PATIENCE_S / 0.05)):
            try:
                line.sendall(b"x")
                assert line.recv(1) == b""
            except TimeoutError:
                continue
            except ConnectionError:
                pass
            return
        pytest.fail("the server waits for the rest")


def test_a_connection_waits_longer_after_a_request() -> None:
    with serving(HASTY) as port:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        with closing(line), connected(port) as silent:
            line.request("GET", "/healthz")
            assert line.getresponse().read()
            assert is_closed(silent)
            line.auto_open = 0
            line.request("GET", "/healthz")
            assert line.getresponse().status == 200


@pytest.mark.parametrize("expect", ["", "Expect: 100-continue\r\n"])
def test_a_large_body_is_refused_by_its_length(expect: str) -> None:
    """Its rest never comes, so an answer shows that nobody waits for it."""
    with serving(FEW) as port, connected(port) as line:
        line.sendall(f"{HEADERS}{expect}Content-Length: 100000000\r\n\r\n".encode())
        line.sendall(b"x" * (TOO_LARGE if expect else 1))
        assert read_status(line) == 413


def test_a_body_without_a_length_is_refused_when_it_is_too_large() -> None:
    with serving(FEW) as port, connected(port) as line:
        line.sendall(f"{HEADERS}Transfer-Encoding: chunked\r\n\r\n".encode())
        line.sendall(b"%x\r\n%b\r\n" % (TOO_LARGE, b"x" * TOO_LARGE))
        assert read_status(line) == 413


def test_large_headers_are_refused() -> None:
    with serving(FEW) as port, connected(port) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nA: " + b"x" * TOO_LARGE)
        assert read_status(line) == 431
