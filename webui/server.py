# SPDX-License-Identifier: MIT
"""
Serve the pages with waitress, set up for streams that last as long as the evening.

With a look-ahead of one request waitress keeps reading a socket during a reply, and so notices
at once when a client hangs up. The kernel ends a client that vanishes or stops reading
(`TCP_USER_TIMEOUT`). Until then it holds no more than the small buffer below: its stream waits
there and continues with the newest view.
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
    """The used part of waitress, which has no types."""

    task_dispatcher: _Dispatcher
    trigger: _Trigger
    active_channels: dict[int, _Channel]

    def run(self) -> None: ...


class KioskServer:
    """
    A web application on a port.

    It serves in a separate thread. Close the table first: a stream lasts until its table closes.

    Args:
        app: The application of `create_app`.
        host: The address to listen on, such as 127.0.0.1.
        port: The port; 0 for any free one.
        stalled_ms: Time without progress after which a client's connection ends.
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
        """The port; after `start` the real one, if 0 was requested."""
        return self._port

    @property
    def url(self) -> str:
        """The address of the kiosk for a browser on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self._host, self._host)
        return f"http://[{host}]:{self._port}/" if ":" in host else f"http://{host}:{self._port}/"

    def start(self) -> None:
        """
        Bind the port and serve; browsers may connect when this returns.

        Raises:
            InputError: The port is in use or not allowed, or the host is not of this machine.
        """
        listening = _listen(self._host, self._port)
        # Connections inherit it from the listening socket.
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
        """Finish running replies, free the port and join every thread; safe to call twice."""
        running, self._running = self._running, None
        if running is None:
            return
        server, thread = running
        # Sockets belong to the serving thread: closing them here, while it waits on them, would
        # race. Its loop ends by itself when none is left.
        server.trigger.pull_trigger(lambda: _stop_accepting(server))
        server.task_dispatcher.shutdown()
        server.trigger.pull_trigger(lambda: _close_connections(server))
        # The closed connections report to the loop, which must still run.
        server.task_dispatcher.shutdown()
        server.trigger.pull_trigger(server.trigger.del_channel)
        thread.join()
        # Not earlier: a pull may still write to the trigger after the loop has handled it.
        server.trigger.close()


def _stop_accepting(server: _Waitress) -> None:
    """Accept no new connection, and no new request on idle ones."""
    wasyncore.dispatcher.close(server)
    for channel in tuple(server.active_channels.values()):
        if not channel.requests:
            channel.handle_close()


def _close_connections(server: _Waitress) -> None:
    """Close the remaining connections, such as those of clients that stopped reading."""
    for channel in tuple(server.active_channels.values()):
        channel.handle_close()


def _listen(host: str, port: int) -> socket.socket:
    """
    Return a listening socket.

    Bound here, because waitress starts its threads before it binds the port.
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
        expected = "an address and port of this machine that this program may use"
        raise InputError(
            expected=expected, found=f"{host}:{port} ({error})", where="host"
        ) from error
