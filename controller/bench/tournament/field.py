# SPDX-License-Identifier: MIT
"""
Measure an evening with many phones at one server: how late rolls and answers are, and its memory.

The server is `dicebell desk` on SQLite, a process of its own. The phones share another process:
they join, follow their streams and choose as those of players do. The table sends its rolls over
the wire, so the time of a roll begins at the table.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.base.errors import InputError
from controller.bench.tournament.server_process import (
    find_percentile,
    read_cpu_s,
    read_memory_mb,
    serve_event,
)
from controller.journal.hashchain import Entry, build_next_entry, encode_entry
from controller.journal.signing_key import TableKey
from controller.tournament.entries.codec import encode_body
from controller.tournament.entries.entry_base import FORMAT
from controller.tournament.entries.event_entries import EventBegun
from controller.tournament.entries.game_entries import GameOpened
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.values import Draft
from controller.tournament.server.wire.http_signature import sign_request
from controller.tournament.simulated.phone_client import PhoneClient
from controller.tournament.simulated.players import PlayerPace, SimulatedPlayer

SEED = 1
CHOOSING_S = 5.0
"""All choose within these seconds."""
JOIN_S = 0.04
"""Between two who join: 500 come within 20 seconds."""
LONGEST_WAIT_S = 120.0
OPENING_S = 30.0
CLOCK_S = 120
PACE = PlayerPace(least_s=0.0, most_s=CHOOSING_S, jokers=0.0)


@dataclass(slots=True)
class FieldTimes:
    """
    What the phones saw, in seconds.

    Attributes:
        arrivals: Of each roll, when each phone had it.
        thrown_s: Of each roll, when the table sent it.
        answers_s: How long each choice took to its durable answer.
        refused: Why choices were refused.
        cpu_s: Processor time of the server for all rolls.
    """

    arrivals: dict[int, list[float]] = field(default_factory=dict)
    thrown_s: dict[int, float] = field(default_factory=dict)
    answers_s: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    cpu_s: float = 0.0


def measure_field(phones: int, rolls: int) -> dict[str, float]:
    """
    Return milliseconds from the table to the phones and to durable answers, and memory in MB.

    Raises:
        InputError: The server does not start, or the phones do not get a roll.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "event").mkdir()
        key = TableKey.load_or_generate(folder)
        _prepare_event(folder / "event", key.public_hex)
        with serve_event(folder) as (port, process):
            before_mb = read_memory_mb(process.pid)
            bench = _Field(phones, port, key)
            times = asyncio.run(bench.run(rolls, lambda: read_cpu_s(process.pid)))
            after_mb = read_memory_mb(process.pid)
            most_mb = read_memory_mb(process.pid, "VmHWM")
    return {
        "phones": phones,
        "rolls": rolls,
        **_list_times(times),
        "choices refused": len(times.refused),
        "processor time of the server a roll, ms": round(1000 * times.cpu_s / rolls, 1),
        "memory of the server at its start, MB": round(before_mb, 1),
        "memory of the server at the end, MB": round(after_mb, 1),
        "memory of the server at most, MB": round(most_mb, 1),
    }


def _list_times(times: FieldTimes) -> dict[str, float]:
    late_ms = {
        roll: sorted(1000 * (at_s - times.thrown_s[roll]) for at_s in arrived)
        for roll, arrived in times.arrivals.items()
    }
    every_ms = sorted(each for arrived in late_ms.values() for each in arrived)
    last_ms = sorted(arrived[-1] for arrived in late_ms.values())
    answers_ms = sorted(1000 * each for each in times.answers_s)
    return {
        "table to a phone, median ms": round(find_percentile(every_ms, 0.5), 1),
        "table to a phone, 99 % ms": round(find_percentile(every_ms, 0.99), 1),
        "table to the last phone, median ms": round(find_percentile(last_ms, 0.5), 1),
        "table to the last phone, 99 % ms": round(find_percentile(last_ms, 0.99), 1),
        "choices": len(answers_ms),
        "choice to its durable answer, median ms": round(find_percentile(answers_ms, 0.5), 1),
        "choice to its durable answer, 99 % ms": round(find_percentile(answers_ms, 0.99), 1),
        "choice to its durable answer, slowest ms": round(answers_ms[-1], 1),
    }


