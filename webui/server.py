# SPDX-License-Identifier: MIT
"""
The web server: waitress, set up for streams that last as long as the evening.

Two settings carry it. With a look-ahead of one request waitress keeps reading a socket
whose answer still runs, and so notices at once when a client hangs up. A client that
vanishes without a word, or stops reading, is ended by the kernel (`TCP_USER_TIMEOUT`);
until then it holds no more than the small buffer below, because its stream waits there
and afterwards goes on with the newest view.
"""

from __future__ import annotations

import errno
import socket
import threading
from collections.abc import Callable
from typing import Protocol

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from controller.errors import InputError

HIGHEST_PORT = 65535
THREADS = 64
LOOK_AHEAD = 1
MOST_CONNECTIONS = 500
BUFFER_BYTES = 256 * 1024
STALLED_CLIENT_MS = 20_000


class _Dispatcher(Protocol):
    def shutdown(self) -> bool: ...


class _Trigger(Protocol):
    def pull_trigger(self, thunk: Callable[[], None]) -> None: ...

    def del_channel(self) -> None: ...

    def close(self) -> None: ...


class _Channel(Protocol):
    requests: list[object]

    def handle_close(self) -> None: ...


class _Waitress(Protocol):
    """What is used of waitress, which carries no types."""

    task_dispatcher: _Dispatcher
    trigger: _Trigger
    active_channels: dict[int, _Channel]

    def run(self) -> None: ...


class KioskServer:
    """
    A web application on a port.

    It serves in a thread of its own. Close the table first: a stream lasts until its table
    is closing.

    Args:
        app: What `create_app` returned.
        host: The address to listen on, such as 127.0.0.1.
        port: The port; 0 takes any free one.
        stalled_ms: How long a client may take nothing before its connection is ended.
    """

    def __init__(
        self, app: Flask, host: str, port: int, *, stalled_ms: int = STALLED_CLIENT_MS
    ) -> None:
        self._app = app
        self._host = host
        self._port = port
        self._stalled_ms = stalled_ms
        self._running: tuple[_Waitress, threading.Thread] | None = None

    @property
    def port(self) -> int:
        """The port; the one that was found free once bound, where 0 was asked for."""
        return self._port

    @property
    def url(self) -> str:
        """Where a browser on this machine finds the kiosk."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self._host, self._host)
        return f"http://[{host}]:{self._port}/" if ":" in host else f"http://{host}:{self._port}/"

    def start(self) -> None:
        """
        Take the port and serve; browsers may connect when this returns.

        Raises:
            InputError: The port is in use or not allowed, or the host is not one of ours.
        """
        listening = _listen(self._host, self._port)
        # Connections inherit it from the socket they arrive on.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, self._stalled_ms)
        self._port = listening.getsockname()[1]
        server: _Waitress = create_server(
            self._app,
            sockets=[listening],
            threads=THREADS,
            channel_request_lookahead=LOOK_AHEAD,
            connection_limit=MOST_CONNECTIONS,
            asyncore_use_poll=True,
            outbuf_high_watermark=BUFFER_BYTES,
            log_socket_errors=False,
            ident=None,
        )
        thread = threading.Thread(target=server.run, name="web server", daemon=True)
        thread.start()
        self._running = server, thread

    def close(self) -> None:
        """Let running answers end, free the port and join every thread; safe to call twice."""
        running, self._running = self._running, None
        if running is None:
            return
        server, thread = running
        # Sockets belong to the serving thread: closing them elsewhere, while it waits on
        # them, would race. Its loop ends by itself when none is left.
        server.trigger.pull_trigger(lambda: _stop_accepting(server))
        server.task_dispatcher.shutdown()
        server.trigger.pull_trigger(lambda: _close_connections(server))
        # What was hung up on ends now, and tells the loop so: that must still listen.
        server.task_dispatcher.shutdown()
        server.trigger.pull_trigger(server.trigger.del_channel)
        thread.join()
        # Not before: a pull writes to the trigger after the loop may have heard it.
        server.trigger.close()


def _stop_accepting(server: _Waitress) -> None:
    """Take no new connection, and no new request on those where no answer runs."""
    wasyncore.dispatcher.close(server)
    for channel in tuple(server.active_channels.values()):
        if not channel.requests:
            channel.handle_close()


def _close_connections(server: _Waitress) -> None:
    """End what has not ended by itself, such as the answer to a client that stopped reading."""
    for channel in tuple(server.active_channels.values()):
        channel.handle_close()


def _listen(host: str, port: int) -> socket.socket:
    """
    Return a listening socket.

    Bound here and not by waitress, which starts its threads before it looks at the port.
    """
    if not 0 <= port <= HIGHEST_PORT:
        expected = f"a port from 0 to {HIGHEST_PORT}"
        raise InputError(expected=expected, found=str(port), where="port")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            found = f"{port} in use"
            raise InputError(expected="a free port", found=found, where="port") from error
        expected = "an address and port of this machine that are ours to use"
        raise InputError(
            expected=expected, found=f"{host}:{port} ({error})", where="host"
        ) from error
