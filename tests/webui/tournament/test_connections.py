# SPDX-License-Identifier: MIT
"""A server of a tournament holds no more connections than it may, however fast they come."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from starlette.responses import PlainTextResponse

from webui.tournament.connections import ConnectionLimits
from webui.tournament.server import TournamentServer

MOST, COME = 30, 100
WAIT_S = 30.0
REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"


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
