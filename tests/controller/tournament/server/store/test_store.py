# SPDX-License-Identifier: MIT
"""The store takes every line once, in order, unchanged, or says why not."""

from __future__ import annotations

import contextlib
import hashlib
import re
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="make installs it")

from sqlalchemy import delete, insert, select

from controller.base.errors import InputError
from controller.journal.continuity.journal_facts import JournalFacts
from controller.journal.hashchain import decode_entry
from controller.journal.journal import JOURNAL_FILE, Journal
from controller.journal.signing_key import TableKey
from controller.journal.writer import JournalWriter, TableInfo
from controller.tournament.server.store.box_queries import (
    find_box,
    read_journal_lines,
    read_picture,
    store_picture,
    want_pictures,
)
from controller.tournament.server.store.schema import BOXES, FORKS, LINES, WANTED
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.transaction import MOST_FORKS
from controller.tournament.server.store.values import (
    BrokenBatchError,
    Draft,
    JournalView,
    LinesRequest,
    StoreUnavailableError,
    UnknownTableError,
    UnsignedTableError,
)
from tests.support.chains import compute_root, parse_entries
from tests.support.full_disk import no_file_larger_than
from tests.support.tournament_store import (
    StorePlace,
    count_lines,
    count_tables,
    list_lines,
    make_lines,
    open_store,
    send,
    wait_until_open,
)

BOX = "a" * 64
NO_TABLE = 'no such table|relation "boxes" does not exist'


def look_at(store: JournalStore, box: str = BOX) -> JournalView:
    found = store.read(lambda connection: find_box(connection, box))
    assert found is not None
    return found


def lines_of(store: JournalStore, box: str = BOX) -> tuple[bytes, ...]:
    return store.read(lambda connection: read_journal_lines(connection, box, 0, 1000))


def test_lines_are_stored_once_however_often_they_are_sent(place: StorePlace) -> None:
    lines = make_lines(10)
    with open_store(place, is_open=True) as store:
        assert send(store, BOX, 0, lines[:4]).next == 4
        assert send(store, BOX, 0, lines[:4]).next == 4
        assert send(store, BOX, 2, lines[2:7]).next == 7
        gap = send(store, BOX, 8, lines[8:])
        assert (gap.next, gap.is_gap) == (7, True)
        assert send(store, BOX, 7, lines[7:]).next == 10
        assert lines_of(store) == lines
        assert look_at(store).root == compute_root(lines)
        assert count_lines(store, BOX) == 10


def test_other_lines_are_a_fork_that_is_kept_as_evidence(place: StorePlace) -> None:
    lines, others = make_lines(6), make_lines(8, kind="other")
    with open_store(place, is_open=True) as store:
        send(store, BOX, 0, lines)
        forked = send(store, BOX, 4, others[4:])
        assert (forked.next, forked.fork) == (6, 4)
        # A whole line that follows another last line is one too.
        assert send(store, BOX, 6, others[6:]).fork == 5
        assert lines_of(store) == lines
        assert look_at(store).forks == (4, 5)
        assert count_lines(store, BOX) == 6


def test_further_forks_are_counted_and_not_kept(place: StorePlace) -> None:
    """Otherwise whoever has the key of a table could fill the disk."""
    lines = make_lines(1)
    with open_store(place, is_open=True) as store:
        send(store, BOX, 0, lines)
        for number in range(MOST_FORKS + 5):
            other = make_lines(1, kind="other", number=number)
            assert send(store, BOX, 0, other).fork == 0
            # A table whose journal was replaced sends the same again and again.
            send(store, BOX, 0, make_lines(1, kind="other", number=0))
        kept = store.read(
            lambda connection: connection.execute(select(FORKS.c.line)).scalars().all()
        )
        assert len(kept) == MOST_FORKS
        assert make_lines(1, kind="other", number=0)[0] in kept
        found = look_at(store)
        assert (found.forks, found.more_forks) == ((0,), 5)


