# SPDX-License-Identifier: MIT
"""Servers that write to one PostgreSQL at the same time, in whatever order they commit."""

from __future__ import annotations

import random
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="make installs it")

from sqlalchemy import Connection, insert
from sqlalchemy.exc import IntegrityError

from controller.base.errors import InputError
from controller.journal.hashchain import Entry, decode_entry
from controller.journal.signing_key import TableKey
from controller.tournament.server.store import store as store_module
from controller.tournament.server.store.box_queries import (
    list_table_journals,
    read_code_number,
    renew_code,
)
from controller.tournament.server.store.schema import COUNTERS
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.transaction import GroupTransaction
from controller.tournament.server.store.values import (
    BoxState,
    Draft,
    LinesAnswer,
    LinesRequest,
    StoreUnavailableError,
)
from controller.tournament.state.state import EventState
from tests.support.postgres_cluster import Cluster, require_postgresql
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

BOX, OTHER = "a" * 64, "b" * 64
LINES = make_lines(40)
PATIENCE_S = 60.0


@pytest.fixture(autouse=True)
def only_requests_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no server sign the event's own journal in the middle of a test."""
    for name in ("IDLE_S", "LONGEST_UNSIGNED_S"):
        monkeypatch.setattr(store_module, name, 1e6)


@dataclass
class HeldCommit:
    """A commit that waits: what it commits is written, and nobody sees it."""

    is_written: threading.Event = field(default_factory=threading.Event)
    goes_on: threading.Event = field(default_factory=threading.Event)


@contextmanager
def hold_next_commit(store: JournalStore) -> Iterator[HeldCommit]:
    held, write = HeldCommit(), store.database.write

    @contextmanager
    def write_and_wait() -> Iterator[Connection]:
        store.database.write = write  # type: ignore[method-assign]
        with write() as connection:
            yield connection
            held.is_written.set()
            held.goes_on.wait(PATIENCE_S)

    store.database.write = write_and_wait  # type: ignore[method-assign]
    try:
        yield held
    finally:
        held.goes_on.set()


def note_lines(store: JournalStore) -> dict[str, list[int]]:
    """Return the numbers of the lines that the event gets from now on, by journal."""
    noted: dict[str, list[int]] = defaultdict(list)
    apply = store.event.apply_table_line

    def apply_and_note(table: str, entry: Entry) -> None:
        noted[table].append(entry.seq)
        apply(table, entry)

    store.event.apply_table_line = apply_and_note  # type: ignore[method-assign]
    return noted


def wait_for(store: JournalStore, count: Callable[[EventState], int], least: int) -> None:
    """Wait until the event of a server has come so far."""
    end_s, version = time.monotonic() + PATIENCE_S, store.event.version
    while (found := store.event.read(count)) < least:
        assert time.monotonic() < end_s, found
        store.wait_for_change(version, 1.0)
        version = store.event.version


def wait_for_lines(store: JournalStore, box: str, count: int) -> None:
    wait_for(store, lambda state: state.data.boxes.lines_of(box).next_seq, count)


def wait_for_answer(cluster: Cluster, question: str) -> None:
    """Wait until PostgreSQL says that it is so."""
    end_s = time.monotonic() + PATIENCE_S
    while cluster.ask(question) != [(True,)]:
        assert time.monotonic() < end_s
        time.sleep(0.01)


def ask_for_lines(store: JournalStore, box: str, first: int, end: int) -> Future[LinesAnswer]:
    return store.append_lines(LinesRequest(box, first, LINES[first:end], is_signed=True))


def open_servers(place: StorePlace, closing: ExitStack, count: int) -> list[JournalStore]:
    return [closing.enter_context(open_store(place, is_open=True)) for _ in range(count)]


def lose_races(times: int) -> Callable[[GroupTransaction], GroupTransaction]:
    """Return work that adds a row which is there already, so many times; then it is done."""
    left = iter(range(times))

    def run(work: GroupTransaction) -> GroupTransaction:
        if next(left, None) is not None:
            row = {"name": "race", "value": 1}
            work.connection.execute(insert(COUNTERS), [row, row])
        return work

    return run


