# SPDX-License-Identifier: MIT
"""
Clients that load a table: phones that come and vanish, a stalled one, a slow one, and camera
faults.

Each does what a test of a single request does not: it leaves at the wrong moment, or never.
"""

from __future__ import annotations

import http.client
import random
import socket
import struct
import threading
from collections.abc import Callable

from tests.bench.table_process import TableProcess, join_threads
from tests.support.server_process import HOST, ProcessGoneError

PHONES = 4
PAGES = ("/", "/tray.jpg", "/healthz", "/metrics", "/static/css/base.css")
FAULTS = ("dark", "frozen", "dropped", "blocked", "gone")
SMALL_BUFFER_BYTES = 4096
LINE_TIMEOUT_S = 10.0
FIX_ATTEMPTS = 3
STREAM = b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
CHUNK_BYTES = 2048
SLEEP_S = 45.0
"""Longer than the server waits for a client that takes nothing."""


class LoadClients:
    """Everybody at once, each in a thread of their own, until they are sent away."""

    def __init__(self, table: TableProcess, *, seed: int, fault_gap_s: float) -> None:
        self.visits = 0
        self.faults = 0
        self._table = table
        self._gap_s = fault_gap_s
        self._gone = threading.Event()
        self._lock = threading.Lock()
        roles: list[Callable[[random.Random], None]] = [self._short_visit] * PHONES
        roles += [self._read_slowly, self._stalled_client, self._fail_camera]
        self._threads = [
            threading.Thread(
                target=self._repeat,
                args=(role, random.Random(seed + index)),
                name=f"visitor {index}",
                daemon=True,
            )
            for index, role in enumerate(roles)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Let everybody go, and the camera work."""
        self._gone.set()
        join_threads(self._threads)
        self._fix_camera()

    def _repeat(self, role: Callable[[random.Random], None], chance: random.Random) -> None:
        while not self._gone.is_set():
            try:
                role(chance)
            except (OSError, http.client.HTTPException):
                self._gone.wait(0.1)

    def _short_visit(self, chance: random.Random) -> None:
        """Load some pages, follow the table for a moment, and vanish in one of three ways."""
        for page in chance.sample(PAGES, 2):
            self._table.get(page)
        line = socket.create_connection((HOST, self._table.public_port), timeout=LINE_TIMEOUT_S)
        with line:
            with self._lock:
                self.visits += 1
            way = chance.choice(("polite", "reset", "cut"))
            line.sendall(STREAM[: len(STREAM) // 2] if way == "cut" else STREAM)
            self._gone.wait(chance.uniform(0.05, 2.0))
            if way == "polite":
                line.recv(CHUNK_BYTES)
            if way == "reset":
                # Hung up without a word of farewell, as a phone does whose battery is empty.
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def _read_slowly(self, chance: random.Random) -> None:
        """Read a byte a second."""
        with self._small_line() as line:
            line.sendall(STREAM)
            while not self._gone.wait(1.0):
                if not line.recv(1):
                    return

    def _stalled_client(self, chance: random.Random) -> None:
        """Ask for the stream and take none of it, as a phone in a pocket does."""
        with self._small_line() as line:
            line.sendall(STREAM)
            self._gone.wait(SLEEP_S)

    def _fail_camera(self, chance: random.Random) -> None:
        """Let the camera work for a while and then fail for a moment."""
        if self._gone.wait(self._gap_s * chance.uniform(0.5, 1.5)):
            return
        try:
            self._set_fault(chance.choice(FAULTS))
            self.faults += 1
            self._gone.wait(chance.uniform(0.5, 6.0))
        finally:
            self._set_fault(None)

    def _fix_camera(self) -> None:
        """Let the camera work, also where a busy table did not hear it the first time."""
        for _ in range(FIX_ATTEMPTS):
            try:
                return self._set_fault(None)
            except (OSError, http.client.HTTPException):
                continue
        raise ProcessGoneError("it answers nobody any more")

    def _set_fault(self, name: str | None) -> None:
        self._table.post("/simulator", {"do": "fault", "name": name})

    def _small_line(self) -> socket.socket:
        line = socket.socket()
        line.settimeout(LINE_TIMEOUT_S)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER_BYTES)
        line.connect((HOST, self._table.public_port))
        return line
