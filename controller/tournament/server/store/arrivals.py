# SPDX-License-Identifier: MIT
"""
Tell the other servers of a database which journals have got lines, and hear it from them.

In PostgreSQL a transaction that announces something holds a lock until it is committed, and a
replica may take long. So the announcement has a transaction of its own, which waits for nothing. A
lost one does no harm: all journals are looked at after half a second anyway, as with SQLite.
"""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from psycopg import Connection

    from controller.tournament.server.store.postgresql import PostgresqlAddress

CHANNEL = "dicebell_lines"
RETRY_S = 3.0


MOST_ANNOUNCED = 500  # Journals in one announcement, which has at most 8000 bytes.


class ArrivalListener:
    """A thread that announces journals with new lines, and notes those that others announce."""

    def __init__(self, address: PostgresqlAddress, note: Callable[[Collection[int]], None]) -> None:
        self._address = address
        self._note = note
        self._closing = threading.Event()
        self._waking, self._wake = os.pipe()
        self._lock = threading.Lock()
        self._changed: set[int] = set()
        self._thread = threading.Thread(target=self._run, name="arrivals", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def announce(self, journals: Collection[int]) -> None:
        """Tell the others soon that these rows of journals have changed, which is committed."""
        with self._lock:
            is_first = not self._changed
            self._changed.update(journals)
        if is_first and journals:
            os.write(self._wake, b"x")

    def close(self) -> None:
        self._closing.set()
        os.write(self._wake, b"x")
        if self._thread.is_alive():
            self._thread.join()
        os.close(self._wake)
        os.close(self._waking)

    def _run(self) -> None:
        import psycopg

        while not self._closing.is_set():
            try:
                self._listen()
            except psycopg.Error:
                # The thread that writes reports why.
                self._closing.wait(RETRY_S)

    def _listen(self) -> None:
        with self._address.connect() as connection:
            connection.autocommit = True
            connection.execute("SET synchronous_commit = off")
            connection.execute(f"LISTEN {CHANNEL}")
            own = connection.info.backend_pid
            while not self._closing.is_set():
                ready, _, _ = select.select([connection.fileno(), self._waking], [], [])
                if self._waking in ready:
                    os.read(self._waking, 1)
                    self._send_changed(connection)
                for announced in connection.notifies(timeout=0):
                    if announced.pid != own:
                        told = filter(str.isdigit, announced.payload.split())
                        self._note([int(each) for each in told])

    def _send_changed(self, connection: Connection[Any]) -> None:
        with self._lock:
            changed, self._changed = sorted(self._changed), set()
        for first in range(0, len(changed), MOST_ANNOUNCED):
            announced = " ".join(map(str, changed[first : first + MOST_ANNOUNCED]))
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, announced))
