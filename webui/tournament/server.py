# SPDX-License-Identifier: MIT
"""Serve the application of a tournament with uvicorn until it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import resource
import socket
from collections.abc import Callable, Iterator

import uvicorn
import uvloop
from starlette.types import ASGIApp

from controller.base.errors import InputError
from controller.runtime.access.ports import bind_port, find_own_host, format_address, is_everywhere
from webui.auth.hosts import find_lan_address, is_loopback
from webui.tournament.connections import ConnectionLimits, OpenConnections, bind_protocol

GRACE_S = 5
BACKLOG = 2048
STALLED_MS = 20_000
_FILES_BESIDE = 200  # Files that are no connections: the database, the log, libraries.


class TournamentServer:
    """
    A server at one port.

    Args:
        host: The address to listen on, such as 0.0.0.0 or ::, which is IPv6 too.
        port: The port; 0 for any free one.
    """

    def __init__(self, host: str, port: int, limits: ConnectionLimits | None = None) -> None:
        self.host = host
        self._port = port
        self._limits = limits or ConnectionLimits()
        self._socket: socket.socket | None = None
        self._server: _QuietServer | None = None
        self._is_stopped = False

    @property
    def port(self) -> int:
        """The port; after `bind` the real one, if 0 was requested."""
        return self._port

    @property
    def url(self) -> str:
        """The address for a browser on this machine."""
        return self._build_url(find_own_host(self.host))

    @property
    def lan_url(self) -> str:
        """The address in the local network; empty if only this machine reaches it."""
        host = find_lan_address() if is_everywhere(self.host) else self.host
        return self._build_url(host) if host and not is_loopback(host) else ""

    def bind(self) -> None:
        """Bind the port, unless it is bound; InputError if it cannot be had."""
        if self._socket is not None:
            return
        try:
            self._socket = bind_port(self.host, self._port, backlog=BACKLOG)
        except (OSError, OverflowError) as error:
            found = getattr(error, "strerror", None) or str(error)
            where = f"--host {self.host} --port {self._port}"
            raise InputError(expected="a free port", found=found, where=where) from error
        # Connections inherit both. An answer is two writes, and without the first the second one
        # would wait 40 ms for the client; the other notices a client that vanished.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_MS)
        self._port = self._socket.getsockname()[1]

    def run(self, app: ASGIApp, on_stop: Callable[[], None] = lambda: None) -> None:
        """
        Serve until `stop`; running answers are finished.

        Args:
            on_stop: Called by the event loop when the server stops: ends answers without an end.
        """
        assert self._socket is not None, "bind comes first"
        self._limits.connections = min(self._limits.connections, _allow_files(self._limits))
        connections = OpenConnections(self._limits)
        config = uvicorn.Config(
            app,
            http=bind_protocol(connections),
            ws="none",
            loop="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=round(self._limits.silent_s),
            timeout_graceful_shutdown=GRACE_S,
            # Only a proxy on this machine names the client.
            forwarded_allow_ips="127.0.0.1,::1",
        )
        # What strangers send is not worth a line each.
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
        self._server = _QuietServer(config, on_stop)
        if not self._is_stopped:
            # Between two new connections it serves all that are open, however many come at once.
            uvloop.run(self._serve(self._server, connections, self._socket))

    def stop(self) -> None:
        """End `run`; safe in a signal handler."""
        self._is_stopped = True
        if self._server is not None:
            self._server.should_exit = True

    def _build_url(self, host: str) -> str:
        return f"http://{format_address(host, self._port)}/"

    async def _serve(
        self, server: uvicorn.Server, connections: OpenConnections, listening: socket.socket
    ) -> None:
        sweeping = asyncio.create_task(connections.sweep())
        try:
            await server.serve(sockets=[listening])
        finally:
            sweeping.cancel()


class _QuietServer(uvicorn.Server):
    """A server that leaves the signals to the program."""

    def __init__(self, config: uvicorn.Config, on_stop: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_stop = on_stop

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what would never end, then what takes a moment."""
        self._on_stop()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle no signal."""
        yield


def _allow_files(limits: ConnectionLimits) -> int:
    """Let the process open as many files as it may; return how many connections that allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.connections + _FILES_BESIDE
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(soft - _FILES_BESIDE, 50) if soft != resource.RLIM_INFINITY else wanted
