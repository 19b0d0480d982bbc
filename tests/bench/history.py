# SPDX-License-Identifier: MIT
"""
Measure how fast the history of a table is indexed, and how fast its pages are read.

A few random games are played by the rules, and repeated under other names in one signed chain.
Parsing the same lines as JSON and hashing them is the least that any index costs, so it is
measured too.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Benchmark, Metric, option
from controller.cli.bench_reader.verify import parse_and_hash
from controller.games.contract import Options
from controller.history.history import TableHistory
from controller.history.index.journal_index import HistoryIndex
from controller.history.index.store import INDEX_FILE
from controller.journal.checkpoint import CHECKPOINT
from controller.journal.hashchain import Body, build_next_entry, encode_entry
from controller.journal.journal import GENESIS, JOURNAL_FILE
from controller.journal.merkle import MerkleTree
from controller.journal.signing_key import TableKey
from tests.bench.figures import time_s
from tests.bench.random_games import play_random_game, rename_players
from tests.support.recorded_event import sign_lines

SEED = 3
GAMES_A_KIND = 4
ENTRIES_MS = 4_000
BEGAN_MS = 1_795_000_000_000
READS = 20
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Eva", "Finn", "Gus", "Hana")

KINDS: tuple[tuple[str, int, Options], ...] = (
    ("choice", 1, {"jokers": False}),
    ("choice", 2, {"jokers": False}),
    ("choice", 4, {"jokers": True}),
    ("black-n-white", 4, {}),
    ("wuerfelspiel", 2, {}),
    ("wuerfelspiel", 3, {}),
)
"""The games of the bench: key, players, options."""


@dataclass(frozen=True, kw_only=True)
class History(Benchmark):
    """Write a journal of random games, index it, and read its pages; seconds, entries a second,
    and the same beside parsing and hashing alone; pages in milliseconds."""

    name: ClassVar[str] = "history"
    games: int = option(1000, "games in the journal (%(default)s)", whole_number_type(1))

    def measure(self) -> Iterator[Metric]:
        with TemporaryDirectory() as name:
            folder = Path(name)
            entries = write_games(folder, self.games)
            lines = (folder / JOURNAL_FILE).read_bytes().splitlines()
            least_s = time_s(partial(parse_and_hash, lines))
            index, began_s = HistoryIndex(folder), time.process_time()
            built_s = time_s(index.catch_up)
            cpu_s = time.process_time() - began_s
            index.close()
            again = HistoryIndex(folder)
            again_s = time_s(again.catch_up)
            again.close()
            yield Metric("games", self.games)
            yield Metric("entries", entries)
            yield Metric("indexed, s", round(built_s, 3))
            yield Metric("indexed, entries a second", round(entries / built_s))
            yield Metric("parsed and hashed alone, s", round(least_s, 3))
            yield Metric("indexed / parsed and hashed alone", round(cpu_s / least_s, 3))
            yield Metric("opened again and compared, s", round(again_s, 3))
            yield Metric("index, MB", round((folder / INDEX_FILE).stat().st_size / 1e6, 3))
            yield from _time_reads(folder, self.games)


def write_games(folder: Path, games: int) -> int:
    """Write a signed journal of this many games; return its number of entries."""
    chance = random.Random(SEED)
    played = [
        list(play_random_game(key, NAMES[:players], options, chance))
        for key, players, options in KINDS
        for _ in range(GAMES_A_KIND)
    ]
    chance.shuffle(played)
    pictures = (hashlib.sha256(b"%d" % number).hexdigest() for number in count())
    key, tree, before, size = TableKey.load_or_create(folder), MerkleTree(), None, 0
    with open(folder / JOURNAL_FILE, "wb") as file:
        for kind, body in _number_entries(islice(cycle(played), games), chance, pictures, key):
            at_ms = BEGAN_MS + size * ENTRIES_MS
            if kind == CHECKPOINT:
                body = sign_lines(tree, key, at_ms)
            before = build_next_entry(before, at_ms=at_ms, kind=kind, body=body)
            line = encode_entry(before)
            file.write(line + b"\n")
            tree.append(line)
            size += 1
    return size


def _number_entries(
    games: Iterator[list[tuple[str, Body]]],
    chance: random.Random,
    pictures: Iterator[str],
    key: TableKey,
) -> Iterator[tuple[str, Body]]:
    yield GENESIS, {"format": 2, "software": "bench", "settings": "", "camera": "simulated"}
    yield "key", {"key": key.public_hex}
    for entries in games:
        seated = dict(zip(NAMES, chance.sample(NAMES, len(NAMES)), strict=True))
        for kind, body in entries:
            named = rename_players(body, seated)
            assert isinstance(named, Mapping)
            yield kind, {**named, "picture": next(pictures)} if kind == "roll" else named


def _time_reads(folder: Path, games: int) -> Iterator[Metric]:
    """Yield the slowest of some reads of every page, in milliseconds."""
    history = TableHistory(folder)
    history.index.catch_up()
    numbers = [1 + number * (games - 1) // READS for number in range(READS)]
    reads: dict[str, list[Callable[[], object]]] = {
        "a list of games": [partial(history.list_games, offset=number) for number in numbers],
        "a game roll by roll": [partial(history.read_rolls, number) for number in numbers],
        "all players": [history.list_players] * READS,
        "a player": [partial(history.read_player, name) for name in NAMES],
        "two players": [partial(history.compare_players, NAMES[0], name) for name in NAMES[1:]],
        "the table": [history.read_table] * READS,
    }
    for page, several in reads.items():
        yield Metric(f"{page}, slowest, ms", round(1000 * max(map(time_s, several)), 3))
    history.index.close()
