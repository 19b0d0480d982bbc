# SPDX-License-Identifier: MIT
"""Several servers on one database: one chain, and each follows what the others write."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="make installs it")

from sqlalchemy import delete, func, select, update

from controller.base.errors import InputError
from controller.journal.hashchain import decode_entry
from controller.tournament.server.store import store as store_module
from controller.tournament.server.store.schema import BOXES, COUNTERS, LINES
from controller.tournament.server.store.stored_event import StoredEvent
from controller.tournament.server.store.transaction import GroupTransaction
from controller.tournament.server.store.values import Draft, LinesRequest, StoreUnavailableError
from controller.tournament.server.wire.receiver import WireReceiver
from tests.support.chains import parse_entries
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


def share(place: StorePlace) -> StorePlace:
    """Return the place with an address, which a second server can use too."""
    return StorePlace(place.folder, place.url or f"sqlite:///{place.folder / 'event.sqlite'}")


def test_two_servers_show_the_same_code(place: StorePlace) -> None:
    place = share(place)
    with open_store(place) as one, open_store(place) as two:
        receivers = [WireReceiver(store) for store in (one, two)]
        codes: list[str] = []
        for renewing in (None, *receivers):
            if renewing is not None:
                renewing.renew_code()
            shown = {receiver.read_code() for receiver in receivers}
            assert len(shown) == 1
            codes += shown
        assert len(set(codes)) == len(codes)


def test_two_servers_write_one_chain(place: StorePlace) -> None:
    lines, boxes = make_lines(25), [f"{number:064x}" for number in range(1, 7)]
    place = share(place)
    with open_store(place, is_open=True) as one, open_store(place, is_open=True) as two:

        def write_own(number: int) -> None:
            for count in range(15):
                enrolled = {"box": f"{number}{count:063x}", "name": f"Table {number}-{count}"}
                (one, two)[number].append_own([Draft("enrolled", enrolled)])

        def send_alternately(box: str) -> None:
            for first, line in enumerate(lines):
                answer = send((one, two)[first % 2], box, first, (line,))
                assert answer.next == first + 1

        with ThreadPoolExecutor(8) as pool:
            jobs = [pool.submit(write_own, number) for number in (0, 1)]
            jobs += [pool.submit(send_alternately, box) for box in boxes]
            for job in jobs:
                job.result()
        stored = list_lines(one)
        assert list_lines(two) == stored
        for box in boxes:
            assert tuple(line.line for line in stored if line.box == box) == lines
        own = [line.line for line in stored if line.box == one.own_key]
        assert parse_entries(own)[1] == ""
        bodies = [decode_entry(line).body for line in own]
        for number in (0, 1):
            names = [f"Table {number}-{count}" for count in range(15)]
            assert [body["name"] for body in bodies if body.get("name") in names] == names
        # Each judges by what the other wrote.
        one.append_own([Draft("last", {})])
        two.append_own([Draft("last", {})])
        assert two.event.read(count_tables) == 30
        assert [count_lines(two, box) for box in boxes] == [len(lines)] * len(boxes)


def test_a_server_wakes_when_another_one_writes(
    cluster_place: StorePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without an announcement it sleeps for ever.
    monkeypatch.setattr(store_module, "FOLLOW_GAP_S", 1e6)
    with open_store(cluster_place, is_open=True) as one, open_store(cluster_place) as two:
        version, is_awake = two.event.version, threading.Event()

        def wait() -> None:
            two.wait_for_change(version, 1e6)
            is_awake.set()

        threading.Thread(target=wait, daemon=True).start()
        number = 0
        while not is_awake.wait(0.05):
            # The thread that listens may not have connected at first.
            send(one, BOX, number, make_lines(number + 1)[number:])
            number += 1
            assert number < 500
        assert count_lines(two, BOX) > 0


def test_a_database_belongs_to_one_event(place: StorePlace, tmp_path: Path) -> None:
    (other := tmp_path / "other").mkdir()
    with open_store(share(place)):
        stranger = StorePlace(other, share(place).url)
        with pytest.raises(InputError, match="the key of this event"), open_store(stranger):
            pass


def test_who_sends_lines_as_the_event_hides_no_others(place: StorePlace) -> None:
    """Anybody may send lines by the event's own key: they are refused, and change nothing."""
    with open_store(place, is_open=True) as store:
        send(store, BOX, 0, make_lines(2))
        event = StoredEvent(store.own_key)
        with event.change(), store.database.write() as connection:
            work = GroupTransaction(connection, event, {store.own_key}, is_open=True)
            assert work.state.data.boxes.lines_of(BOX).next_seq == 2


@pytest.mark.parametrize("is_idle", [False, True])
def test_lines_that_a_database_lost_are_noticed(
    place: StorePlace, monkeypatch: pytest.MonkeyPatch, is_idle: bool
) -> None:
    """As when an older backup, or a replica that missed them, takes the place of the database."""
    monkeypatch.setattr(store_module, "FOLLOW_GAP_S", 0.01 if is_idle else 1e6)
    lines = make_lines(6)
    with open_store(place, is_open=True) as store:
        send(store, BOX, 0, lines[:3])
        with store.database.read() as connection:
            before = connection.execute(select(BOXES).where(BOXES.c.key == BOX)).one()
            arrival = connection.execute(select(func.max(LINES.c.arrival))).scalar_one()
        send(store, BOX, 3, lines[3:5])
        assert count_lines(store, BOX) == 5
        with store.database.write() as connection:
            connection.execute(delete(LINES).where(LINES.c.arrival > arrival))
            row = update(BOXES).where(BOXES.c.key == BOX).values(before._asdict())
            connection.execute(row)
        if is_idle:
            while count_lines(store, BOX) != 3:
                store.wait_for_change(store.event.version, 0.1)
        else:
            with pytest.raises(StoreUnavailableError, match="has lost lines"):
                send(store, BOX, 5, lines[5:])
        wait_until_open(store)
        gap = send(store, BOX, 5, lines[5:])
        assert (gap.next, gap.is_gap) == (3, True)
        assert send(store, BOX, 3, lines[3:]).next == 6
        assert count_lines(store, BOX) == 6


def test_a_request_that_fails_does_not_harm_the_others(place: StorePlace) -> None:
    with open_store(place, is_open=True) as store:
        is_held, goes_on = threading.Event(), threading.Event()

        def hold(work: GroupTransaction) -> None:
            is_held.set()
            goes_on.wait()

        def fail(work: GroupTransaction) -> None:
            work.append_own([Draft("enrolled", {"box": BOX, "name": "Table 1"})], 0)
            raise ZeroDivisionError

        held = store.write(hold)
        is_held.wait()
        # These are one group: they wait while the first one runs.
        failed: list[Future[Any]] = [store.write(fail)]
        failed.append(store.write(lambda work: work.connection.execute(_TWICE)))
        answers = [
            store.append_lines(LinesRequest(f"{number:064x}", 0, make_lines(1), True))
            for number in range(3)
        ]
        goes_on.set()
        held.result()
        assert [answer.result().next for answer in answers] == [1, 1, 1]
        assert isinstance(failed[0].exception(), ZeroDivisionError)
        assert "UNIQUE" in str(failed[1].exception()).upper()
        assert store.problem == ""
        assert store.event.read(count_tables) == 0
        own = [line.line for line in list_lines(store) if line.box == store.own_key]
        assert [decode_entry(line).kind for line in own] == ["genesis", "key"]


_TWICE = COUNTERS.insert().values([{"name": "code", "value": 1}] * 2)