def test_a_broken_line_refuses_its_whole_batch(place: StorePlace) -> None:
    lines = make_lines(6)
    changed = lines[4].replace(b'"at_ms":4', b'"at_ms":5')
    with open_store(place, is_open=True) as store:
        send(store, BOX, 0, lines[:2])
        for wrong in (changed, lines[5], b"", b"{}", b"x" * (1 << 21)):
            with pytest.raises(BrokenBatchError, match="line 4"):
                send(store, BOX, 2, (*lines[2:4], wrong))
        assert look_at(store).next == 2
        assert send(store, BOX, 2, lines[2:]).next == 6


def test_only_enrolled_tables_are_let_in(place: StorePlace) -> None:
    lines = make_lines(2)
    with open_store(place) as store:
        with pytest.raises(UnknownTableError):
            send(store, BOX, 0, lines)
        store.put_aside(BOX, "Table 1", "f" * 64).result()
        with pytest.raises(UnknownTableError):
            send(store, BOX, 0, lines)
        store.enrol(BOX, "Table 1").result()
        with pytest.raises(UnsignedTableError):
            send(store, BOX, 0, lines, is_signed=False)
        assert send(store, BOX, 0, lines).next == 2
        with pytest.raises(UnknownTableError):
            send(store, store.own_key, 0, lines)
        assert look_at(store).name == "Table 1"


def test_own_entries_are_written_all_or_none(place: StorePlace) -> None:
    with open_store(place) as store:
        written = store.append_own([Draft("later", {"name": "Cup"}), Draft("seat", {})])
        assert [entry.kind for entry in written] == ["later", "seat"]
        enrolled = Draft("enrolled", {"box": BOX, "name": "Table 1"})
        with pytest.raises(InputError, match="an event that has begun"):
            store.append_own([enrolled, Draft("joined", {"player": 1, "name": "Ada"})])
        assert store.event.read(count_tables) == 0
        again = store.append_own([Draft("seat", {})])
        assert again[0].seq == written[-1].seq + 1
        own = [line.line for line in list_lines(store) if line.box == store.own_key]
    assert parse_entries(own)[1] == ""
    assert [decode_entry(line).kind for line in own[:2]] == ["genesis", "key"]


def test_a_second_start_has_the_same_lines_and_event(place: StorePlace) -> None:
    lines = make_lines(5)
    with open_store(place, is_open=True) as store:
        send(store, BOX, 0, lines)
        store.enrol(BOX, "Table 1").result()
    with open_store(place, is_open=True) as store:
        assert (count_lines(store, BOX), store.event.read(count_tables)) == (5, 1)
        # The end of the first run signed the event's own journal.
        own = [line.line for line in list_lines(store) if line.box == store.own_key]
        assert [decode_entry(line).kind for line in own[3:]] == ["checkpoint"]
        assert look_at(store, store.own_key).note
        assert send(store, BOX, 5, make_lines(6)[5:]).next == 6
        assert [line.arrival for line in list_lines(store)] == list(range(1, 11))


def test_an_event_that_misses_a_line_is_not_shown(place: StorePlace) -> None:
    with open_store(place, is_open=True) as store:
        send(store, BOX, 0, make_lines(3))
        with store.database.write() as connection:
            connection.execute(delete(LINES).where(LINES.c.seq == 1))
        past = JournalStore(store.database, store.key)
        with pytest.raises(StoreUnavailableError, match="an event that can be read"):
            past.load()


def test_requests_of_many_tables_share_commits(place: StorePlace) -> None:
    lines = make_lines(20)
    boxes = [f"{number:064x}" for number in range(1, 41)]
    with open_store(place, is_open=True) as store:
        answers = [
            store.append_lines(LinesRequest(box, number, (lines[number],), True))
            for number in range(20)
            for box in boxes
        ]
        assert {answer.result().next for answer in answers} == set(range(1, 21))
        assert all(lines_of(store, box) == lines for box in boxes)


