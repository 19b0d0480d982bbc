# SPDX-License-Identifier: MIT
"""
Tell the other servers of a database that lines have arrived, and hear it from them.

PostgreSQL sends an announcement when the transaction is committed. A lost one does no harm: who
waits asks the database again after half a second anyway, as with SQLite.
"""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text

if TYPE_CHECKING:
    from controller.tournament.server.store.postgresql import PostgresqlAddress

CHANNEL = "dicebell_lines"
RETRY_S = 3.0


def announce_arrival(connection: Connection, arrival: int) -> None:
    """Announce the number of the newest line, once the transaction is committed."""
    if connection.dialect.name == "postgresql":
        notify = text("SELECT pg_notify(:channel, :arrival)")
        connection.execute(notify, {"channel": CHANNEL, "arrival": str(arrival)})


class ArrivalListener:
    """A thread that receives announcements, and notes the number of each line that has arrived."""

    def __init__(self, address: PostgresqlAddress, note: Callable[[int], None]) -> None:
        self._address = address
        self._note = note
        self._closing = threading.Event()
        self._waking, self._wake = os.pipe()
        self._thread = threading.Thread(target=self._run, name="arrivals", daemon=True)

    def start(self) -> None:
        self._thread.start()

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
            connection.execute(f"LISTEN {CHANNEL}")
            while not self._closing.is_set():
                select.select([connection.fileno(), self._waking], [], [])
                for announced in connection.notifies(timeout=0):
                    if announced.payload.isdigit():
                        self._note(int(announced.payload))
