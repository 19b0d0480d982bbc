# SPDX-License-Identifier: MIT
"""
Bound the connections of the event loop's server, as `webui.listeners` does for the kiosk.

uvicorn waits for ever for the first request of a connection and for the rest of a header. Here
such a connection ends after some seconds, a client holds some connections only, and beyond the
limit a new connection takes the room of the longest silent one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import HTTPConnection
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from controller.base.logs import Log
from webui.auth.hosts import client_key, is_loopback, parse_peer

SWEEP_S = 1.0
MOST_HEAD_BYTES = 65_536
"""Of a request beside its body: the parser itself keeps a head of any length."""
_BODY_FIELDS = (b"content-length", b"transfer-encoding")
_LOG = Log("tournament")


def find_address(request: HTTPConnection) -> str:
    """Return the address to which a request is charged; that of its /64 network in IPv6."""
    return client_key(request.client.host) if request.client else ""


@dataclass(slots=True)
class ConnectionLimits:
    """What clients may hold."""

    connections: int = 8000  # Open connections.
    # Of one address, or one /64 network in IPv6; a proxy on this machine, and the network of a hall
    # behind one address, need many: a phone has one for its stream, and one for what it sends.
    per_address: int = 5000
    silent_s: float = 30.0  # Seconds for the whole header of a request, and between two requests.


@dataclass(slots=True)
class OpenConnections:
    """The connections of one server; for the thread of its event loop alone."""

    limits: ConnectionLimits = field(default_factory=ConnectionLimits)
    _open: dict[BoundedProtocol, None] = field(default_factory=dict)
    _held: dict[str, dict[BoundedProtocol, None]] = field(default_factory=dict)
    _is_full: bool = False

    def add(self, connection: BoundedProtocol) -> None:
        """Count a new connection, and close a silent one if there are too many."""
        self._open[connection] = None
        held = self._held.setdefault(connection.address, {})
        held[connection] = None
        limits, is_own = self.limits, is_loopback(connection.address)
        if len(held) > (limits.connections if is_own else limits.per_address):
            self._make_room(connection.address)
        elif len(self._open) > limits.connections:
            # Who holds most gives room.
            self._make_room(max(self._held, key=lambda each: len(self._held[each])))

    def remove(self, connection: BoundedProtocol) -> None:
        if connection in self._open:
            del self._open[connection]
            held = self._held[connection.address]
            del held[connection]
            if not held:
                del self._held[connection.address]

    async def sweep(self) -> None:
        """Close connections that are silent for too long, until cancelled."""
        while True:
            await asyncio.sleep(SWEEP_S)
            due_s = time.monotonic() - self.limits.silent_s
            for connection in list(self._open):
                if connection.since_s < due_s and not connection.is_answering():
                    connection.hang_up()
            self._is_full = False

    def _make_room(self, address: str) -> None:
        """Close the longest silent connection of an address, or its newest one."""
        held = self._held[address]
        if not self._is_full:
            self._is_full = True
            count = len(held)
            _LOG.warning("too many connections", client=address, count=count)
        newest = next(reversed(held))
        closed = next((each for each in held if not each.is_answering()), newest)
        # The event loop closes it later. Until then it must not give room for another one too.
        self.remove(closed)
        closed.hang_up()


class BoundedProtocol(HttpToolsProtocol):
    """
    A connection that counts.

    Attributes:
        address: Whose it is.
        since_s: When its present silence began.
        on_writable: Called when a client that was slow has read what it got; None for nothing.
    """

    open: OpenConnections
    on_writable: Callable[[], None] | None = None
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.since_s = time.monotonic()
        if self.client:
            self.client = (parse_peer(self.client[0]), self.client[1])
        if self.server:
            self.server = (parse_peer(self.server[0]), self.server[1])
        self.address = client_key(self.client[0]) if self.client else ""
        # Requests have it as `state.connection`.
        self.app_state = {**self.app_state, "connection": self}
        self.open.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.open.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a part of a request; one with too much beside its body ends the connection."""
        self._head_bytes += len(data)
        super().data_received(data)
        if self._head_bytes > MOST_HEAD_BYTES:
            self.hang_up()

    def on_headers_complete(self) -> None:
        """
        Begin an answer; hang up on a request before the last one is answered, as no browser sends.

        The server would keep any number of them, and forget all but the last when the client goes.
        The parser leaves out the body of a request that wants another protocol.
        """
        has_body = any(name in _BODY_FIELDS for name, _ in self.headers)
        if self.is_answering() or (has_body and self.parser.should_upgrade()):
            self.hang_up()
            raise ValueError  # Ends the parsing.
        super().on_headers_complete()
        self.headers = []  # What follows a body in parts is no header.

    def on_body(self, body: bytes) -> None:
        self._head_bytes -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._head_bytes = 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Begin the silence until the next request."""
        self.since_s = time.monotonic()
        super().on_response_complete()

    def is_answering(self) -> bool:
        """Return whether a request has begun and its answer is not complete."""
        return self.cycle is not None and not self.cycle.response_complete

    def may_write(self) -> bool:
        """Return whether the client is there, and has read most of what it got."""
        return not (self.flow.write_paused or self.transport.is_closing())

    def write_part(self, content: bytes) -> None:
        """Write a part of the body of an answer that has begun, without a task that waits."""
        self.transport.write(b"%x\r\n%b\r\n" % (len(content), content))

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.on_writable is not None:
            self.on_writable()

    def hang_up(self) -> None:
        self.transport.abort()


def bind_protocol(connections: OpenConnections) -> type[asyncio.Protocol]:
    """Return the class of the connections of one server."""
    values: dict[str, Any] = {"open": connections}
    return type("ServerProtocol", (BoundedProtocol,), values)
