# SPDX-License-Identifier: MIT
"""
Measure how fast the history of a table is indexed, and how fast its pages are read.

A few random games are played by the rules, and repeated under other names in one signed chain.
Parsing the same lines as JSON and hashing them is the least that any index costs, so it is
measured too.
"""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.cli.bench_reader.random_games import play_random_game, rename_players, sign_tree
from controller.games.contract import Options
from controller.history.history import TableHistory
from controller.history.index.journal_index import HistoryIndex
from controller.history.index.store import INDEX_FILE
from controller.journal.checkpoint import CHECKPOINT
from controller.journal.hashchain import Body, build_next_entry, encode_entry
from controller.journal.journal import GENESIS, JOURNAL_FILE
from controller.journal.merkle import MerkleTree
from controller.journal.signing_key import TableKey

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


def measure_history(games: int) -> dict[str, float]:
    """Return the time to index this many games, and the slowest read of each page."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        entries = write_games(folder, games)
        lines = (folder / JOURNAL_FILE).read_bytes().splitlines()
        least_s = _time_s(partial(_parse_all, lines))
        began_s, cpu_s = time.perf_counter(), time.process_time()
        index = HistoryIndex(folder)
        index.catch_up()
        built_s, cpu_s = time.perf_counter() - began_s, time.process_time() - cpu_s
        index.close()
        again = HistoryIndex(folder)
        again_s = _time_s(again.catch_up)
        again.close()
        figures: dict[str, float] = {
            "games": games,
            "entries": entries,
            "indexed, seconds": round(built_s, 3),
            "indexed, entries a second": round(entries / built_s),
            "parsed and hashed alone, seconds": round(least_s, 3),
            "indexed / parsed and hashed alone": round(cpu_s / least_s, 3),
            "opened again and compared, seconds": round(again_s, 3),
            "index, MB": round((folder / INDEX_FILE).stat().st_size / 1e6, 3),
        }
        return figures | _measure_reads(folder, games)


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
                body = sign_tree(key, tree, at_ms)
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


def _measure_reads(folder: Path, games: int) -> dict[str, float]:
    """Return the slowest of some reads of every page, in milliseconds."""
    history = TableHistory(folder)
    history.catch_up()
    numbers = [1 + number * (games - 1) // READS for number in range(READS)]
    reads: dict[str, list[Callable[[], Any]]] = {
        "a list of games": [partial(history.list_games, offset=number) for number in numbers],
        "a game roll by roll": [partial(history.read_rolls, number) for number in numbers],
        "all players": [history.list_players] * READS,
        "a player": [partial(history.read_player, name) for name in NAMES],
        "two players": [partial(history.compare_players, NAMES[0], name) for name in NAMES[1:]],
        "the table": [history.read_table] * READS,
    }
    figures = {
        f"{page}, slowest ms": round(1000 * max(_time_s(read) for read in several), 3)
        for page, several in reads.items()
    }
    history.close()
    return figures


def _parse_all(lines: list[bytes]) -> None:
    for line in lines:
        json.loads(line)
        hashlib.sha256(line).digest()


def _time_s(work: Callable[[], Any]) -> float:
    began_s = time.perf_counter()
    work()
    return time.perf_counter() - began_s
