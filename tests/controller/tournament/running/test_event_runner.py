# SPDX-License-Identifier: MIT
"""An event that runs in a real store: what follows by itself, and what is refused."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="make installs it")

from controller.journal.hashchain import Entry, encode_entry
from controller.journal.signing_key import TableKey
from controller.tournament.event.entry_base import EventEntry
from controller.tournament.event.game_entries import ChoiceMade, GameOpened
from controller.tournament.event.player_entries import PlayerJoined
from controller.tournament.fold.event_fold import EventFold
from controller.tournament.fold.refusal import RefusedEntryError
from controller.tournament.fold.state import EventState
from controller.tournament.journals.database import Database
from controller.tournament.journals.store import JournalStore
from controller.tournament.running.event_runner import EventRunner, EventStore
from tests.controller.tournament.event_tables import BOX, CLOCK_MS, ChainedTable, duplicate_event
from tests.support.tournament_store import send, wait_until_open

WAIT_S = 30.0


@dataclass
class RunningEvent:
    """An event with one table, whose clock the test moves."""

    store: EventStore
    runner: EventRunner
    clock_ms: list[int]
    table: ChainedTable
    changed: threading.Condition

    def write(self, entry: EventEntry, seat: int | None = None) -> Entry:
        return self.runner.propose(lambda state: entry, seat).result()

    def throw(self, faces: str) -> None:
        self.send(self.table.throw(faces))

    def send(self, entry: Entry) -> None:
        send(self.store, BOX, entry.seq, (encode_entry(entry),))

    def wait_until(self, is_so: Callable[[EventState], Any]) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self.runner.read(is_so), WAIT_S)


@contextmanager
def run_event(folder: Path) -> Iterator[RunningEvent]:
    clock_ms = [1_000_000]
    store: EventStore = JournalStore(
        Database(folder), TableKey.load_or_create(folder), EventFold, now_ms=lambda: clock_ms[0]
    )
    runner = EventRunner(store, now_ms=lambda: clock_ms[0])
    changed = threading.Condition()

    def notify() -> None:
        with changed:
            changed.notify_all()

    runner.listen(notify)
    store.start()
    runner.start()
    try:
        wait_until_open(store)
        yield RunningEvent(store, runner, clock_ms, ChainedTable(), changed)
    finally:
        store.close()
        runner.close()


@pytest.fixture
def event(tmp_path: Path) -> Iterator[RunningEvent]:
    with run_event(tmp_path) as event:
        event.write(duplicate_event(games=1))
        event.store.enrol(BOX, "Table 1").result()
        event.write(PlayerJoined(1, "Ada", "a" * 64))
        event.write(PlayerJoined(2, "Ben", "b" * 64))
        event.send(event.table.begin())
        event.write(GameOpened(1, BOX, 1, by="Olga"))
        yield event


def open_number(state: EventState) -> int:
    roll = state.data.open_roll
    return roll.number if roll else 0


def test_rolls_open_and_close_by_themselves(event: RunningEvent) -> None:
    event.throw("13446")
    event.wait_until(lambda state: open_number(state) == 1)
    event.write(ChoiceMade(1, 1, 1, ("4+10/4",)), seat=1)
    event.write(ChoiceMade(1, 1, 2, ("4+10/4",)), seat=2)
    event.wait_until(lambda state: not open_number(state))
    event.throw("22356")
    event.wait_until(lambda state: open_number(state) == 2)
    event.clock_ms[0] += CLOCK_MS
    event.wait_until(lambda state: not open_number(state))
    played = event.runner.read(lambda state: state.data.games[0].rolls[1].played)
    assert [choice.is_automatic for choice in played.values()] == [True, True]


def test_a_choice_for_another_seat_is_refused(event: RunningEvent) -> None:
    event.throw("13446")
    event.wait_until(lambda state: open_number(state) == 1)
    with pytest.raises(RefusedEntryError, match="player 2, whose phone this is") as refused:
        event.write(ChoiceMade(1, 1, 1, ("4+10/4",)), seat=2)
    assert refused.value.code == "seat"


def test_many_who_join_at_once_get_numbers_of_their_own(event: RunningEvent) -> None:
    def join(state: EventState) -> EventEntry:
        number = len(state.data.people) + 1
        return PlayerJoined(number, f"Player {number}")

    joined = [event.runner.propose(join) for _ in range(50)]
    assert [future.result().body["player"] for future in joined] == list(range(3, 53))


def test_only_what_a_page_shows_counts_as_changed(event: RunningEvent) -> None:
    event.throw("13446")
    event.wait_until(lambda state: open_number(state) == 1)
    revisions = event.runner.revisions
    shared, choices = revisions.shared, revisions.choices
    event.write(ChoiceMade(1, 1, 1, ("4+10/4",)), seat=1)
    event.wait_until(lambda state: state.data.games[0].rolls[0].choices)
    assert (revisions.shared, revisions.choices) == (shared, choices + 1)
    assert dict(revisions.players) == {1: 1}


def test_an_event_goes_on_after_a_restart(tmp_path: Path) -> None:
    with run_event(tmp_path) as event:
        event.write(duplicate_event(games=1))
        event.write(PlayerJoined(1, "Ada"))
    with run_event(tmp_path) as event:
        event.wait_until(lambda state: len(state.data.people) == 1)
        assert event.write(PlayerJoined(2, "Ben")).body["name"] == "Ben"
