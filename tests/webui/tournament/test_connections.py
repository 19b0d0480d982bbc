# SPDX-License-Identifier: MIT
"""A server of a tournament holds no more connections than it may, however fast they come."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time
from collections.abc import Iterator

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

import httpx
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from tests.support.ipv6 import needs_ipv6
from webui.tournament.connections import MOST_HEAD_BYTES, ConnectionLimits
from webui.tournament.official_session import is_own_machine
from webui.tournament.server import TournamentServer

MOST, COME = 30, 100
WAIT_S = 30.0
REQUEST = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"


def test_connections_that_come_at_once_leave_the_limit() -> None:
    """All are in the queue before the server takes the first one; the newest stay."""
    server = TournamentServer("127.0.0.1", 0, ConnectionLimits(MOST, silent_s=600))
    server.bind()
    with contextlib.ExitStack() as closing:
        clients = []
        for number in range(COME):
            source = (f"127.0.1.{number % 3 + 1}", 0)
            address = ("127.0.0.1", server.port)
            clients.append(closing.enter_context(socket.create_connection(address, WAIT_S, source)))
        thread = threading.Thread(target=server.run, args=[PlainTextResponse("well")])
        thread.start()
        closing.callback(thread.join)
        closing.callback(server.stop)
        left = list(clients)
        end_s = time.monotonic() + WAIT_S
        while len(left) > MOST and time.monotonic() < end_s:
            ended = select.select(left, [], [], 1.0)[0]
            left = [each for each in left if each not in ended]
        assert len(left) == MOST
        for client in left:
            client.sendall(REQUEST)
        assert all(client.recv(15) == b"HTTP/1.1 200 OK" for client in left)


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(b"GET / HTTP/1.1\r\nX: ", id="one-header"),
        pytest.param(
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ", id="trailer"
        ),
    ],
)
def test_a_head_without_an_end_is_not_kept(head: bytes) -> None:
    with serving("127.0.0.1") as server, connecting(server) as client:
        client.sendall(head)
        with pytest.raises(ConnectionError):
            client.sendall(b"x" * 1000 * MOST_HEAD_BYTES)


def test_a_long_body_is_no_long_head() -> None:
    body = b"x" * 4 * MOST_HEAD_BYTES
    head = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n" % len(body)
    with serving("127.0.0.1") as server, connecting(server) as client:
        for _ in range(2):
            assert ask(client, head + body).endswith(b"of this machine")


def test_a_header_after_a_body_in_parts_names_no_client() -> None:
    parts = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    with serving("127.0.0.1") as server, connecting(server) as client:
        answer = ask(client, parts + b"X-Forwarded-For: 192.168.1.9\r\n\r\n")
        assert answer.endswith(b"http 127.0.0.1 of this machine")


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 2, id="two-at-once"),
        pytest.param(
            b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n"
            b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\nabcde",
            id="another-protocol",
        ),
    ],
)
def test_a_request_that_no_browser_sends_is_not_answered(sent: bytes) -> None:
    with serving("127.0.0.1") as server, connecting(server) as client:
        client.sendall(sent)
        with contextlib.suppress(ConnectionError):
            assert client.recv(4096) == b""


@needs_ipv6
def test_every_address_means_both_families() -> None:
    """A client of IPv4 keeps its address, so the proxy of this machine is believed there too."""
    with serving("::") as server:
        url = f"http://127.0.0.1:{server.port}/"
        behind = {"X-Forwarded-For": "192.168.1.9", "X-Forwarded-Proto": "https"}
        with httpx.Client(trust_env=False, timeout=WAIT_S) as client:
            assert client.get(url).text == "http 127.0.0.1 of this machine"
            assert client.get(url, headers=behind).text == "https 192.168.1.9"
            own = client.get(f"http://[::1]:{server.port}/").text
            assert own == "http ::1 of this machine"


def connecting(server: TournamentServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), WAIT_S)


def ask(client: socket.socket, sent: bytes) -> bytes:
    """Return the end of the answer to a request, which names its client."""
    client.sendall(sent)
    got = b""
    while not got.endswith((b"machine", b"192.168.1.9")):
        part = client.recv(4096)
        assert part, got
        got += part
    return got


@contextlib.contextmanager
def serving(host: str) -> Iterator[TournamentServer]:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        asked = Request(scope, receive)
        assert asked.client is not None
        whose = " of this machine" if is_own_machine(asked) else ""
        response = PlainTextResponse(f"{asked.url.scheme} {asked.client.host}{whose}")
        await response(scope, receive, send)

    server = TournamentServer(host, 0)
    server.bind()
    thread = threading.Thread(target=server.run, args=[answer])
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()
