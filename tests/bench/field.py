# SPDX-License-Identifier: MIT
"""
Measure an evening with many phones at one server: how late rolls and answers are, and its memory.

The server is `dicebell desk` on SQLite, a process of its own. The phones share another process:
they follow their streams and choose as those of players do. The table sends its rolls over the
wire, so the time of a roll begins at the table. Nobody chooses before all have the roll, so what
it costs to show a roll and what choices cost are measured apart.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Benchmark, Metric, option
from controller.journal.hashchain import Entry, encode_entry
from controller.journal.signing_key import TableKey
from controller.tournament.entries.codec import EventEntry, encode_body
from controller.tournament.entries.event_entries import TableEnrolled
from controller.tournament.entries.game_entries import GameOpened
from controller.tournament.entries.player_entries import PlayerJoined
from controller.tournament.server.player_requests import hash_secret
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.values import Draft
from controller.tournament.server.wire.http_signature import sign_request
from controller.tournament.simulated.phone_client import PhoneClient
from controller.tournament.simulated.players import PlayerPace, SimulatedPlayer
from tests.bench.figures import list_load, list_times
from tests.controller.tournament.event_tables import ChainedTable, duplicate_event
from tests.support.desk_process import DeskProcess
from tests.support.server_process import HOST, ProcessGoneError
from tests.support.tournament_store import wait_until_open
from webui.tournament.browsers import PLAYER_COOKIE

SEED = 1
CHOOSING_S = 5.0
"""All choose within these seconds."""
FOLLOW_S = 0.01  # Between two phones that open their streams.
LONGEST_WAIT_S = 240.0
CLOCK_S = 240
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
        showing_s: Processor time of the server from each roll until the last phone had it.
        cpu_s: Processor time of the server for all rolls.
        clients_s: That of the phones.
        shown: The newest roll that all have.
    """

    arrivals: dict[int, list[float]] = field(default_factory=dict)
    thrown_s: dict[int, float] = field(default_factory=dict)
    answers_s: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    showing_s: list[float] = field(default_factory=list)
    cpu_s: float = 0.0
    clients_s: float = 0.0
    shown: int = 0
    shows: asyncio.Condition = field(default_factory=asyncio.Condition)


@dataclass(frozen=True, kw_only=True)
class Field(Benchmark):
    """Let many phones play rolls of `dicebell desk`; milliseconds from the table to the last
    phone and from a choice to its durable answer, and memory."""

    name: ClassVar[str] = "field"
    players: int = option(500, "players of the event (%(default)s)", whole_number_type(2))
    rolls: int = option(10, "how many (%(default)s)", whole_number_type(1))

    def measure(self) -> Iterator[Metric]:
        """Yield times from the table to the phones and to durable answers, and memory."""
        with TemporaryDirectory() as name:
            data = Path(name, "event")
            data.mkdir()
            key = TableKey.load_or_generate(Path(name))
            _prepare_event(data, key.public_hex, self.players)
            with DeskProcess(data, "--open") as desk:
                desk.wait_until(is_ok=True)
                start_mb = desk.memory_mb()
                times = asyncio.run(_Evening(self.players, desk, key).play(self.rolls))
                end_mb, most_mb = desk.memory_mb(), desk.memory_mb("VmHWM")
        yield Metric("phones", self.players)
        yield Metric("rolls", self.rolls)
        late_ms = [
            [1000 * (at_s - times.thrown_s[roll]) for at_s in arrived]
            for roll, arrived in times.arrivals.items()
        ]
        yield from list_times("table to a phone", list(chain.from_iterable(late_ms)))
        yield from list_times("table to the last phone", list(map(max, late_ms)))
        yield Metric("choices", len(times.answers_s))
        answers_ms = [1000 * each for each in times.answers_s]
        yield from list_times("choice to its durable answer", answers_ms)
        yield Metric("choices refused", len(times.refused))
        each_ms = 1000 / self.players
        showing = statistics.median(times.showing_s) * each_ms
        yield Metric("processor time to show a roll, for each phone, ms", round(showing, 3))
        whole = times.cpu_s / self.rolls * each_ms
        yield Metric("processor time of a roll, for each phone, ms", round(whole, 3))
        clients = times.clients_s / self.rolls * each_ms
        yield Metric("processor time of each simulated phone a roll, ms", round(clients, 3))
        yield from list_load()
        yield Metric("memory of the server at its start, MB", round(start_mb, 1))
        yield Metric("memory of the server at the end, MB", round(end_mb, 1))
        yield Metric("memory of the server at most, MB", round(most_mb, 1))


