# SPDX-License-Identifier: MIT
"""
Attack the public port of a table as anybody on its network can, and join it with many phones.

Strangers hold silent connections, send requests a byte at a time, announce huge bodies and open
streams without end. Meanwhile phones that entered the code follow the table. Each client has an
address of its own on the loopback interface.
"""

from __future__ import annotations

import http.client
import json
import select
import socket
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack

from tests.bench.clients.confirming import log_in
from tests.bench.table_process import TableProcess, join_threads
from tests.support.server_process import HOST

SILENT = 520
SLOW = 40
BODIES = 4
BODY_BYTES = 100_000_000
STREAMS = 50
JOINED = 50
TIMEOUT_S = 5.0
STEP_S = 0.5
STREAM = b"GET /events HTTP/1.1\r\nHost: %b\r\n%b\r\n"


class Strangers:
    """Attackers and joined phones, each kind in a thread, until they are stopped."""

    def __init__(self, table: TableProcess, *, phones: int = JOINED) -> None:
        self.counts: Counter[str] = Counter()
        self._table = table
        self._phones = phones
        self._end = threading.Event()
        self._lock = threading.Lock()
        kinds: Mapping[str, Callable[[], None]] = {
            "silent": self._hold_silent,
            "slow": self._send_slowly,
            "streams": self._open_streams,
            "phones": self._join_phones,
            **{f"body {number}": self._send_body for number in range(BODIES)},
        }
        self._threads = [
            threading.Thread(target=self._repeat, args=(kind,), name=name, daemon=True)
            for name, kind in kinds.items()
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End all attacks and connections."""
        self._end.set()
        join_threads(self._threads)

    def _repeat(self, kind: Callable[[], None]) -> None:
        while not self._end.wait(STEP_S):
            try:
                kind()
            except (OSError, http.client.HTTPException, ValueError):
                self._count("attacks cut off")

    def _count(self, what: str, number: int = 1) -> None:
        with self._lock:
            self.counts[what] += number

    def _hold_silent(self) -> None:
        """Hold silent connections from one address; open those again that the table closed."""
        self._hold(SILENT, "127.0.66.1", b"", b"", "silent connections")

    def _send_slowly(self) -> None:
        """Send the headers of requests a byte at a time."""
        self._hold(SLOW, "127.0.66.2", b"GET / HTTP/1.1\r\nX: ", b"x", "slow requests")

    def _hold(self, number: int, address: str, first: bytes, then: bytes, what: str) -> None:
        with ExitStack() as stack:
            lines: list[socket.socket] = []
            while not self._end.wait(STEP_S):
                open_lines = [line for line in lines if _send(line, then)]
                for line in set(lines) - set(open_lines):
                    line.close()
                lines = open_lines
                while len(lines) < number and not self._end.is_set():
                    lines.append(stack.enter_context(self._connect(address)))
                    lines[-1].sendall(first)
                    self._count(what)

    def _send_body(self) -> None:
        """Announce a huge body and send it until the table refuses."""
        with self._connect("127.0.66.3") as line:
            head = f"POST /command HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {BODY_BYTES}\r\n\r\n"
            line.sendall(head.encode())
            self._count("huge bodies")
            chunk = bytes(1_000_000)
            for _ in range(BODY_BYTES // len(chunk)):
                if self._end.is_set():
                    return
                line.sendall(chunk)
                self._count("MB of huge bodies sent")

    def _open_streams(self) -> None:
        """Open streams without joining, and read them."""
        with ExitStack() as stack:
            lines = [self._open_stream(stack, "127.0.66.4", b"") for _ in range(STREAMS)]
            self._count("streams asked for by one watcher", len(lines))
            self._read_streams([line for line in lines if line])

    def _join_phones(self) -> None:
        """Follow the table with phones that entered its code."""
        code = json.loads(self._table.get("/login/pairing").body)["code"]
        with ExitStack() as stack:
            lines = []
            for number in range(self._phones):
                address = f"127.0.7.{number + 1}"
                cookie = log_in(self._table, address, "/login/code", {"code": code})
                lines.append(self._open_stream(stack, address, f"Cookie: {cookie}\r\n".encode()))
            followed = [line for line in lines if line]
            self._count("joined phones that follow", len(followed))
            self._read_streams(followed)

    def _open_stream(self, stack: ExitStack, address: str, extra: bytes) -> socket.socket | None:
        """Return an open stream; None if the table refuses one."""
        line = stack.enter_context(self._connect(address))
        line.sendall(STREAM % (HOST.encode(), extra))
        if b" 200 " in line.recv(64):
            return line
        line.close()
        self._count("streams refused")
        return None

    def _read_streams(self, lines: list[socket.socket]) -> None:
        """Read streams until one ends or the attack does."""
        while not self._end.is_set():
            ready, _, _ = select.select(lines, [], [], STEP_S)
            if not all(line.recv(65536) for line in ready):
                return self._count("streams that ended")

    def _connect(self, address: str) -> socket.socket:
        return socket.create_connection(
            (HOST, self._table.public_port), timeout=TIMEOUT_S, source_address=(address, 0)
        )


def _send(line: socket.socket, data: bytes) -> bool:
    """Send some bytes; return whether the table still has the connection open."""
    try:
        ready, _, _ = select.select([line], [], [], 0)
        if ready and not line.recv(4096):
            return False
        line.sendall(data)
    except OSError:
        return False
    return True
