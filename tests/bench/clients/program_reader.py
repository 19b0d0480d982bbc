# SPDX-License-Identifier: MIT
"""A program that follows the events of a table, connects again, and remembers what it got."""

from __future__ import annotations

import http.client
import json
import threading
import time
from dataclasses import dataclass

from tests.bench.table_process import join_threads
from tests.support.server_process import HOST, ProcessGoneError

LINE_TIMEOUT_S = 10.0
RETRY_S = 0.05
PATIENCE_S = 120.0


@dataclass(frozen=True, slots=True)
class ReceivedEvent:
    """An event as a program got it."""

    id: str
    delay_ms: float
    is_live: bool


class ProgramReader:
    """
    Follows a table in a thread of its own until it is closed.

    Args:
        port: Of the table on this machine.
        token: With the scope `read`.

    Attributes:
        events: Every event in the order of its arrival.
        first_id: Where the first stream began; empty before it has.
        resets: How often the table did not know the last event.
        longest_gap_s: The longest time without an open stream.
    """

    def __init__(self, port: int, token: str) -> None:
        self.events: list[ReceivedEvent] = []
        self.first_id = ""
        self.resets = 0
        self.longest_gap_s = 0.0
        self._port = port
        self._headers = {"Authorization": f"Bearer {token}"}
        self._last_id = ""
        self._changed = threading.Condition()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="program", daemon=True)
        self._thread.start()

    def wait_for(self, event_id: str) -> None:
        """Wait until it has the event with this id; empty: until its first stream is open."""
        with self._changed:
            is_there = self._changed.wait_for(
                lambda: self._last_id == event_id if event_id else bool(self.first_id), PATIENCE_S
            )
        if not is_there:
            raise ProcessGoneError(f"a program waited for {event_id} and has {self._last_id}")

    def close(self) -> None:
        """Follow no longer."""
        self._closed.set()
        join_threads([self._thread])

    def _run(self) -> None:
        left_s = time.monotonic()
        while not self._closed.is_set():
            try:
                line = http.client.HTTPConnection(HOST, self._port, timeout=LINE_TIMEOUT_S)
                headers = {"Last-Event-ID": self._last_id} if self._last_id else {}
                line.request("GET", "/api/v1/events", headers={**self._headers, **headers})
                answer = line.getresponse()
                if answer.status == http.client.OK:
                    self.longest_gap_s = max(self.longest_gap_s, time.monotonic() - left_s)
                    self._follow(answer)
                    left_s = time.monotonic()
            except (OSError, http.client.HTTPException):
                left_s = min(left_s, time.monotonic())
            finally:
                line.close()
            self._closed.wait(RETRY_S)

    def _follow(self, answer: http.client.HTTPResponse) -> None:
        """Take events until the stream breaks; one that came in part did not come."""
        opened_ms, event_id = time.time() * 1000.0, ""
        for raw in answer:
            if self._closed.is_set():
                return
            name, _, value = raw.decode().rstrip("\n").partition(": ")
            if name == "id":
                event_id = value
            elif name == "data" and raw.endswith(b"\n"):
                self._record(event_id, json.loads(value), opened_ms)

    def _record(self, event_id: str, data: dict[str, object], opened_ms: float) -> None:
        with self._changed:
            self._last_id = event_id
            if data["type"] in ("open", "reset"):
                self.first_id = self.first_id or event_id
                self.resets += data["type"] == "reset"
            else:
                written_ms = float(str(data["at_ms"]))
                delay_ms = time.time() * 1000.0 - written_ms
                self.events.append(ReceivedEvent(event_id, delay_ms, written_ms >= opened_ms))
            self._changed.notify_all()
