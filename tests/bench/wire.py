# SPDX-License-Identifier: MIT
"""
Measure the wire of tournaments: many tables that send to one server, and the time to its answers.

The server is `dicebell desk --open` as a process of its own, so all of its work counts: HTTP,
signatures, checks, the commit on the disk. The tables share one process, one connection each. Some
of them may have been away and send what has waited, while the others go on. Several desks of one
event may share the tables; each then also reads what the others wrote.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Benchmark, Metric, option
from controller.journal.hashchain import Entry, build_next_entry, encode_entry
from controller.journal.signing_key import PRIVATE_FILE, PUBLIC_FILE, TableKey
from controller.tournament.server.wire.http_signature import sign_request
from tests.bench.figures import list_times, parse_positive
from tests.support.desk_process import DeskProcess
from tests.support.postgres_cluster import Cluster

LINE_BYTES = 2000
BATCH_BYTES = 250_000


@dataclass(slots=True)
class WireTimes:
    """
    What the tables saw.

    Attributes:
        first_s: Seconds to the answer of each table's first entry, with which it connects and is
            let in. It comes once an evening, so it is told apart.
        live_s: Those of all later ones.
        refused: Requests.
        caught_up_s: When all that waited had arrived.
    """

    first_s: list[float] = field(default_factory=list)
    live_s: list[float] = field(default_factory=list)
    refused: int = 0
    caught_up_s: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Wire(Benchmark):
    """Let many tables send entries to `dicebell desk`; milliseconds until they are durable, and
    seconds until what waited at tables that were away has arrived."""

    name: ClassVar[str] = "wire"
    tables: int = option(1000, "tables that keep up (%(default)s)", whole_number_type(1))
    seconds: float = option(30.0, "how long they send (%(default)g)", parse_positive)
    away: int = option(0, "further tables, which were away (%(default)s)", whole_number_type(0))
    waiting: int = option(
        30_000, "entries that wait at these together (%(default)s)", whole_number_type(0)
    )
    pause: float = option(
        2.0,
        "seconds between two entries of one table, as in real play (%(default)g)",
        parse_positive,
    )
    desks: int = option(
        1, "desks of the event, in one database (%(default)s)", whole_number_type(1)
    )
    database: str = option(
        "",
        "an empty database in PostgreSQL, as for `dicebell desk`; SQLite by default",
        str,
        metavar="URL",
    )

    replica_ms: int = option(
        0,
        "use a PostgreSQL of its own, whose replica confirms each commit after so long (off)",
        whole_number_type(0),
    )

    def measure(self) -> Iterator[Metric]:
        """Yield times in milliseconds, and what the tables that were away took."""
        with TemporaryDirectory() as name, contextlib.ExitStack() as closing:
            cluster = self._start_cluster(closing) if self.replica_ms else None
            desks = self._start_desks(Path(name), closing, cluster)
            before_s = sum(desk.cpu_s() for desk in desks)
            stored_s = -cluster.cpu_s() if cluster else 0.0
            times = asyncio.run(_Tables(self, [desk.port for desk in desks], Path(name)).run())
            cpu_s = sum(desk.cpu_s() for desk in desks) - before_s
            stored_s += cluster.cpu_s() if cluster else 0.0
            memory_mb = desks[0].memory_mb()
        sent = len(times.first_s) + len(times.live_s)
        yield Metric("tables", self.tables)
        yield Metric("entries of tables that keep up", sent)
        yield Metric("entries a second", round(sent / self.seconds, 1))
        yield from list_times("to the durable answer", [1000 * each for each in times.live_s])
        yield from list_times("to that of a first entry", [1000 * each for each in times.first_s])
        yield Metric("refused requests", times.refused)
        yield Metric("processor time of the desks, s", round(cpu_s, 3))
        yield Metric("the same of PostgreSQL, s", round(stored_s, 3))
        yield Metric("memory of a desk, MB", round(memory_mb, 1))
        if self.away:
            yield Metric("entries that waited", self.waiting // self.away * self.away)
            yield Metric("until they had arrived, s", round(times.caught_up_s, 3))

    def _start_cluster(self, closing: contextlib.ExitStack) -> Cluster:
        """Start a PostgreSQL with a replica, which applies each commit late on purpose."""
        cluster = closing.enter_context(Cluster(settings=("synchronous_commit=remote_apply",)))
        delay = f"recovery_min_apply_delay={self.replica_ms}ms"
        closing.enter_context(Cluster(cluster, (delay,)))
        cluster.require_replica()
        return cluster

    def _start_desks(
        self, folder: Path, closing: contextlib.ExitStack, cluster: Cluster | None
    ) -> list[DeskProcess]:
        """Start the desks one after another, each in a folder with the key of the first."""
        desks: list[DeskProcess] = []
        database = self.database or f"sqlite:///{folder}/event.sqlite"
        if cluster is not None:
            database = cluster.create_database("event")
        for number in range(self.desks):
            data = folder / f"desk-{number}"
            data.mkdir(mode=0o700)
            for file in (PRIVATE_FILE, PUBLIC_FILE) if number else ():
                shutil.copy2(folder / "desk-0" / file, data)
            desk = closing.enter_context(DeskProcess(data, "--open", "--database", database))
            desk.wait_until(is_ok=True)
            desks.append(desk)
        return desks


class _Tables:
    """The tables of one load."""

    def __init__(self, load: Wire, ports: Sequence[int], folder: Path) -> None:
        self._load = load
        self._next_port = cycle(ports)
        self._times = WireTimes()
        self._chance = random.Random(1)
        # A folder without a key gives a new one, which no one saves.
        self._keys = [TableKey.load_or_generate(folder) for _ in range(load.tables + load.away)]
        count = max(int(load.seconds / load.pause) + 2, load.waiting // max(load.away, 1))
        self._lines = _make_lines(count)

    async def run(self) -> WireTimes:
        """Send, and return the times."""
        began_s = time.perf_counter()
        waiting = self._load.waiting // max(self._load.away, 1)
        away, near = self._keys[: self._load.away], self._keys[self._load.away :]
        back = [self._catch_up(key, waiting) for key in away]
        live = [self._keep_up(key, began_s + self._load.seconds) for key in near]

        async def wait_for_those_away() -> None:
            await asyncio.gather(*back)
            self._times.caught_up_s = time.perf_counter() - began_s

        await asyncio.gather(wait_for_those_away(), *live)
        return self._times

    async def _keep_up(self, key: TableKey, end_s: float) -> None:
        await asyncio.sleep(self._chance.uniform(0, self._load.pause))
        began_s = time.perf_counter()
        connection = await _Connection.open(next(self._next_port))
        for number, line in enumerate(self._lines):
            if began_s > end_s:
                break
            status, _ = await self._post(connection, key, number, line)
            took_s = time.perf_counter() - began_s
            if status == 200:
                (self._times.live_s if number else self._times.first_s).append(took_s)
            else:
                self._times.refused += 1
            await asyncio.sleep(max(0.0, self._load.pause - took_s))
            began_s = time.perf_counter()
        connection.close()

    async def _catch_up(self, key: TableKey, count: int) -> None:
        connection = await _Connection.open(next(self._next_port))
        sent = 0
        while sent < count:
            lines = self._lines[sent : min(count, sent + BATCH_BYTES // (LINE_BYTES + 100))]
            status, answer = await self._post(connection, key, sent, b"\n".join(lines))
            if status == 200:
                sent = answer["next"]
            else:
                self._times.refused += 1
                await asyncio.sleep(1.0)
        connection.close()

    async def _post(
        self, connection: _Connection, key: TableKey, first: int, content: bytes
    ) -> tuple[int, dict[str, int]]:
        # An open server needs no signature, but in play each request has one, and so here.
        path = f"/boxes/{key.public_hex}/journal/{first}"
        signed = sign_request(key, "POST", path, content, int(time.time()))
        return await connection.post(path, content, signed)


class _Connection:
    """A connection of a table, with just enough of HTTP."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int) -> _Connection:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def post(
        self, path: str, content: bytes, headers: dict[str, str]
    ) -> tuple[int, dict[str, int]]:
        """Send lines; return the status and the body of the answer."""
        head = [
            f"POST {path} HTTP/1.1",
            "Host: 127.0.0.1",
            "Content-Type: application/x-ndjson",
            f"Content-Length: {len(content)}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        self._writer.write("\r\n".join([*head, "", ""]).encode() + content)
        await self._writer.drain()
        answer = await self._reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", answer, re.IGNORECASE)
        body = await self._reader.readexactly(int(length[1]) if length else 0)
        return int(answer.split(b" ", 2)[1]), json.loads(body)

    def close(self) -> None:
        self._writer.close()


def _make_lines(count: int) -> list[bytes]:
    """Return the lines of a journal, each about as long as that of a roll."""
    lines: list[bytes] = []
    before: Entry | None = None
    for number in range(count):
        body = {"roll": "1 2 3 4 5", "lie": "x" * (LINE_BYTES - 250)}
        before = build_next_entry(before, at_ms=1_795_000_000_000 + number, kind="roll", body=body)
        lines.append(encode_entry(before))
    return lines
