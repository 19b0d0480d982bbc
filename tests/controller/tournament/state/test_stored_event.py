# SPDX-License-Identifier: MIT
"""An event in a real store: durable when it is said to be, and the same after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="make installs it")

from controller.base.errors import InputError
from controller.journal.hashchain import decode_entry, encode_entry
from controller.journal.signing_key import TableKey
from controller.tournament.entries.codec import EventEntry, encode_body
from controller.tournament.entries.game_entries import ChoiceMade, GameOpened
from controller.tournament.entries.player_entries import PlayerJoined
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.values import Draft
from controller.tournament.state.event_fold import EventFold
from controller.tournament.state.refusal import RefusedEntryError
from controller.tournament.state.state import EventState
from tests.controller.tournament.event_tables import BOX, ChainedTable, duplicate_event
from tests.support.tournament_store import send, wait_until_open

Store = JournalStore[EventFold]
NOW_MS = 1_000_000


@contextmanager
def open_event(folder: Path) -> Iterator[Store]:
    refused: list[InputError] = []
    key = TableKey.load_or_create(folder)
    store: Store = JournalStore(
        Database(folder), key, EventFold, on_refused=refused.append, now_ms=lambda: NOW_MS
    )
    store.start()
    try:
        wait_until_open(store, refused)
        yield store
    finally:
        store.close()


def write(store: Store, *entries: EventEntry) -> None:
    store.append_own([Draft(entry.kind, encode_body(entry)) for entry in entries])


def read_event(store: Store) -> EventState:
    """Return the event as another thread has it: from the durable lines alone."""
    state = EventState()
    for line in store.follow(0):
        entry = decode_entry(line.line)
        if line.box == store.own_key:
            state.apply(entry)
        else:
            state.apply_table_line(line.box, entry)
    return state


def test_an_event_is_stored_and_continues_after_a_restart(tmp_path: Path) -> None:
    table = ChainedTable()
    with open_event(tmp_path) as store:
        store.enrol(BOX, "Table 1").result()
        write(store, duplicate_event(games=1), PlayerJoined(1, "Ada"), PlayerJoined(2, "Ben"))
        table.begin()
        send(store, BOX, 0, (encode_entry(table.entries[0]),))
        write(store, GameOpened(1, BOX, 1, by="Olga"))
        table.throw("13446")
        send(store, BOX, 1, (encode_entry(table.entries[1]),))
        write(store, *read_event(store).list_due(NOW_MS))
        with pytest.raises(RefusedEntryError, match=r"expected one of 4\+8/6"):
            write(store, ChoiceMade(1, 1, 1, ("4+4/4",)))
        with pytest.raises(RefusedEntryError, match="one choice from a roll"):
            write(store, *[ChoiceMade(1, 1, 1, ("4+10/4",))] * 2)
        write(store, ChoiceMade(1, 1, 1, ("4+10/4",)))
    with open_event(tmp_path) as store:
        roll = store.fold.state.data.open_roll
        assert roll is not None
        assert roll.choices == {1: ("4+10/4",)}
        assert read_event(store).data.open_roll == roll
