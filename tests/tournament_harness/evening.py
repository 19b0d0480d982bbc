# SPDX-License-Identifier: MIT
"""
One evening: a hall and many other tables send, players choose, and mishaps befall the servers.

Mishaps come at shares of the progress, never after seconds, so each meets real work.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.journal.hashchain import encode_entry
from controller.journal.signing_key import TableKey
from controller.tournament.entries.codec import EventEntry
from controller.tournament.entries.game_entries import GameOpened
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.store import JournalStore
from controller.tournament.simulated.phone_client import PhoneClient
from controller.tournament.simulated.players import PlayerPace, SimulatedPlayer
from tests.controller.tournament.event_tables import ChainedTable, duplicate_event
from tests.support.postgres_cluster import Cluster
from tests.support.tournament_store import StorePlace, send, wait_until_open
from tests.tournament_harness.evidence import MadeChoice, list_faults
from tests.tournament_harness.faulty_table import FaultyTable
from tests.tournament_harness.servers import Kind, Servers, copy_folders, prepare_servers

CLOCK_S = 8
PACE = PlayerPace(joins_s=0.2, least_s=0.0, most_s=0.1)
AWAY_SHARE = 1 / 3
AWAY_LINES = 30
POLL_S = 0.01
LONGEST_S = 1800.0


@dataclass(frozen=True)
class EveningSize:
    """How many tables, lines of each, rolls of the hall, players, and servers that are killed."""

    tables: int = 12
    lines: int = 40
    rolls: int = 5
    players: int = 6
    restarts: int = 2


class NotingPlayer(SimulatedPlayer):
    """A player who notes every choice that a server acknowledged."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.acknowledged: list[MadeChoice] = []

    def move(self, url: str) -> None:
        """Go on at another server, as behind a load balancer."""
        cookie, self._client = self._client.cookie, PhoneClient(url)
        self._client.cookie = cookie

    async def choose(self, do: list[str]) -> bool:
        game, roll = self.own["game"], self.own["roll"]["number"]
        is_durable = await super().choose(do)
        if is_durable:
            self.acknowledged.append((game, roll, self.number, tuple(do)))
        return is_durable