@pytest.mark.parametrize("is_announced", [True, False])
def test_a_line_that_commits_late_is_missed_by_nobody(
    cluster_place: StorePlace, monkeypatch: pytest.MonkeyPatch, is_announced: bool
) -> None:
    """The later number is committed first, and a server reads between the two commits."""
    if not is_announced:
        monkeypatch.setattr(JournalStore, "_note_arrivals", lambda self, journals: None)
    with ExitStack() as closing:
        one, two, follower = open_servers(cluster_place, closing, 3)
        send(one, BOX, 0, LINES[:1])
        wait_for_lines(follower, BOX, 1)
        noted = note_lines(follower)
        held = closing.enter_context(hold_next_commit(one))
        late = ask_for_lines(one, BOX, 1, 3)
        assert held.is_written.wait(PATIENCE_S)
        # The other server does not wait for it.
        send(two, OTHER, 0, LINES[:2])
        wait_for_lines(follower, OTHER, 2)
        assert (late.done(), noted) == (False, {OTHER: [0, 1]})
        held.goes_on.set()
        assert late.result().next == 3
        wait_for_lines(follower, BOX, 3)
        assert noted == {OTHER: [0, 1], BOX: [1, 2]}
        stored = [(line.box, line.seq) for line in list_lines(two) if line.box in noted]
        assert stored == [(BOX, 0), (BOX, 1), (BOX, 2), (OTHER, 0), (OTHER, 1)]
        # Who has missed nothing continues both journals.
        assert send(follower, BOX, 3, LINES[3:]).next == len(LINES)
        assert send(follower, OTHER, 2, LINES[2:]).next == len(LINES)


def test_a_journal_continues_at_the_server_that_was_behind(cluster_place: StorePlace) -> None:
    with ExitStack() as closing:
        one, two = open_servers(cluster_place, closing, 2)
        noted = note_lines(two)
        held = closing.enter_context(hold_next_commit(one))
        began = ask_for_lines(one, BOX, 0, 20)
        assert held.is_written.wait(PATIENCE_S)
        # The same lines again and further ones wait for those that are not committed.
        going_on = ask_for_lines(two, BOX, 10, 30)
        held.goes_on.set()
        assert began.result().next == 20
        if going_on.result().is_gap:  # It came before the first ones: the table sends again.
            going_on = ask_for_lines(two, BOX, 10, 30)
        assert going_on.result().next == 30
        assert noted[BOX] == list(range(30))


def test_each_server_gets_each_line_once_and_in_order(cluster_place: StorePlace) -> None:
    """Tables change between servers, which also write own entries, and one only reads."""
    boxes, chance = [f"{number:064x}" for number in range(1, 9)], random.Random(3)
    with ExitStack() as closing:
        *writers, reader = servers = open_servers(cluster_place, closing, 4)
        noted = list(map(note_lines, servers))

        def send_all(box: str, order: list[int]) -> None:
            for first, number in enumerate(order):
                assert send(writers[number], box, first, LINES[first : first + 1]).next == first + 1

        def write_own(number: int) -> None:
            for count in range(10):
                name = f"Table {number}-{count}"
                draft = Draft("enrolled", {"box": f"{number + 1}{count:063x}", "name": name})
                writers[number].append_own([draft])

        with ThreadPoolExecutor(len(boxes) + len(writers)) as pool:
            orders = [[chance.randrange(len(writers)) for _ in LINES] for _ in boxes]
            jobs = [pool.submit(send_all, *each) for each in zip(boxes, orders, strict=True)]
            jobs += [pool.submit(write_own, number) for number in range(len(writers))]
            for job in jobs:
                job.result()
        for server, lines in zip(servers, noted, strict=True):
            for box in boxes:
                wait_for_lines(server, box, len(LINES))
            assert [lines[box] for box in boxes] == [list(range(len(LINES)))] * len(boxes)
            wait_for(server, count_tables, 30)
        own = [decode_entry(line.line) for line in list_lines(reader) if line.box == reader.own_key]
        assert [entry.seq for entry in own] == list(range(len(own)))