def test_a_real_journal_is_taken_with_its_checkpoints(place: StorePlace) -> None:
    (folder := place.folder / "table").mkdir()
    journal, _ = Journal.open(folder)
    key = TableKey.load_or_create(folder)
    writer = JournalWriter(journal, key, TableInfo(), JournalFacts())
    writer.begin("")
    writer.append("game", {"game": "choice", "players": ["Ada"], "options": {}})
    writer.checkpoint()
    writer.append("closed", {})
    journal.close()
    lines = tuple((folder / JOURNAL_FILE).read_bytes().splitlines())
    with open_store(place, is_open=True) as store:
        send(store, key.public_hex, 0, lines)
        box = look_at(store, key.public_hex)
        assert (box.next, box.flaws) == (5, {})
        assert box.note.split("\n")[1] == "3"


def test_a_checkpoint_that_does_not_fit_is_a_flaw(place: StorePlace) -> None:
    lines = make_lines(2, kind="checkpoint", size=0, root="0" * 64, signature="", key="")
    with open_store(place, is_open=True) as store:
        assert send(store, BOX, 0, lines).next == 2
        assert "malformed" in look_at(store).flaws[1]


def test_pictures_are_asked_for_and_taken_once(place: StorePlace) -> None:
    picture, digest = b"jpeg", "d2" * 32
    with open_store(place, is_open=True) as store:
        asked = send(store, BOX, 0, make_lines(1, picture=digest))
        assert asked.pictures == (digest,)

        def take(content: bytes, wanted: str) -> None:
            store.write(lambda work: store_picture(work.connection, BOX, wanted, content)).result()

        with pytest.raises(InputError, match="a picture with the digest"):
            take(picture, digest)
        right = hashlib.sha256(picture).hexdigest()
        with pytest.raises(InputError, match="that was asked for"):
            take(picture, right)
        store.write(lambda work: want_pictures(work.connection, BOX, [right, right])).result()
        take(picture, right)
        with store.database.write() as connection:
            # Another server has asked for it meanwhile.
            box = connection.execute(select(BOXES.c.id).where(BOXES.c.key == BOX)).scalar_one()
            connection.execute(insert(WANTED), {"box": box, "digest": right})
        take(picture, right)
        assert store.read(lambda connection: read_picture(connection, right)) == picture
        assert look_at(store).wanted == (digest,)


def test_nothing_is_acknowledged_while_the_database_is_away(place: StorePlace) -> None:
    lines = make_lines(3)
    with open_store(place, is_open=True) as store:
        send(store, BOX, 0, lines[:1])
        with store.database.write() as connection:
            # Without it, the store cannot even be opened again.
            connection.exec_driver_sql("ALTER TABLE boxes RENAME TO moved")
        with pytest.raises(StoreUnavailableError, match=NO_TABLE):
            send(store, BOX, 1, lines[1:])
        assert re.search(NO_TABLE, store.problem)
        with pytest.raises(StoreUnavailableError):
            list_lines(store)
        with store.database.write() as connection:
            connection.exec_driver_sql("ALTER TABLE moved RENAME TO boxes")
        wait_until_open(store)
        assert send(store, BOX, 1, lines[1:]).next == 3
        assert count_lines(store, BOX) == 3


def test_a_full_disk_acknowledges_nothing_and_loses_nothing(tmp_path: Path) -> None:
    lines = make_lines(300, text="x" * 4000)
    with open_store(tmp_path, is_open=True) as store:
        known = 0
        with no_file_larger_than(400_000), contextlib.suppress(StoreUnavailableError):
            while True:
                known = send(store, BOX, known, lines[known : known + 20]).next
        assert 0 < known < 300
        wait_until_open(store)
        assert look_at(store).next == known
        assert send(store, BOX, known, lines[known:]).next == 300
        assert lines_of(store) == lines
