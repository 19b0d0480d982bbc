# SPDX-License-Identifier: MIT
"""A line between a browser and a server that can die without a word, as a sleeping phone's does."""

from __future__ import annotations

import selectors
import socket
import struct
import threading
from typing import Self

HOST = "127.0.0.1"
CHUNK_BYTES = 65536
TURN_S = 0.05


class CutRelay:
    """
    Relays connections to a port of this machine, until they are cut.

    A cut line stays open and carries nothing more. Whoever sends on it finds it reset, as a phone
    does that wakes up after the server gave up on it.

    Attributes:
        asked: The first line of every request that began a connection.
    """

    def __init__(self, port: int) -> None:
        self.asked: list[str] = []
        self._target = port
        self._accepting = socket.create_server(("0.0.0.0", 0))
        self.port: int = self._accepting.getsockname()[1]
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._accepting, selectors.EVENT_READ, None)
        self._ends: list[socket.socket] = []
        self._is_cut: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="relay", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        for end in (self._accepting, *self._ends):
            end.close()
        self._selector.close()

    def cut(self) -> None:
        """Let every connection that is open now carry nothing more; new ones work."""
        with self._lock:
            self._is_cut |= {end for end in self._ends if end.fileno() >= 0}

    def _run(self) -> None:
        while not self._end.is_set():
            for key, _ in self._selector.select(TURN_S):
                with self._lock:
                    if key.data is None:
                        self._accept()
                    elif key.fileobj in self._selector.get_map():
                        self._pass_on(key.fileobj, key.data)

    def _accept(self) -> None:
        browser, _ = self._accepting.accept()
        server = socket.create_connection((HOST, self._target))
        self._ends += [browser, server]
        self._selector.register(browser, selectors.EVENT_READ, server)
        self._selector.register(server, selectors.EVENT_READ, browser)

    def _pass_on(self, source: object, target: socket.socket) -> None:
        assert isinstance(source, socket.socket)
        try:
            data = source.recv(CHUNK_BYTES)
            if source in self._is_cut:
                self._drop(source, data)
                return
            if b" HTTP/1.1\r\n" in data[:200]:
                self.asked.append(data.partition(b" HTTP")[0].decode())
            if data:
                target.sendall(data)
                return
        except OSError:
            pass
        self._selector.unregister(source)
        source.close()

    def _drop(self, source: socket.socket, data: bytes) -> None:
        is_browser = source.getsockname()[1] == self.port
        if data and not is_browser:
            return  # what the server still sends gets lost
        self._selector.unregister(source)
        if is_browser:
            source.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        source.close()
