# SPDX-License-Identifier: MIT
"""A store of journals in a temporary folder, and lines as a table writes them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from controller.base.errors import InputError
from controller.journal.hashchain import Entry, build_next_entry, decode_entry, encode_entry
from controller.journal.signing_key import TableKey
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.newer_lines import read_all
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.values import LinesAnswer, LinesRequest, StoredLine
from controller.tournament.state.state import EventState

OPENING_S = 30.0


def make_lines(count: int, *, kind: str = "roll", **body: Any) -> tuple[bytes, ...]:
    lines: list[bytes] = []
    before: Entry | None = None
    for number in range(count):
        before = build_next_entry(before, at_ms=number, kind=kind, body=body)
        lines.append(encode_entry(before))
    return tuple(lines)


def list_lines(store: JournalStore) -> list[StoredLine]:
    """Return the lines of all journals as the database has them."""
    return store.read(lambda connection: list(chain.from_iterable(read_all(connection))))


def replay_lines(lines: Iterable[StoredLine], own_key: str) -> EventState:
    """Return the event that these lines give, by the rules and from nothing else."""
    state = EventState()
    for line in lines:
        entry = decode_entry(line.line)
        if line.box == own_key:
            state.apply(entry)
        else:
            state.apply_table_line(line.box, entry)
    return state


def count_lines(store: JournalStore, box: str) -> int:
    return store.event.read(lambda state: state.data.boxes.lines_of(box).next_seq)


def count_tables(state: EventState) -> int:
    return len(state.data.boxes.list_tables())


def wait_until_open(store: JournalStore, refused: Sequence[InputError] = ()) -> None:
    """Wait until the store can be used; raise what refuses it."""
    end_s = time.monotonic() + OPENING_S
    while store.problem and time.monotonic() < end_s:
        for error in refused:
            raise error
        time.sleep(0.005)
    assert store.problem == ""


@dataclass(frozen=True)
class StorePlace:
    """A data folder, and the address of a database beside it; empty for SQLite in the folder."""

    folder: Path
    url: str = ""


@contextmanager
def open_store(place: Path | StorePlace, **options: Any) -> Iterator[JournalStore]:
    if isinstance(place, Path):
        place = StorePlace(place)
    key = TableKey.load_or_create(place.folder)
    refused: list[InputError] = []
    database = Database(place.folder, place.url)
    store = JournalStore(database, key, on_refused=refused.append, **options)
    store.start()
    try:
        wait_until_open(store, refused)
        yield store
    finally:
        store.close()


def send(
    store: JournalStore, box: str, first: int, lines: tuple[bytes, ...], *, is_signed: bool = True
) -> LinesAnswer:
    return store.append_lines(LinesRequest(box, first, lines, is_signed)).result()
