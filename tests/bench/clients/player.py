# SPDX-License-Identifier: MIT
"""
A player on the kiosk: throws, waits, confirms, and remembers every roll shown.

At the end the rolls shown are compared with the journal. A throw spoiled by a fault is repeated.
"""

from __future__ import annotations

import http.client
import threading
import time

from tests.bench.clients.screen import StreamClient, View, build_confirm
from tests.bench.table_process import TableProcess, join_threads

THROWING = ("awaiting roll", "awaiting joker", "in hand")
WAITING = ("rolling", "settling", "reading", "fault")
CONFIRMED = ("choosing", "game over", "lobby", "paused")
ROLL_PATIENCE_S = 15.0
"""A throw that was not taken by then is thrown again."""
END_PATIENCE_S = 45.0
"""A camera that is being looked for is found again sooner than this."""
PAUSE_S = 0.05
STRAIGHTEN_S = 1.0


class SoakPlayer:
    """Plays in a thread of its own until asked to stop."""

    def __init__(self, table: TableProcess) -> None:
        self.throws = 0
        self.rolls: list[str] = []
        self.invented = 0
        self.doubts = 0
        self._table = table
        self._screen = StreamClient(table.port)
        self.is_owed = False
        self._chooses = False
        self._until_s = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="player", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current throw was taken, or after a timeout."""
        self._until_s = time.monotonic() + END_PATIENCE_S
        self._stop.set()
        join_threads([self._thread])
        self._screen.close()

    @property
    def longest_silence_s(self) -> float:
        """The longest time without an event on the stream of its screen."""
        return self._screen.longest_silence_s

    def _run(self) -> None:
        while not self._is_over():
            view = self._screen.wait(lambda _: True, PAUSE_S)
            if view is None:
                continue
            try:
                self._play(view)
            except (OSError, http.client.HTTPException):
                self._stop.wait(PAUSE_S)

    def _is_over(self) -> bool:
        if not self._stop.is_set():
            return False
        return not self.is_owed or time.monotonic() > self._until_s

    def _play(self, view: View) -> None:
        phase = view["phase"]
        if phase == "choosing":
            self._record_roll(view)
        elif phase != "fault":
            self._chooses = False
        if phase in THROWING:
            self._throw(view)
        elif phase in CONFIRMED:
            self._confirm(view)
        elif phase == "straighten":
            self.doubts += 1
            self._screen.wait(lambda seen: seen["phase"] != "straighten", STRAIGHTEN_S)
            self._throw(view)
        else:
            self._wait_for_change(view, ROLL_PATIENCE_S)

    def _record_roll(self, view: View) -> None:
        if self._chooses:
            return
        self._chooses = True
        if self.is_owed:
            self.rolls.append("".join(sorted(str(die["face"]) for die in view["dice"])))
        else:
            self.invented += 1
        self.is_owed = False

    def _throw(self, view: View) -> None:
        if self._table.post("/simulator", {"do": "throw"}).status != 200:
            self._stop.wait(PAUSE_S)
            return
        self.throws += 1
        self.is_owed = True
        until_s = time.monotonic() + ROLL_PATIENCE_S
        while (left_s := until_s - time.monotonic()) > 0:
            seen = self._wait_for_change(view, left_s)
            if seen is None or seen["phase"] not in (*WAITING, *THROWING):
                return
            view = seen

    def _confirm(self, view: View) -> None:
        if self._table.post("/command", build_confirm(view)).status == 200:
            self._wait_for_change(view, 1.0)
        else:
            self._stop.wait(PAUSE_S)

    def _wait_for_change(self, view: View, timeout_s: float) -> View | None:
        return self._screen.wait(lambda seen: seen["version"] != view["version"], timeout_s)
