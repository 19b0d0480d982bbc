# SPDX-License-Identifier: MIT
"""
Measure the wire of tournaments: many tables that send to one server, and the time to its answers.

The server is `dicebell desk --open` as a process of its own, so all of its work counts: HTTP,
signatures, checks, the commit on the disk. The tables share one process, one connection each. Some
of them may have been away and send what has waited, while the others go on.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.bench.tournament.server_process import (
    find_percentile,
    read_cpu_s,
    read_memory_mb,
    serve_event,
)
from controller.journal.hashchain import Entry, build_next_entry, encode_entry
from controller.journal.signing_key import TableKey
from controller.tournament.server.wire.http_signature import sign_request

LINE_BYTES = 2000
PAUSE_S = 2.0
"""Between two entries of one table: 0.5 entries a second, the pace of real play."""
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


@dataclass(frozen=True, slots=True)
class WireLoad:
    """
    What is sent.

    Attributes:
        tables: How many tables keep up.
        seconds: For how long.
        away: How many tables were away.
        waiting: How many entries have waited at all of these together.
    """

    tables: int
    seconds: float
    away: int = 0
    waiting: int = 0


def measure_wire(load: WireLoad, database: str = "") -> dict[str, float]:
    """
    Return times in milliseconds, and what the tables that were away took.

    Args:
        load: What is sent.
        database: The address of an empty database; empty for SQLite.

    Raises:
        InputError: The server does not start.
    """
    with TemporaryDirectory() as name, serve_event(Path(name), database) as (port, process):
        cpu_s = read_cpu_s(process.pid)
        times = asyncio.run(_Tables(load, port, Path(name)).run())
        cpu_s = read_cpu_s(process.pid) - cpu_s
        memory_mb = read_memory_mb(process.pid)
    live_ms = sorted(1000 * seconds for seconds in times.live_s) or [0.0]
    first_ms = sorted(1000 * seconds for seconds in times.first_s) or [0.0]
    figures: dict[str, float] = {
        "tables": load.tables,
        "entries of tables that keep up": len(times.first_s) + len(times.live_s),
        "entries a second": round((len(times.first_s) + len(times.live_s)) / load.seconds, 1),
        "to the durable answer, median ms": round(find_percentile(live_ms, 0.5), 3),
        "to the durable answer, 99 % ms": round(find_percentile(live_ms, 0.99), 3),
        "to the durable answer, slowest ms": round(live_ms[-1], 3),
        "of each table's first entry, 99 % ms": round(find_percentile(first_ms, 0.99), 3),
        "refused requests": times.refused,
        "processor time of the server, seconds": round(cpu_s, 3),
        "memory of the server, MB": round(memory_mb, 1),
    }
    if load.away:
        figures["entries that waited"] = load.waiting // load.away * load.away
        figures["until they had arrived, seconds"] = round(times.caught_up_s, 3)
    return figures


class _Tables:
    """The tables of one load."""

    def __init__(self, load: WireLoad, port: int, folder: Path) -> None:
        self._load = load
        self._port = port
        self._times = WireTimes()
        self._chance = random.Random(1)
        # A folder without a key gives a new one, which no one saves.
        self._keys = [TableKey.load_or_generate(folder) for _ in range(load.tables + load.away)]
        count = max(int(load.seconds / PAUSE_S) + 2, load.waiting // max(load.away, 1))
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
        await asyncio.sleep(self._chance.uniform(0, PAUSE_S))
        began_s = time.perf_counter()
        connection = await _Connection.open(self._port)
        for number, line in enumerate(self._lines):
            if began_s > end_s:
                break
            status, _ = await self._post(connection, key, number, line)
            took_s = time.perf_counter() - began_s
            if status == 200:
                (self._times.live_s if number else self._times.first_s).append(took_s)
            else:
                self._times.refused += 1
            await asyncio.sleep(max(0.0, PAUSE_S - took_s))
            began_s = time.perf_counter()
        connection.close()

    async def _catch_up(self, key: TableKey, count: int) -> None:
        connection = await _Connection.open(self._port)
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
