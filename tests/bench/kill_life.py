# SPDX-License-Identifier: MIT
"""
One life of a table: it starts, is played at through its page and its phones, and is killed.

Half of the kills fall at any time of play, the others within a few milliseconds of a press that
the table writes.
"""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.bench.clients.confirming import TableClient
from tests.bench.clients.screen import View
from tests.bench.journal_replay import find_differences
from tests.bench.table_process import TableProcess

LONGEST_PLAY_S = 5.0
"""Most seconds until a kill that does not wait for a press."""
LONGEST_LIFE_S = 12.0
"""Most seconds until a kill; a busy machine may come to no press before."""
LONGEST_PRESS_S = 0.03
"""Most seconds between a press and its kill."""
AGREE_TIMEOUT_S = 30.0
THROW_TIMEOUT_S = 6.0
STEP_S = 0.05
THROWING = ("awaiting roll", "awaiting joker", "in hand", "straighten")
PRESSING = ("choosing", "game over", "lobby", "reading")


@dataclass(slots=True)
class LifeRecord:
    """What the clients of one life did and saw."""

    throws: int = 0
    answered: set[str] = field(default_factory=set)
    refused: int = 0


def compare_screens(clients: Sequence[TableClient], replayed: View) -> list[str]:
    """Return which screens do not come to show the replayed view, with the keys that differ."""
    until_s = time.monotonic() + AGREE_TIMEOUT_S
    wrong = []
    for number, client in enumerate(clients):
        left_s = max(STEP_S, until_s - time.monotonic())
        if client.screen.wait(lambda seen: not find_differences(seen, replayed), left_s) is None:
            shown = client.screen.wait(lambda _: True, STEP_S)
            wrong.append(f"screen {number}: {_describe_differences(shown, replayed)}")
    return wrong


def _describe_differences(shown: View | None, replayed: View) -> str:
    if shown is None:
        return "it shows nothing"
    keys = find_differences(shown, replayed)
    return "; ".join(f"{key}: {shown.get(key)!r:.100}, not {replayed[key]!r:.100}" for key in keys)


class LifePlayer:
    """Plays at a table with its page and its phones until it kills the table."""

    def __init__(
        self, table: TableProcess, clients: Sequence[TableClient], chance: random.Random
    ) -> None:
        self.record = LifeRecord()
        self._table = table
        self._clients = clients
        self._chance = chance
        self._is_killed = threading.Event()
        self._waits_for_press = chance.random() < 0.5
        play_s = LONGEST_LIFE_S if self._waits_for_press else LONGEST_PLAY_S * chance.random()
        self._timers = [threading.Timer(play_s, self._kill)]

    def play(self) -> None:
        """Play until the table is killed."""
        self._timers[0].start()
        while not self._is_killed.is_set():
            view = self._clients[0].screen.wait(lambda _: True, STEP_S)
            try:
                if view is not None:
                    self._act(view)
            except (OSError, http.client.HTTPException):
                self._is_killed.wait(STEP_S)  # killed in the middle of a request, as a rule
        for timer in self._timers:
            timer.cancel()
            timer.join()

    def _kill(self) -> None:
        self._table.cut_power()
        self._is_killed.set()

    def _act(self, view: View) -> None:
        phase = view["phase"]
        if phase in THROWING:
            self.record.throws += 1
            self._table.post("/simulator", {"do": "throw"})
            self._wait_until(
                lambda seen: (
                    seen["version"] != view["version"]
                    and seen["phase"] in (*PRESSING, "straighten")
                )
            )
        elif phase in PRESSING:
            self._press(view)
        else:
            self._wait_until(lambda seen: seen["version"] != view["version"])

    def _press(self, view: View) -> None:
        if self._waits_for_press and self._chance.random() < 0.5:
            self._timers.append(
                threading.Timer(LONGEST_PRESS_S * self._chance.random(), self._kill)
            )
            self._timers[-1].start()
        status = self._chance.choice(self._clients).confirm(view)
        if status == 200 and view["phase"] == "choosing":
            self.record.answered.add(view["question"])
        self.record.refused += status not in (200, 409)
        self._wait_until(lambda seen: seen["question"] != view["question"], STEP_S)

    def _wait_until(self, fits: Callable[[View], bool], timeout_s: float = THROW_TIMEOUT_S) -> None:
        until_s = time.monotonic() + timeout_s
        while not self._is_killed.is_set() and time.monotonic() < until_s:
            if self._clients[0].screen.wait(fits, STEP_S) is not None:
                return
