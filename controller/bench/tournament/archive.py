# SPDX-License-Identifier: MIT
"""
Measure the archive of a large event: how long it takes to write, and to check with all cores.

The event is played into a real store: tables of four, draws by dice, random games by the rules
without pictures, a result. Parsing and hashing the same lines alone is the least that any check
costs, so it is measured too.
"""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.base.errors import InputError
from controller.cli.bench_reader.random_games import play_random_game, sign_tree
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

SEED = 5
SEATS = 4
LINES_A_REQUEST = 100
ENTRY_MS = 4_000
OPEN_S = 60.0
BY = "bench"


def measure_archive(tables: int, rounds: int, jobs: int) -> dict[str, float]:
    """
    Return seconds to write and to check the archive of an event with this many tables.

    Raises:
        RuntimeError: The check finds something, so that it is no measure of a sound archive.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        _play_event(folder, tables, rounds)
        target = folder / "event.zip"
        began_s = time.perf_counter()
        with open_event_source(folder, "") as source:
            made = make_archive(source, target, with_pictures=False)
            lines = [line for each in source.list_journals() for line in source.iter_lines(each)]
        written_s = time.perf_counter() - began_s
        began_s = time.perf_counter()
        _parse_all(lines)
        least_s = time.perf_counter() - began_s
        began_s = time.perf_counter()
        checked = check_archive(target, jobs=jobs)
        checked_s = time.perf_counter() - began_s
    if checked.is_broken:
        raise RuntimeError("the archive of the bench is broken")
    games = sum(table.report.result.games for table in checked.tables if table.report.result)
    return {
        "tables": made.tables,
        "games": games,
        "entries": made.lines,
        "archive, MB": round(made.size_bytes / 1e6, 3),
        "written, seconds": round(written_s, 3),
        "checked, processes": jobs,
        "checked, seconds": round(checked_s, 3),
        "checked, entries a second": round(made.lines / checked_s),
        "parsed and hashed alone, seconds": round(least_s, 3),
    }


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
            body = sign_tree(self._key, self._tree, at_ms)
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
        _wait_until_open(store)
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


def _wait_until_open(store: JournalStore) -> None:
    end_s = time.monotonic() + OPEN_S
    while store.problem:
        if time.monotonic() > end_s:
            raise InputError(expected="a database that can be written", found=store.problem)
        time.sleep(0.01)


def _parse_all(lines: list[bytes]) -> None:
    for line in lines:
        json.loads(line)
        hashlib.sha256(line).digest()