@dataclass
class Evening:
    """One evening."""

    kind: Kind
    seed: int
    size: EveningSize = field(default_factory=EveningSize)
    # Whether tables send to the first server alone, and phones ask the second, until it is lost.
    is_apart: bool = False

    def play(self, folder: Path, cluster: Cluster | None) -> list[str]:
        """Play it in an empty folder; return what was wrong."""
        self._chance = random.Random(self.seed)
        with prepare_servers(
            self.kind, folder, cluster, self._chance, self.size.restarts
        ) as servers:
            key = TableKey.load_or_create(folder)
            self._hall = ChainedTable(key.public_hex)
            self._tables = self._make_tables(folder, key)
            with self._begin_event(servers.places[0]) as store:
                for number, table in enumerate(self._tables):
                    store.enrol(table.key.public_hex, f"Table {number}").result()
            copy_folders(servers)
            servers.start()
            for table in self._tables:
                table.ports = servers.ports[:1] if self.is_apart else servers.ports
            asyncio.run(self._run(servers))
            return list_faults(servers, self._tables, self._players)

    def _make_tables(self, folder: Path, hall: TableKey) -> list[FaultyTable]:
        """Return all tables, that of the hall first."""
        chance = self._chance
        tables = [FaultyTable(hall, [], (), random.Random(chance.random()))]
        for number in range(self.size.tables):
            (place := folder / f"table {number}").mkdir()
            key, own = TableKey.load_or_create(place), ChainedTable()
            for _ in range(self.size.lines):
                own.add(
                    "note", text="x" * chance.choice((50, 300, 2000)), of=chance.getrandbits(40)
                )
            lines = [encode_entry(entry) for entry in own.entries]
            tables.append(FaultyTable(key, lines, (), random.Random(chance.random())))
        return tables

    @contextmanager
    def _begin_event(self, place: StorePlace) -> Iterator[JournalStore]:
        """Begin the event and its first game in the database."""
        key = TableKey.load_or_create(place.folder)
        store = JournalStore(Database(place.folder, place.url), key)
        runner = EventRunner(store)
        store.start()
        runner.start()

        def write(entry: EventEntry) -> None:
            runner.propose(lambda state: entry).result()

        try:
            wait_until_open(store)
            write(duplicate_event(games=1, clock_s=CLOCK_S, options={"jokers": False}))
            store.enrol(self._hall.box, "Hall").result()
            first = encode_entry(self._hall.begin())
            send(store, self._hall.box, 0, (first,))
            self._tables[0].lines.append(first)
            write(GameOpened(1, self._hall.box, 1, by="Olga"))
            yield store
        finally:
            store.close()
            runner.close()

    async def _run(self, servers: Servers) -> None:
        urls = [server.url for server in servers.running[self.is_apart :]]
        self._players = [
            NotingPlayer(
                PhoneClient(urls[number % len(urls)]), f"Player {number}", self._chance, PACE
            )
            for number in range(self.size.players)
        ]
        self._is_thrown = False
        away = round(self.size.tables * AWAY_SHARE)
        async with asyncio.timeout(LONGEST_S), asyncio.TaskGroup() as group:
            playing = [group.create_task(player.play()) for player in self._players]
            group.create_task(self._tables[0].send_all(lambda: self._is_thrown))
            for number, table in enumerate(self._tables[1:]):
                group.create_task(self._come_back(table) if number < away else table.send_all())
            group.create_task(self._throw())
            await self._let_happen(servers)
            await self._wait_until(lambda: self._is_thrown and self._progress() >= 1.0)
            for task in playing:
                task.cancel()

    async def _come_back(self, table: FaultyTable) -> None:
        """Send what has waited, in the middle of the evening and all at once."""
        moment = self._chance.uniform(0.2, 0.6)
        await self._wait_until(lambda: self._progress() >= moment)
        table.most_lines = AWAY_LINES
        await table.send_all()

    async def _throw(self) -> None:
        """Let the hall throw, each time when the roll before is closed."""
        await self._wait_until(lambda: all(player.number for player in self._players))
        for number in range(1, self.size.rolls + 1):
            faces = "".join(sorted(self._chance.choices("123456", k=5)))
            self._tables[0].lines.append(encode_entry(self._hall.throw(faces)))
            await self._wait_until(lambda number=number: self._is_closed(number))
        self._is_thrown = True

    def _is_closed(self, number: int) -> bool:
        games = [player.shared.get("game") or {} for player in self._players]
        return any((game.get("last") or {}).get("number", 0) >= number for game in games)

    def _progress(self) -> float:
        """Return the share of all lines and rolls that is done."""
        rolls = len(self._hall.entries) - 1
        whole = self.size.tables * self.size.lines
        sent = sum(table.acknowledged for table in self._tables[1:])
        return min(sent / whole, (rolls + self._is_thrown) / (self.size.rolls + 1))

    async def _let_happen(self, servers: Servers) -> None:
        """Let each mishap happen at a moment of its own."""
        if self.is_apart:
            await self._wait_until(lambda: self._is_closed(1))
            await asyncio.to_thread(servers.lose, 1)
            for player in self._players:
                player.move(servers.running[0].url)
            return
        count = len(servers.mishaps)
        for number, mishap in enumerate(servers.mishaps):
            moment = (number + self._chance.random()) / (count + 1)
            await self._wait_until(lambda moment=moment: self._mixed() >= moment)
            await asyncio.to_thread(mishap)

    def _mixed(self) -> float:
        whole = self.size.tables * self.size.lines
        sent = sum(table.acknowledged for table in self._tables[1:]) / whole
        rolls = (len(self._hall.entries) - 1) / self.size.rolls
        return (sent + rolls) / 2

    async def _wait_until(self, is_so: Any) -> None:
        while not is_so():
            await asyncio.sleep(POLL_S)