class _Phone(SimulatedPlayer):
    """A player who notes when rolls come and answers arrive."""

    def __init__(self, client: PhoneClient, number: int, times: FieldTimes) -> None:
        super().__init__(client, "", random.Random(number), PACE)
        client.cookie = f"{PLAYER_COOKIE}={_make_secret(number)}"
        self.number = number
        self._times = times

    def receive(self, name: str, view: dict[str, Any]) -> bool:
        roll = view.get("roll") if name == "own" else None
        if roll and roll["actions"]:
            self._times.arrivals.setdefault(roll["number"], []).append(time.perf_counter())
        return super().receive(name, view)

    async def _think(self, roll: dict[str, Any]) -> None:
        async with self._times.shows:
            await self._times.shows.wait_for(lambda: self._times.shown >= roll["number"])
        await super()._think(roll)

    async def choose(self, do: list[str]) -> bool:
        began_s = time.perf_counter()
        is_durable = await super().choose(do)
        self._times.answers_s.append(time.perf_counter() - began_s)
        self._times.refused += self.refused
        return is_durable


class _Evening:
    """All phones of one measurement, the table and the server."""

    def __init__(self, phones: int, desk: DeskProcess, key: TableKey) -> None:
        self._times = FieldTimes()
        self._phones = [
            _Phone(PhoneClient(f"{desk.url}/"), each, self._times) for each in range(1, phones + 1)
        ]
        self._table = _Table(desk.port, key)
        self._desk = desk

    async def play(self, rolls: int) -> FieldTimes:
        playing = []
        for phone in self._phones:
            playing.append(asyncio.create_task(phone.play()))
            await asyncio.sleep(FOLLOW_S)
        await self._wait_for(lambda: all(phone.own.get("player") for phone in self._phones))
        await asyncio.to_thread(self._table.begin)
        before_s, own_s = self._desk.cpu_s(), time.process_time()
        for number in range(1, rolls + 1):
            # What followed from the roll before is over.
            await asyncio.sleep(1.0)
            self._times.thrown_s[number] = time.perf_counter()
            thrown_cpu_s = self._desk.cpu_s()
            await asyncio.to_thread(self._table.throw)
            await self._wait_for(partial(self._has_arrived, number))
            self._times.showing_s.append(self._desk.cpu_s() - thrown_cpu_s)
            await self._let_choose(number)
            await self._wait_for(partial(self._have_chosen, number))
        self._times.cpu_s = self._desk.cpu_s() - before_s
        self._times.clients_s = time.process_time() - own_s
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        return self._times

    async def _let_choose(self, number: int) -> None:
        async with self._times.shows:
            self._times.shown = number
            self._times.shows.notify_all()

    def _has_arrived(self, number: int) -> bool:
        return len(self._times.arrivals.get(number, ())) == len(self._phones)

    def _have_chosen(self, number: int) -> bool:
        return len(self._times.answers_s) == number * len(self._phones)

    async def _wait_for(self, is_so: Callable[[], bool]) -> None:
        end_s = time.perf_counter() + LONGEST_WAIT_S
        while not is_so():
            if time.perf_counter() > end_s:
                raise ProcessGoneError("it does not answer every phone")
            await asyncio.sleep(0.02)


class _Table:
    """The table whose rolls everybody plays."""

    def __init__(self, port: int, key: TableKey) -> None:
        self._port = port
        self._key = key
        self._chance = random.Random(SEED)
        self._journal = ChainedTable()

    def begin(self) -> None:
        self._send(self._journal.begin())

    def throw(self) -> None:
        faces = "".join(sorted(self._chance.choices("123456", k=5)))
        self._send(self._journal.throw(faces))

    def _send(self, entry: Entry) -> None:
        path = f"/boxes/{self._key.public_hex}/journal/{entry.seq}"
        content = encode_entry(entry)
        signed = sign_request(self._key, "POST", path, content, int(time.time()))
        headers = {"Content-Type": "application/x-ndjson", **signed}
        with contextlib.closing(http.client.HTTPConnection(HOST, self._port)) as wire:
            wire.request("POST", path, content, headers)
            answer = wire.getresponse()
            if answer.status != http.client.OK:
                raise ProcessGoneError(f"a roll was not stored: {answer.read().decode()}")


def _make_secret(number: int) -> str:
    return f"phone-{number:022}"


def _prepare_event(folder: Path, box: str, phones: int) -> None:
    """Begin an event with one table, players and an open game in a new database."""
    store = JournalStore(Database(folder), TableKey.load_or_create(folder))
    store.start()
    entries: list[EventEntry] = [
        duplicate_event(games=1, clock_s=CLOCK_S),
        TableEnrolled(box, "Table 1"),
        *(
            PlayerJoined(each, f"Player {each}", hash_secret(_make_secret(each)))
            for each in range(1, phones + 1)
        ),
        GameOpened(1, box, 0),
    ]
    try:
        wait_until_open(store)
        store.append_own([Draft(each.kind, encode_body(each)) for each in entries])
    finally:
        store.close()
