# SPDX-License-Identifier: MIT
"""
Measure the archive of a large event: how long it takes to write, and to check with all cores.

The event is played into a real store: tables of four, draws by dice, random games by the rules
without pictures, a result. Parsing and hashing the same lines alone is the least that any check
costs, so it is measured too.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Benchmark, Metric, option
from controller.cli.bench_reader.verify import parse_and_hash
from controller.journal.checkpoint import CHECKPOINT
from controller.journal.hashchain import Body, Entry, build_next_entry, encode_entry
from controller.journal.journal import GENESIS, wall_clock_ms
from controller.journal.merkle import MerkleTree
from controller.journal.signing_key import TableKey
from controller.tournament.archive.archive_check import check_archive
from controller.tournament.archive.archive_writer import make_archive
from controller.tournament.archive.event_source import open_event_source
from controller.tournament.entries.codec import EventEntry, encode_body
from controller.tournament.entries.draw_entries import DrawMade, DrawPublished
from controller.tournament.entries.event_entries import EventBegun, EventResult
from controller.tournament.entries.fields import Source
from controller.tournament.entries.player_entries import PlayerJoined
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.values import Draft, LinesRequest
from controller.tournament.state.next_draw import compute_draw
from controller.tournament.state.rounds import Round
from controller.tournament.state.state import EventState
from tests.bench.figures import time_s
from tests.bench.random_games import play_random_game
from tests.support.recorded_event import sign_lines
from tests.support.tournament_store import wait_until_open

SEED = 5
SEATS = 4
LINES_A_REQUEST = 100
ENTRY_MS = 4_000
BY = "bench"


@dataclass(frozen=True, kw_only=True)
class Archive(Benchmark):
    """Play an event at many tables without pictures, write its archive, and check it; seconds."""

    name: ClassVar[str] = "archive"
    tables: int = option(
        100,
        "tables of the event, with four players each (%(default)s)",
        whole_number_type(1, 1000),
    )
    rounds: int = option(4, "games of each (%(default)s)", whole_number_type(1, 40))
    jobs: int = option(
        os.cpu_count() or 1, "how many processes check (one for each core)", whole_number_type(1)
    )

    def measure(self) -> Iterator[Metric]:
        """Yield the seconds to write and to check the archive of an event."""
        with TemporaryDirectory() as name:
            folder = Path(name)
            _play_event(folder, self.tables, self.rounds)
            target = folder / "event.zip"
            began_s = time.perf_counter()
            with open_event_source(folder, "") as source:
                made = make_archive(source, target, with_pictures=False)
                written_s = time.perf_counter() - began_s
                journals = source.list_journals()
                lines = [line for each in journals for line in source.iter_lines(each)]
            least_s = time_s(partial(parse_and_hash, lines))
            began_s = time.perf_counter()
            checked = check_archive(target, jobs=self.jobs)
            checked_s = time.perf_counter() - began_s
        assert not checked.is_broken, "only a sound archive measures a check"
        games = sum(table.report.result.games for table in checked.tables if table.report.result)
        yield Metric("tables", made.tables)
        yield Metric("games", games)
        yield Metric("entries", made.lines)
        yield Metric("archive, MB", round(made.size_bytes / 1e6, 3))
        yield Metric("written, s", round(written_s, 3))
        yield Metric("checked, processes", self.jobs)
        yield Metric("checked, s", round(checked_s, 3))
        yield Metric("checked, entries a second", round(made.lines / checked_s))
        yield Metric("parsed and hashed alone, s", round(least_s, 3))


class _BenchTable:
    """A table that plays random games and sends its lines to a store."""

    def __init__(self, store: JournalStore, folder: Path) -> None:
        self._store = store
        self._key = TableKey.load_or_generate(folder / "none")
        self._tree = MerkleTree()
        self._last: Entry | None = None
        self._lines: list[bytes] = []
        self._sent = 0
        store.enrol(self.box, f"Table {self.box[:8]}").result()
        self._write(GENESIS, {"format": 2, "software": "bench", "camera": "simulated"})
        self._write("key", {"key": self.box})

    @property
    def box(self) -> str:
        return self._key.public_hex

    def play(self, entries: Iterable[tuple[str, Body]]) -> Source:
        """Write entries and send them; return the last roll among them."""
        thrown: Entry | None = None
        for kind, body in entries:
            written = self._write(kind, body)
            thrown = written if kind == "roll" else thrown
        while self._lines:
            batch = tuple(self._lines[:LINES_A_REQUEST])
            request = LinesRequest(self.box, self._sent, batch, is_signed=True)
            self._sent = self._store.append_lines(request).result().next
            del self._lines[:LINES_A_REQUEST]
        assert thrown is not None, "every game has a roll"
        return Source(self.box, thrown.seq, thrown.link)

    def _write(self, kind: str, body: Body) -> Entry:
        at_ms = self._last.at_ms + ENTRY_MS if self._last else wall_clock_ms()
        if kind == CHECKPOINT:
            body = sign_lines(self._tree, self._key, at_ms)
        self._last = build_next_entry(self._last, at_ms=at_ms, kind=kind, body=body)
        line = encode_entry(self._last)
        self._tree.append(line)
        self._lines.append(line)
        return self._last


def _play_event(folder: Path, tables: int, rounds: int) -> None:
    """Play an event with tables of four into the database of a folder."""
    chance = random.Random(SEED)
    key = TableKey.load_or_create(folder)
    store = JournalStore(Database(folder), key)
    store.start()
    try:
        wait_until_open(store)
        boxes = [_BenchTable(store, folder) for _ in range(tables)]
        begun = EventBegun(1, "bench", "tables", "choice", {"jokers": False}, rounds)
        joined = [PlayerJoined(each, f"Player {each}") for each in range(1, tables * SEATS + 1)]
        _write(store, begun, *joined)
        for _ in range(rounds):
            played = _draw(store, boxes[0], chance)
            for box, seats in zip(boxes, played.tables, strict=True):
                names = tuple(_state(store).data.people.find(each).name for each in seats)
                box.play(play_random_game("choice", names, {"jokers": False}, chance))
            while due := _state(store).list_due(wall_clock_ms()):
                _write(store, *due)
        _write(store, EventResult(_state(store).compute_standings().list_places(), by=BY))
    finally:
        store.close()


def _draw(store: JournalStore, box: _BenchTable, chance: random.Random) -> Round:
    """Throw five dice at a table, and draw and publish a round with them."""
    thrown = list(play_random_game("choice", ("Dice",), {"jokers": False}, chance))
    first = next(number for number, (kind, _) in enumerate(thrown) if kind == "roll")
    faces = "".join(sorted(str(thrown[first][1]["roll"])))
    source = box.play([*thrown[: first + 1], ("closed", {})])
    data = _state(store).data
    drawn = compute_draw(data, faces)
    number = len(data.rounds.published) + 1
    _write(store, DrawMade(number, drawn.tables, faces, (source,), drawn.byes))
    _write(store, DrawPublished(number, BY))
    return _state(store).data.rounds.published[-1]


def _state(store: JournalStore) -> EventState:
    return store.event.read(lambda state: state)


def _write(store: JournalStore, *entries: EventEntry) -> None:
    store.append_own([Draft(entry.kind, encode_body(entry)) for entry in entries])