def test_an_own_entry_is_judged_by_the_newest_lines(
    cluster_place: StorePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a roll that has fallen could be announced as one to come."""
    monkeypatch.setattr(store_module, "FOLLOW_GAP_S", 1e6)
    monkeypatch.setattr(JournalStore, "_note_arrivals", lambda self, journals: None)
    with ExitStack() as closing:
        one, two = open_servers(cluster_place, closing, 2)
        for end in (2, 5):
            send(one, BOX, 0, LINES[:end])
            judged = two.write(lambda work: work.state.data.boxes.lines_of(BOX).next_seq)
            assert judged.result() == end


def test_a_server_that_dies_in_a_transaction_takes_nothing(
    cluster: Cluster, cluster_place: StorePlace
) -> None:
    with ExitStack() as closing:
        one, two, follower = open_servers(cluster_place, closing, 3)
        send(one, BOX, 0, LINES[:1])
        held = closing.enter_context(hold_next_commit(one))
        lost = ask_for_lines(one, BOX, 1, 3)
        assert held.is_written.wait(PATIENCE_S)
        which = "state = 'idle in transaction' AND query LIKE 'UPDATE boxes%'"
        end = f"SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE {which}"
        assert cluster.ask(end) == [(True,)]
        # Its lines are gone, its numbers are not used again, and its lock is free.
        assert send(two, BOX, 1, LINES[1:2]).next == 2
        wait_for_lines(follower, BOX, 2)
        noted = note_lines(follower)
        held.goes_on.set()
        assert isinstance(lost.exception(), StoreUnavailableError)
        wait_until_open(one)
        assert count_lines(one, BOX) == 2
        assert send(one, BOX, 1, LINES[1:4]).next == 4
        wait_for_lines(follower, BOX, 4)
        assert noted[BOX] == [2, 3]


def test_two_servers_wait_for_a_replica_together(tmp_path: Path) -> None:
    """The second commit does not wait for the first one, and nobody sees either too early."""
    require_postgresql()
    waits = "SELECT count(*) >= 2 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    with ExitStack() as closing:
        primary = closing.enter_context(Cluster(settings=("synchronous_commit=remote_apply",)))
        replica = closing.enter_context(Cluster(primary))
        primary.require_replica()
        place = StorePlace(tmp_path, primary.create_database("event"))
        one, two, follower = open_servers(place, closing, 3)
        send(one, BOX, 0, LINES[:1])
        send(two, OTHER, 0, LINES[:1])
        for box in (BOX, OTHER):
            wait_for_lines(follower, box, 1)
        replica.ask("SELECT pg_wal_replay_pause()")
        # A store that closes waits for its commit.
        closing.callback(replica.ask, "SELECT pg_wal_replay_resume()")
        answers = [ask_for_lines(one, BOX, 1, 3), ask_for_lines(two, OTHER, 1, 3)]
        wait_for_answer(primary, waits)
        assert not any(answer.done() for answer in answers)
        assert [count_lines(follower, box) for box in (BOX, OTHER)] == [1, 1]
        replica.ask("SELECT pg_wal_replay_resume()")
        assert [answer.result().next for answer in answers] == [3, 3]
        for box in (BOX, OTHER):
            wait_for_lines(follower, box, 3)


def test_requests_that_wait_for_each_other_are_all_done(
    cluster: Cluster, cluster_place: StorePlace
) -> None:
    """One lets two tables in, in another order than that in which the other has their lines."""
    waits = "SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    with ExitStack() as closing:
        one, two = open_servers(cluster_place, closing, 2)
        for box in (BOX, OTHER):
            send(one, box, 0, LINES[:1])
        are_held = [threading.Event(), threading.Event()]
        goes_on, has_table = threading.Event(), threading.Event()

        def let_in(work: GroupTransaction) -> None:
            work.admit(OTHER, "Table 2", BoxState.ENROLLED)
            if not has_table.is_set():
                has_table.set()
                wait_for_answer(cluster, waits)

        def hold(
            is_held: threading.Event, until: threading.Event
        ) -> Callable[[GroupTransaction], None]:
            def run(work: GroupTransaction) -> None:
                is_held.set()
                until.wait(PATIENCE_S)

            return run

        jobs = [one.write(hold(are_held[0], goes_on)), two.write(hold(are_held[1], has_table))]
        assert all(is_held.wait(PATIENCE_S) for is_held in are_held)
        # At each these are one group: they wait while the first one runs.
        answers = [ask_for_lines(two, box, 1, 3) for box in (BOX, OTHER)]
        jobs.append(one.write(let_in))
        jobs.append(one.write(lambda work: work.admit(BOX, "Table 1", BoxState.ENROLLED)))
        goes_on.set()
        assert [job.result() for job in jobs] == [None] * 4
        assert [answer.result().next for answer in answers] == [3, 3]
        names = {journal.key: journal.name for journal in one.read(list_table_journals)}
        assert names == {BOX: "Table 1", OTHER: "Table 2"}


def test_a_group_that_loses_a_race_stays_together(cluster_place: StorePlace) -> None:
    """Each transaction waits for a replica, so requests one by one would take very long."""
    with open_store(cluster_place) as store:
        is_held, goes_on = threading.Event(), threading.Event()

        def hold(work: GroupTransaction) -> None:
            is_held.set()
            goes_on.wait(PATIENCE_S)

        held = store.write(hold)
        assert is_held.wait(PATIENCE_S)
        # These are one group: they wait while the first one runs.
        group = [store.write(lose_races(1)), store.write(lambda work: work)]
        goes_on.set()
        assert held.result() is None
        assert group[0].result() is group[1].result()


def test_a_request_may_lose_several_races(cluster_place: StorePlace) -> None:
    with open_store(cluster_place) as store:
        store.write(lose_races(store_module.LONE_TRIES)).result()
        endless = store.write(lose_races(1000))
        assert isinstance(endless.exception(), IntegrityError)
        assert store.problem == ""


def test_servers_that_begin_at_once_begin_one_event(
    cluster_place: StorePlace, tmp_path: Path
) -> None:
    """Servers of two events meet at one empty database: it belongs to one of them."""
    places = [cluster_place, StorePlace(tmp_path / "other", cluster_place.url)] * 2
    places[1].folder.mkdir()
    all_began = threading.Barrier(len(places), timeout=PATIENCE_S)

    def begin(place: StorePlace) -> str:
        try:
            with open_store(place) as store:
                all_began.wait()
                return store.own_key
        except InputError:
            all_began.wait()
            return ""

    for place in places[:2]:
        TableKey.load_or_create(place.folder)
    with ThreadPoolExecutor(len(places)) as pool:
        keys = list(pool.map(begin, places))
    assert sorted(map(bool, keys)) == [False, False, True, True]
    assert keys[0] == keys[2]
    with open_store(places[keys.index(max(keys))]) as store:
        own = [decode_entry(line.line) for line in list_lines(store)]
        assert [entry.kind for entry in own][:2] == ["genesis", "key"]
        assert len([entry for entry in own if entry.kind == "genesis"]) == 1


def test_servers_count_the_same_thing_at_once(cluster_place: StorePlace) -> None:
    """Both count for the first time, so both add the row."""
    with ExitStack() as closing:
        one, two = open_servers(cluster_place, closing, 2)
        held = closing.enter_context(hold_next_commit(one))
        first = one.write(lambda work: renew_code(work.connection))
        assert held.is_written.wait(PATIENCE_S)
        second = two.write(lambda work: renew_code(work.connection))
        held.goes_on.set()
        assert [each.result() for each in (first, second)] == [None, None]
        assert two.read(read_code_number) == 2