class _Phone(SimulatedPlayer):
    """A player who notes when rolls come and answers arrive."""

    def __init__(self, client: PhoneClient, number: int, times: FieldTimes) -> None:
        super().__init__(client, f"Player {number}", random.Random(number), PACE)
        self._times = times

    def receive(self, name: str, view: dict[str, Any]) -> bool:
        roll = view.get("roll") if name == "own" else None
        if roll and roll["actions"]:
            self._times.arrivals.setdefault(roll["number"], []).append(time.perf_counter())
        return super().receive(name, view)

    async def choose(self, do: list[str]) -> bool:
        began_s = time.perf_counter()
        is_durable = await super().choose(do)
        self._times.answers_s.append(time.perf_counter() - began_s)
        self._times.refused += self.refused
        return is_durable


class _Field:
    """All phones of one measurement, and the table."""

    def __init__(self, phones: int, port: int, key: TableKey) -> None:
        url = f"http://127.0.0.1:{port}/"
        self._times = FieldTimes()
        self._phones = [_Phone(PhoneClient(url), each, self._times) for each in range(phones)]
        self._table = _Table(port, key)

    async def run(self, rolls: int, read_cpu: Callable[[], float]) -> FieldTimes:
        playing = []
        for phone in self._phones:
            playing.append(asyncio.create_task(phone.play()))
            await asyncio.sleep(JOIN_S)
        await self._wait_for(lambda: all(phone.own.get("player") for phone in self._phones))
        await asyncio.to_thread(self._table.begin)
        before_s = read_cpu()
        for number in range(1, rolls + 1):
            # What followed from the roll before is over.
            await asyncio.sleep(1.0)
            self._times.thrown_s[number] = time.perf_counter()
            await asyncio.to_thread(self._table.throw)
            await self._wait_for(partial(self._has_chosen, number))
        self._times.cpu_s = read_cpu() - before_s
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        return self._times

    def _has_chosen(self, number: int) -> bool:
        is_there = len(self._times.arrivals.get(number, ())) == len(self._phones)
        return is_there and len(self._times.answers_s) == number * len(self._phones)

    async def _wait_for(self, is_so: Callable[[], bool]) -> None:
        end_s = time.perf_counter() + LONGEST_WAIT_S
        while not is_so():
            if time.perf_counter() > end_s:
                raise InputError(expected="an answer to every phone", found="silent ones")
            await asyncio.sleep(0.02)


class _Table:
    """The table whose rolls everybody plays."""

    def __init__(self, port: int, key: TableKey) -> None:
        self._port = port
        self._key = key
        self._chance = random.Random(SEED)
        self._last: Entry | None = None

    def begin(self) -> None:
        self._send("game", game="choice", players=["Hall"], options={})

    def throw(self) -> None:
        faces = "".join(sorted(self._chance.choices("123456", k=5)))
        keys = {"by_hand": "", "doubts": [], "picture": "", "held": ""}
        self._send("roll", by="Hall", roll=faces, **keys)

    def _send(self, kind: str, **body: Any) -> None:
        before = self._last
        at_ms = time.time_ns() // 1_000_000
        self._last = build_next_entry(before, at_ms=at_ms, kind=kind, body=body)
        path = f"/boxes/{self._key.public_hex}/journal/{self._last.seq}"
        content = encode_entry(self._last)
        signed = sign_request(self._key, "POST", path, content, int(time.time()))
        headers = {"Content-Type": "application/x-ndjson", **signed}
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self._port)) as wire:
            wire.request("POST", path, content, headers)
            answer = wire.getresponse()
            if answer.status != 200:
                raise InputError(expected="a roll that is stored", found=answer.read().decode())


def _prepare_event(folder: Path, box: str) -> None:
    """Begin an event with one table and an open game in a new database."""
    store = JournalStore(Database(folder), TableKey.load_or_create(folder))
    store.start()
    end_s = time.monotonic() + OPENING_S
    while store.problem and time.monotonic() < end_s:
        time.sleep(0.01)
    begun = EventBegun(FORMAT, "bench", "duplicate", "choice", {"jokers": True}, 1, CLOCK_S)
    try:
        store.append_own([Draft(begun.kind, encode_body(begun))])
        store.enrol(box, "Table 1").result()
        opened = GameOpened(1, box, 0)
        store.append_own([Draft(opened.kind, encode_body(opened))])
    finally:
        store.close()
