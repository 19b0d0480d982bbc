# SPDX-License-Identifier: MIT
"""
Serve an application at one port with waitress, set up for streams that last all evening.

With a look-ahead of one request waitress keeps reading a socket during a reply, and so notices
at once when a client hangs up. The kernel ends a client that vanishes or stops reading
(`TCP_USER_TIMEOUT`). Until then it holds no more than the small buffer below: its stream waits
there and continues with the newest view.
"""

from __future__ import annotations

import errno
import socket
import threading
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from waitress import wasyncore
from waitress.adjustments import Adjustments

from controller.base.errors import InputError
from controller.runtime.access.ports import bind_port, format_address
from webui.auth.origin import KEY, Origin
from webui.listeners.connections import BoundedServer, GrowingDispatcher, ListenerLimits

Application: TypeAlias = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

HIGHEST_PORT = 65535
LOOK_AHEAD = 1
BUFFER_BYTES = 256 * 1024
CLOSING_S = 1.0  # For replies that are running when the port closes.


class Listener:
    """One port with threads and connections of its own."""

    def __init__(self, name: str, host: str, port: int, limits: ListenerLimits) -> None:
        self.host = host
        self.port = port
        self._name = name
        self._limits = limits
        self._socket: socket.socket | None = None
        self._running: tuple[BoundedServer, threading.Thread] | None = None

    def bind(self) -> None:
        """Bind the port, after which `port` is the real one; InputError if it cannot be had."""
        # Bound here, because the threads start before waitress would bind the port.
        self._socket = open_port(self._name, self.host, self.port)
        # Connections inherit it from the listening socket.
        self._socket.setsockopt(
            socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, self._limits.stalled_ms
        )
        self.port = self._socket.getsockname()[1]

    def serve(self, app: Application, origin: Origin) -> None:
        """Serve in a separate thread from now on; requests carry `origin`."""
        assert self._socket is not None, "bind comes first"
        server = _create_server(_add_origin(app, origin), self._socket, self._limits)
        self._socket = None
        thread = threading.Thread(target=server.run, name=f"web server, {self._name}", daemon=True)
        thread.start()
        self._running = server, thread

    def close(self) -> None:
        """Finish running replies, free the port and join every thread; safe to call twice."""
        bound, self._socket = self._socket, None
        if bound is not None:
            bound.close()
        running, self._running = self._running, None
        if running is None:
            return
        server, thread = running
        # Sockets belong to the serving thread: closing them here, while it waits on them, would
        # race. Its loop ends by itself when none is left.
        server.trigger.pull_trigger(lambda: _stop_accepting(server))
        server.task_dispatcher.shutdown(timeout=CLOSING_S)
        server.trigger.pull_trigger(lambda: _close_connections(server))
        # The closed connections report to the loop, which must still run.
        server.task_dispatcher.shutdown(timeout=CLOSING_S)
        server.trigger.pull_trigger(server.trigger.del_channel)
        thread.join()
        # Not earlier: a pull may still write to the trigger after the loop has handled it.
        server.trigger.close()


def _create_server(
    app: Application, listening: socket.socket, limits: ListenerLimits
) -> BoundedServer:
    adjustments = Adjustments(
        sockets=[listening],
        channel_request_lookahead=LOOK_AHEAD,
        # Never reached: the server makes room before. Waitress counts its own two sockets too.
        connection_limit=limits.connections + 10,
        max_request_header_size=limits.header_bytes,
        # Waitress refuses a body of this size; it reads no more of one without a length.
        max_request_body_size=limits.body_bytes + 1,
        asyncore_use_poll=True,
        outbuf_high_watermark=BUFFER_BYTES,
        log_socket_errors=False,
        # `webui.auth.roles` must see them: they can only take rights away.
        clear_untrusted_proxy_headers=False,
        ident=None,
    )
    return BoundedServer(
        limits,
        app,
        {},
        _sock=listening,
        dispatcher=GrowingDispatcher(limits.threads),
        adj=adjustments,
        sockinfo=(listening.family, listening.type, listening.proto, listening.getsockname()),
        bind_socket=False,
    )


def _add_origin(app: Application, origin: Origin) -> Application:
    def serve(environment: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        environment[KEY] = origin
        return app(environment, start)

    return serve


def _stop_accepting(server: BoundedServer) -> None:
    """Accept no new connection, and no new request on idle ones."""
    wasyncore.dispatcher.close(server)
    for channel in tuple(server.active_channels.values()):
        if not channel.requests:
            channel.handle_close()


def _close_connections(server: BoundedServer) -> None:
    """Close the remaining connections, such as those of clients that stopped reading."""
    for channel in tuple(server.active_channels.values()):
        channel.handle_close()


def open_port(name: str, host: str, port: int) -> socket.socket:
    """Return a socket that listens; `name` is the setting of its port. InputError if refused."""
    if not 0 <= port <= HIGHEST_PORT:
        expected = f"a port from 0 to {HIGHEST_PORT}"
        raise InputError(expected=expected, found=str(port), where=name)
    try:
        return bind_port(host, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            found = f"{port} in use"
            raise InputError(expected="a free port", found=found, where=name) from error
        expected = "an address and port of this machine that this program may use"
        raise InputError(
            expected=expected, found=f"{format_address(host, port)} ({error})", where="host"
        ) from error
