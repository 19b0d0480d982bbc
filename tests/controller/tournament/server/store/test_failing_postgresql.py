# SPDX-License-Identifier: MIT
"""What PostgreSQL cannot keep is not acknowledged, and one line says why."""

from __future__ import annotations

import contextlib
import random
import time
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="make installs it")

from controller.base.errors import InputError
from controller.tournament.server.store import store as store_module
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.values import (
    LinesAnswer,
    LinesRequest,
    StoreUnavailableError,
)
from tests.support.postgres_cluster import Cluster
from tests.support.tournament_store import (
    StorePlace,
    count_lines,
    list_lines,
    make_lines,
    open_store,
    send,
    wait_until_open,
)

BOX = "a" * 64
LINES = make_lines(3)
MEGABYTE = 1 << 20
PATIENCE_S = 60.0


def wait_for_problem(store: JournalStore, part: str) -> str:
    """Wait until the store says that it cannot be used, with these words; return all of them."""
    end_s = time.monotonic() + PATIENCE_S
    while part not in (problem := store.problem):
        assert time.monotonic() < end_s, problem
        time.sleep(0.01)
    return problem


def send_until_open(
    store: JournalStore, box: str, first: int, lines: tuple[bytes, ...]
) -> LinesAnswer:
    """Send lines as a table does: again and again until they are taken."""
    while True:
        wait_until_open(store)
        with contextlib.suppress(StoreUnavailableError):
            return send(store, box, first, lines)


def send_each(store: JournalStore, lines: tuple[bytes, ...], known: list[int]) -> None:
    """Send the lines that follow, one by one; note what is acknowledged."""
    while known[-1] < len(lines):
        known.append(send(store, BOX, known[-1], lines[known[-1] : known[-1] + 1]).next)


def name_of(place: StorePlace) -> str:
    return place.url.rpartition("/")[2]


def test_a_full_disk_of_postgresql_loses_nothing(
    cluster: Cluster, cluster_place: StorePlace
) -> None:
    text = random.Random(1).randbytes(90_000).hex()
    lines = make_lines(20, text=text)
    with open_store(cluster_place, is_open=True) as store:
        known = [send(store, BOX, 0, lines[:1]).next]
        with cluster.is_full(MEGABYTE + MEGABYTE // 2):
            known.append(send_until_open(store, BOX, 1, lines[1:2]).next)
            with pytest.raises(StoreUnavailableError, match="File too large") as caught:
                send_each(store, lines, known)
            assert "\n" not in str(caught.value)
        assert 2 < known[-1] < len(lines)
        assert send_until_open(store, BOX, known[-1], lines[known[-1] :]).next == len(lines)
        assert tuple(line.line for line in list_lines(store) if line.box == BOX) == lines


def test_a_read_only_database_acknowledges_nothing(
    cluster: Cluster, cluster_place: StorePlace
) -> None:
    name = name_of(cluster_place)
    with open_store(cluster_place, is_open=True) as store:
        send(store, BOX, 0, LINES[:1])
        cluster.ask(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
        cluster.disconnect(name)
        with pytest.raises(StoreUnavailableError, match="read-only"):
            send(store, BOX, 1, LINES[1:])
        assert "\n" not in wait_for_problem(store, "session is read-only")
        cluster.ask(f'ALTER DATABASE "{name}" RESET default_transaction_read_only')
        assert send_until_open(store, BOX, 1, LINES[1:]).next == 3


def test_a_postgresql_without_fsync_is_not_used(cluster: Cluster, tmp_path: Path) -> None:
    database = Database(tmp_path, cluster.make_url("postgres"))
    with cluster.has_settings(fsync="off"), pytest.raises(Exception, match="found off: nothing is"):
        database.open()
    database.disconnect()


@pytest.mark.parametrize("level", ["off", "local", "remote_write"])
def test_commits_wait_for_the_disk_whatever_is_set(
    cluster: Cluster, tmp_path: Path, level: str
) -> None:
    database = Database(tmp_path, cluster.make_url("postgres"))
    with cluster.has_settings(synchronous_commit=level), database.write() as connection:
        found = connection.exec_driver_sql("SHOW synchronous_commit").scalar()
    database.disconnect()
    assert found == "on"


def test_a_commit_that_no_replica_has_is_not_acknowledged(
    cluster: Cluster, cluster_place: StorePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL calls it a success if somebody ends the wait for the replica."""
    monkeypatch.setattr(store_module, "SLOW_COMMIT_S", 0.1)
    waits = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    lines, seq = make_lines(50), 0
    with open_store(cluster_place, is_open=True) as store:
        send(store, BOX, 0, lines[:1])
        with cluster.has_settings(synchronous_standby_names="nobody"):
            # PostgreSQL's checkpointer tells others of the replica some time after the reload.
            while not cluster.ask(f"SELECT pid {waits}"):
                seq += 1
                answer = store.append_lines(LinesRequest(BOX, seq, lines[seq : seq + 1], True))
                while not answer.done() and not cluster.ask(f"SELECT pid {waits}"):
                    time.sleep(0.01)
            assert "or a replica away?" in wait_for_problem(store, "no commit for")
            assert not answer.done()
            assert cluster.ask(f"SELECT pg_cancel_backend(pid) {waits}") == [(True,)]
            error = answer.exception()
            assert isinstance(error, StoreUnavailableError)
            assert "canceling wait for synchronous replication" in str(error)
        assert send_until_open(store, BOX, seq, lines[seq:]).next == 50
        assert count_lines(store, BOX) == 50


def test_a_server_that_stands_still_locks_nobody_out(cluster_place: StorePlace) -> None:
    """A connection that holds the lock and says nothing more is closed."""
    with open_store(cluster_place, is_open=True) as store:
        assert store.database.postgresql is not None
        with contextlib.closing(store.database.postgresql.connect()) as still:
            for name, limit in (
                ("idle_in_transaction_session_timeout", "15s"),
                ("lock_timeout", "10s"),
            ):
                assert still.execute(f"SHOW {name}").fetchone() == (limit,)
            still.execute("SET idle_in_transaction_session_timeout = '100ms'")
            still.execute("UPDATE boxes SET size = size")
            assert send_until_open(store, BOX, 0, LINES).next == 3


def test_an_address_may_name_replicas(tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="make installs it")
    url = "postgresql://ada:secret@one:5432,two:5433/event?target_session_attrs=any"
    database = Database(tmp_path, url)
    assert database.name == "postgresql://ada@one:5432,two:5433/event"
    with pytest.raises(InputError, match="--database") as caught:
        Database(tmp_path, "postgresql://ada:secret@one:what,two/event?nonsense=1")
    assert "secret" not in str(caught.value)
