# SPDX-License-Identifier: MIT
"""
Bound what connections may use of a waitress server: its threads, its connections, its time.

Waitress alone waits two minutes for a silent connection, and accepts no other one while its limit
is reached: then a few hundred silent ones close the port to everybody. Here a request must be whole
within seconds, an address may hold some connections only, and a new connection takes the room of
the longest silent one. A connection whose request is being answered is never closed for another.
"""

from __future__ import annotations

import math
import socket
import threading
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask

from webui.auth.hosts import client_key, parse_peer
from webui.auth.request_guard import LARGEST_BODY_BYTES

LEAST_THREADS = 4
IDLE_S = 60.0


# Each stream keeps a thread for the whole evening, so a port needs many threads when many phones
# are there, and few otherwise. Waitress alone starts all of them at once.
class GrowingDispatcher(ThreadedTaskDispatcher):
    """A pool that starts a thread, up to `most`, when none is idle, and ends it after `idle_s`."""

    def __init__(self, most: int, *, idle_s: float = IDLE_S) -> None:
        super().__init__()
        self._most = most
        self._idle_s = idle_s
        self._sizing = threading.Lock()  # Held to change the number of threads.
        self._needed = 0
        self._shrunk_s = time.monotonic()
        self._is_closing = False
        self.set_thread_count(min(LEAST_THREADS, most))

    def add_task(self, task: HTTPChannel) -> None:
        with self._sizing:
            with self.lock:
                self.queue.append(task)
                self.queue_cv.notify()
                needed = min(self._count_needed(), self._most)
                running = len(self.threads) - self.stop_count
            self._needed = max(self._needed, needed)
            if needed > running and not self._is_closing:
                self.set_thread_count(needed)

    def shrink(self) -> None:
        """End the threads that were not needed lately; call it now and then."""
        now_s = time.monotonic()
        if now_s < self._shrunk_s + self._idle_s:
            return
        self._shrunk_s = now_s
        with self._sizing:
            with self.lock:
                needed, running = self._count_needed(), len(self.threads) - self.stop_count
            lately, self._needed = max(self._needed, needed), needed
            self.set_thread_count(min(running, max(lately, LEAST_THREADS)))

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5.0) -> bool:
        with self._sizing:
            self._is_closing = True
        return bool(super().shutdown(cancel_pending, timeout))

    def _count_needed(self) -> int:
        """Return the number of busy threads and of waiting tasks; `lock` must be held."""
        return int(self.active_count) + len(self.queue)


CHECK_S = 1.0  # Seconds between two checks of the deadlines.

HANG_UP = "dicebell.hang_up"
"""The key, in the WSGI environment, of the call that ends the connection of a request."""


@dataclass(frozen=True, slots=True)
class ListenerLimits:
    threads: int = 120  # At most; requests that are answered at the same time, streams included.
    connections: int = 400  # Open connections.
    per_address: int = 60  # Open connections of one address, or of one /64 network in IPv6.
    header_bytes: int = 16 * 1024  # Size of a request's line and headers.
    body_bytes: int = LARGEST_BODY_BYTES  # Size of a request's body.
    # Seconds for a whole request, and for the first byte of a new connection.
    request_s: float = 10.0
    idle_s: float = 60.0  # Seconds between two requests on a connection.
    stalled_ms: int = 20_000  # Time without progress after which a client's connection ends.


class RequestParser(HTTPRequestParser):
    """
    Waitress's parser, which refuses with status 400 what waitress dies of.

    So no malformed request ends in a traceback in the log.

    Attributes:
        path: The path of the request. It is empty until it is parsed: waitress logs the path of
            a client that left, and a malformed request has none.
    """

    path = ""

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the first line and the headers; ParsingError if they are malformed."""
        try:
            super().parse_header(header_plus)
        except ValueError as error:
            # Such as an open bracket in the host of a URL, or a length of 5000 digits.
            raise ParsingError("Request line or headers are invalid") from error


class _Task(WSGITask):
    """Answers a request; the application may end its connection, from any thread."""

    def get_environment(self) -> dict[str, Any]:
        environment: dict[str, Any] = super().get_environment()
        environment[HANG_UP] = self.channel.hang_up
        return environment


class BoundedChannel(HTTPChannel):
    """A connection that knows when its client is late; `since_s` is when its request began."""

    parser_class = RequestParser
    task_class = _Task

    def __init__(
        self, server: BoundedServer, sock: socket.socket, addr: Any, adj: Any, map: Any = None
    ) -> None:
        peer = parse_peer(addr[0])
        self.client = client_key(peer)
        self.since_s = time.monotonic()
        self._has_asked = False
        super().__init__(server, sock, (peer, *addr[1:]), adj, map)

    def handle_read(self) -> None:
        """Read and parse; the first byte of a request starts its time."""
        if self.request is None:
            self.since_s = time.monotonic()
        super().handle_read()
        self._has_asked = self._has_asked or bool(self.requests)

    def service(self) -> None:
        """Answer a request; its end starts the silence until the next one."""
        super().service()
        self.since_s = time.monotonic()

    def hang_up(self) -> None:
        """Let the server close the connection, also in the middle of an answer."""
        self.will_close = True
        self.server.pull_trigger()

    def is_answering(self) -> bool:
        """Return whether a request is whole and its answer not complete."""
        return bool(self.requests)

    def due_s(self, limits: ListenerLimits) -> float:
        """Return until when the client must send something; infinite during an answer."""
        if self.is_answering() or self.total_outbufs_len:
            return math.inf
        is_between = self._has_asked and self.request is None
        return self.since_s + (limits.idle_s if is_between else limits.request_s)


class BoundedServer(TcpWSGIServer):
    """A waitress server whose clients keep to limits."""

    channel_class = BoundedChannel

    def __init__(self, limits: ListenerLimits, *args: Any, **keywords: Any) -> None:
        self._limits = limits
        self._checked_s = -math.inf
        super().__init__(*args, **keywords)

    def readable(self) -> bool:
        """Close late connections, end idle threads; waitress calls this before it waits."""
        now_s = time.monotonic()
        if now_s >= self._checked_s + CHECK_S:
            self._checked_s = now_s
            for channel in self._channels():
                if now_s > channel.due_s(self._limits):
                    channel.handle_close()
            self.task_dispatcher.shrink()
        return bool(super().readable())

    def accept(self) -> tuple[socket.socket, Any] | None:
        """Accept a connection if there is room, or if a silent one can make room."""
        accepted: tuple[socket.socket, Any] | None = super().accept()
        if accepted is None or self._make_room(client_key(accepted[1][0])):
            return accepted
        accepted[0].close()
        return None

    def _make_room(self, client: str) -> bool:
        """Return whether a client may have another connection; close a silent one for it."""
        held = Counter(channel.client for channel in self._channels())
        if held[client] >= self._limits.per_address:
            crowd = client
        elif held.total() >= self._limits.connections:
            # Who holds most gives room, so that many silent connections cost no other client any.
            crowd = max(held, key=lambda each: held[each])
        else:
            return True
        silent = [
            channel
            for channel in self._channels()
            if channel.client == crowd and not channel.is_answering()
        ]
        if not silent:
            return False
        min(silent, key=lambda channel: channel.since_s).handle_close()
        return True

    def _channels(self) -> tuple[BoundedChannel, ...]:
        return tuple(self.active_channels.values())
