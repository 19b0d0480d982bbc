# SPDX-License-Identifier: MIT
"""
Open ten thousand connections while an event is played: `python -m tests.tournament_harness.flood`.

A table sends and two phones choose at a real `dicebell desk`: alone, while a flood comes from many
addresses of this machine, and while it stays. Each kind of flood has an event of its own. Prints
how long rolls took, what the server's log said and how much memory it used. Exit status: 0 if every
roll was played and nothing was lost.
"""

from __future__ import annotations

import argparse
import asyncio
import errno
import multiprocessing
import random
import re
import resource
import selectors
import socket
import sys
import tempfile
import time
from collections import Counter
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from controller.journal.hashchain import encode_entry
from controller.tournament.simulated.phone_client import PhoneClient
from tests.support.desk_process import DeskProcess
from tests.tournament_harness.evening import PACE, Evening, EveningSize, NotingPlayer
from tests.tournament_harness.faulty_table import FaultyTable
from tests.tournament_harness.servers import Kind, Servers

FLOODS = {
    "silent": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-More: ",
    "streams": b"GET /event/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "wrong requests": (
        b"POST /event/choices HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}"
    ),
}
"""What each connection of a flood sends."""
FILES = 12_000
LAST_ROLL_S = 120.0
OPENED_S = 120.0
ROLLS = 3
"""Of each part: a game with all of them is not over yet."""
PAUSE_S = 1.0


class SoundTable(FaultyTable):
    """A table whose network is well."""

    async def _send_once(self) -> None:
        first = self.acknowledged
        await self._post(first, self.lines[first : first + self.most_lines], "none")


class FloodedEvening(Evening):
    """An evening of one hall, whose rolls are timed."""

    flood = ""
    connections = 0
    addresses = 0

    def _make_tables(self, folder: Path, hall: Any) -> list[FaultyTable]:
        super()._make_tables(folder, hall)
        return [SoundTable(hall, [], (), random.Random(self.seed))]

    async def _run(self, servers: Servers) -> None:
        (server,) = servers.running
        self._players = [
            NotingPlayer(PhoneClient(server.url), f"Player {number}", self._chance, PACE)
            for number in range(self.size.players)
        ]
        is_over = False
        playing = [asyncio.create_task(player.play()) for player in self._players]
        sending = asyncio.create_task(self._tables[0].send_all(lambda: is_over))
        await self._wait_until(lambda: all(player.number for player in self._players))
        await self._time_rolls("alone", server)
        await self._play_flooded(server)
        is_over = True
        await sending
        for task in playing:
            task.cancel()

    async def _play_flooded(self, server: DeskProcess) -> None:
        spawn = multiprocessing.get_context("spawn")
        stop, opened = spawn.Event(), spawn.Event()
        values = (server.port, FLOODS[self.flood], self.connections, self.addresses, stop, opened)
        process = spawn.Process(target=hold_connections, args=values)
        process.start()
        try:
            await self._time_rolls("while it comes", server)
            await asyncio.to_thread(opened.wait, OPENED_S)
            await self._time_rolls("while it stays", server)
            print_log(server)
        finally:
            stop.set()
            await asyncio.to_thread(process.join)

    async def _time_rolls(self, what: str, server: DeskProcess) -> None:
        """Throw, and time each roll from its throw until both phones know that it is closed."""
        seen, took_s = len(server.lines), list[float]()
        for _ in range(ROLLS):
            await asyncio.sleep(PAUSE_S)
            began_s = time.monotonic()
            faces = "".join(sorted(self._chance.choices("123456", k=5)))
            self._tables[0].lines.append(encode_entry(self._hall.throw(faces)))
            number = len(self._hall.entries) - 1
            async with asyncio.timeout(LAST_ROLL_S):
                await self._wait_until(lambda number=number: self._is_known(number))
            took_s.append(time.monotonic() - began_s)
        print(  # noqa: T201
            f"{what}: {len(took_s)} rolls, median {sorted(took_s)[len(took_s) // 2]:.2f} s,"
            f" slowest {max(took_s):.2f} s; {len(server.lines) - seen} lines of log,"
            f" {server.memory_mb():.0f} MB"
        )

    def _is_known(self, number: int) -> bool:
        """Return whether all phones know that a roll is closed, or the game is over."""
        games = [player.shared.get("game") or {} for player in self._players]
        return all((game.get("last") or {}).get("number", 0) >= number for game in games)


def hold_connections(
    port: int, request: bytes, count: int, addresses: int, stop: Event, opened: Event
) -> None:
    """Open connections from many addresses, send the same, and open closed ones again."""
    allow_files()
    ends: Counter[str] = Counter()
    began_s, made = time.monotonic(), 0
    held: dict[socket.socket, None] = {}
    with selectors.DefaultSelector() as selector:
        while not stop.is_set():
            while len(held) < count and not stop.is_set():
                if made >= count and not opened.is_set():
                    print(f"  {count} opened in {time.monotonic() - began_s:.1f} s")  # noqa: T201
                    opened.set()
                try:
                    each = socket.create_connection(
                        ("127.0.0.1", port), 10, (f"127.0.1.{made % addresses + 1}", 0)
                    )
                    each.sendall(request)
                    each.setblocking(False)
                except OSError as error:
                    ends[errno.errorcode.get(error.errno or 0, str(error))] += 1
                    made += 1
                    break
                made += 1
                held[each] = None
                selector.register(each, selectors.EVENT_READ)
                if made % 50 == 0:
                    _drain(selector, held, ends)
            _drain(selector, held, ends)
            if len(held) >= count:
                opened.set()
                stop.wait(0.05)
    seconds = time.monotonic() - began_s
    print(f"  {made} connections in {seconds:.0f} s, ended: {dict(ends)}")  # noqa: T201
    for each in held:
        each.close()


def _drain(
    selector: selectors.BaseSelector, held: dict[socket.socket, None], ends: Counter[str]
) -> None:
    """Read what came, and drop connections that the server ended."""
    for key, _ in selector.select(0):
        each = key.fileobj
        assert isinstance(each, socket.socket)
        try:
            if each.recv(65536):
                continue
            ends["ended"] += 1
        except OSError as error:
            ends[errno.errorcode.get(error.errno or 0, str(error))] += 1
        selector.unregister(each)
        del held[each]
        each.close()


def allow_files() -> None:
    """Let this process, and those that it starts, open enough files."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < FILES:
        sys.exit(f"expected at least {FILES} files for a process, found a limit of {hard}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, hard))


def print_log(server: DeskProcess) -> None:
    """Print each kind of line in the server's log, and how often it came."""
    kinds = Counter(re.sub(r"\d[\d.:TZ-]*", "N", line.strip()) for line in server.lines)
    for kind, count in kinds.most_common(6):
        print(f"  {count} x {kind[:150]}")  # noqa: T201


def main() -> int:
    """Play the evening; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=10_000, help="(%(default)s)")
    parser.add_argument("--addresses", type=int, default=100, help="up to 250 (%(default)s)")
    parser.add_argument("--flood", choices=list(FLOODS), action="append", help="all by default")
    args = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    allow_files()
    failed = 0
    for flood in args.flood or FLOODS:
        evening = FloodedEvening(Kind.SQLITE, 1, EveningSize(tables=0, players=2, restarts=0))
        evening.flood = flood
        evening.connections, evening.addresses = args.connections, args.addresses
        with tempfile.TemporaryDirectory(prefix="dicebell-flood-") as folder:
            faults = evening.play(Path(folder), None)
        failed += bool(faults)
        print(f"{flood}: {faults or 'all well'}")  # noqa: T201
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
