# SPDX-License-Identifier: MIT
"""The event of a real store: it moves with the commit, and stays as it was if that fails."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="make installs it")

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import IntegrityError

from controller.journal.hashchain import encode_entry
from controller.tournament.entries.codec import EventEntry, encode_body
from controller.tournament.entries.draw_entries import DrawAnnounced
from controller.tournament.entries.game_entries import ChoiceMade, GameOpened
from controller.tournament.entries.player_entries import PlayerJoined
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.stored_event import StoredEvent
from controller.tournament.server.store.transaction import GroupTransaction
from controller.tournament.server.store.values import Draft, LinesRequest
from controller.tournament.state.refusal import RefusedEntryError
from controller.tournament.state.state import EventState
from tests.controller.tournament.event_tables import BOX, ChainedTable, PlayedEvent, duplicate_event
from tests.controller.tournament.state.test_table_rounds import begin_event
from tests.support.tournament_store import StorePlace, list_lines, open_store, replay_lines, send

NOW_MS = 1_000_000


@pytest.fixture(scope="module")
def played() -> PlayedEvent:
    event = PlayedEvent(duplicate_event(), players=3)
    event.open_game()
    event.play_game(random.Random(4), 0.7)
    return event


def describe(state: EventState) -> object:
    game = state.data.games[-1] if state.data.games else None
    sheets = (
        {player: sheet.sheet("player") for player, sheet in game.sheets.items()} if game else {}
    )
    return (len(state.data.people), sheets, state.list_due(10**13))


def list_names(state: EventState) -> list[str]:
    return [player.name for player in state.data.people.list_players()]


def list_faces(state: EventState) -> list[str]:
    return [roll.faces for roll in state.data.boxes.lines_of(BOX).list_seeds_from(0)]


def build_drafts(*entries: EventEntry) -> list[Draft]:
    return [Draft(entry.kind, encode_body(entry)) for entry in entries]


def read_again(store: JournalStore) -> EventState:
    """Return the event as the lines of the database alone give it."""
    return replay_lines(list_lines(store), store.own_key)


class _FailedCommitError(Exception):
    pass


@settings(max_examples=15, deadline=None)
@given(commits=st.lists(st.tuples(st.integers(1, 20), st.booleans()), max_size=8))
def test_a_failed_commit_leaves_no_trace(
    played: PlayedEvent, commits: list[tuple[int, bool]]
) -> None:
    """Apply some entries at a time; after a commit that failed the same come again."""
    event, expected, done = StoredEvent("own"), EventState(), 0
    with event.change():
        for table, line in played.lines:
            event.apply_table_line(table, line)
            expected.apply_table_line(table, line)
    for count, fails in commits:
        entries = played.entries[done : done + count]
        try:
            with event.change():
                event.apply_own(entries)
                if fails:
                    raise _FailedCommitError
        except _FailedCommitError:
            assert describe(event.next) == describe(expected)
        else:
            expected.apply_all(entries)
            done += len(entries)
        assert event.read(describe) == describe(expected)


def test_lines_of_tables_are_shown_while_a_draw_waits_for_them() -> None:
    """The rolls of an announced draw are shown as they fall, others only once they are used."""
    played = begin_event(4, seeding="announced")
    event = StoredEvent("own")

    def count_shown(faces: str) -> int:
        before = event.read(lambda state: event.revisions.shared)
        with event.change():
            event.apply_table_line(BOX, played.table.throw(faces))
        return event.read(lambda state: event.revisions.shared) - before

    with event.change():
        event.apply_own(played.entries)
        event.apply_table_line(BOX, played.table.begin("dice"))
    assert count_shown("13446") == 0
    known = len(played.entries)
    played.write(DrawAnnounced(1, BOX, len(played.table.entries), "Olga", ""))
    with event.change():
        event.apply_own(played.entries[known:])
    assert count_shown("22356") == 1


def test_a_page_that_reads_does_not_keep_the_store_from_writing(tmp_path: Path) -> None:
    is_reading, goes_on = threading.Event(), threading.Event()

    def read_slowly(state: EventState) -> list[str]:
        is_reading.set()
        goes_on.wait()
        return list_names(state)

    with open_store(tmp_path) as store:
        store.append_own(build_drafts(duplicate_event()))
        found: list[str] = []
        reading = threading.Thread(target=lambda: found.extend(store.event.read(read_slowly)))
        reading.start()
        is_reading.wait()
        store.append_own(build_drafts(PlayerJoined(1, "Ada")))
        goes_on.set()
        reading.join()
        assert (found, store.event.read(list_names)) == ([], ["Ada"])


def test_a_commit_that_fails_leaves_the_event_as_it_was(place: StorePlace) -> None:
    """A row that contradicts another one is noticed by the commit itself."""
    lost, kept = ChainedTable(), ChainedTable()
    for table, faces in ((lost, "11111"), (kept, "23456")):
        table.begin()
        table.throw(faces)
    with open_store(place, is_open=True) as store:
        store.append_own(build_drafts(duplicate_event(), PlayerJoined(1, "Ada")))
        with store.database.write() as connection:
            connection.exec_driver_sql(
                "CREATE TABLE pairs (id INTEGER PRIMARY KEY, other INTEGER"
                " REFERENCES pairs (id) DEFERRABLE INITIALLY DEFERRED)"
            )
        seen: list[list[str]] = []

        def fail(work: GroupTransaction) -> None:
            work.append_own(build_drafts(PlayerJoined(2, "Ben")), NOW_MS)
            lines = tuple(map(encode_entry, lost.entries))
            work.append_lines(LinesRequest(BOX, 0, lines, is_signed=True))
            work.connection.exec_driver_sql("INSERT INTO pairs VALUES (1, 2)")
            seen.extend([list_names(work.state), list_faces(work.state)])
            seen.append(store.event.read(list_names))

        with pytest.raises(IntegrityError):
            store.write(fail).result()
        # It was tried again by itself, in case that another request was at fault.
        assert seen == [["Ada", "Ben"], ["11111"], ["Ada"]] * 2
        assert store.event.read(list_names) == ["Ada"]
        send(store, BOX, 0, tuple(map(encode_entry, kept.entries)))
        store.append_own(build_drafts(PlayerJoined(2, "Eve")))
        assert store.event.read(list_names) == ["Ada", "Eve"]
        assert store.event.read(list_faces) == ["23456"]
        assert store.write(lambda work: list_faces(work.state)).result() == ["23456"]
    with open_store(place) as store:
        assert store.event.read(list_names) == list_names(read_again(store)) == ["Ada", "Eve"]


def test_an_event_is_stored_and_continues_after_a_restart(tmp_path: Path) -> None:
    table = ChainedTable()
    with open_store(tmp_path, now_ms=lambda: NOW_MS) as store:

        def write(*entries: EventEntry) -> None:
            store.append_own(build_drafts(*entries))

        store.enrol(BOX, "Table 1").result()
        write(duplicate_event(games=1), PlayerJoined(1, "Ada"), PlayerJoined(2, "Ben"))
        table.begin()
        send(store, BOX, 0, (encode_entry(table.entries[0]),))
        write(GameOpened(1, BOX, 1, by="Olga"))
        table.throw("13446")
        send(store, BOX, 1, (encode_entry(table.entries[1]),))
        write(*store.event.read(lambda state: state.list_due(NOW_MS)))
        with pytest.raises(RefusedEntryError, match=r"expected one of 4\+8/6"):
            write(ChoiceMade(1, 1, 1, ("4+4/4",)))
        with pytest.raises(RefusedEntryError, match="one choice from a roll"):
            write(*[ChoiceMade(1, 1, 1, ("4+10/4",))] * 2)
        write(ChoiceMade(1, 1, 1, ("4+10/4",)))
    with open_store(tmp_path) as store:
        roll = store.event.read(lambda state: state.data.open_roll)
        assert roll is not None
        assert roll.choices == {1: ("4+10/4",)}
        assert read_again(store).data.open_roll == roll
