# SPDX-License-Identifier: MIT
"""
The store of an event: the journals of its tables, its own journal, and the event that they make.

Every method may be called from any thread. What writes returns a future whose result is durable.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from sqlalchemy import Connection, select
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.base.logs import Log
from controller.base.version import program_version
from controller.journal.hashchain import BrokenEntryError, Entry
from controller.journal.journal import FORMATS, GENESIS, wall_clock_ms
from controller.journal.signing_key import TableKey
from controller.tournament.entries.event_entries import TableEnrolled
from controller.tournament.server.store.arrivals import ArrivalListener
from controller.tournament.server.store.database import Database, describe_failure
from controller.tournament.server.store.group_commit import JobQueue, WriteJob
from controller.tournament.server.store.newer_lines import iter_newer
from controller.tournament.server.store.schema import BOXES
from controller.tournament.server.store.stored_event import LostLinesError, StoredEvent
from controller.tournament.server.store.transaction import GroupTransaction
from controller.tournament.server.store.values import (
    BoxState,
    Draft,
    LinesAnswer,
    LinesRequest,
    StoreUnavailableError,
)

IDLE_S = 1.0  # After this long without a request, the event's own journal is signed.
FOLLOW_GAP_S = 0.5  # After this long, all journals are compared with what the event has.
LONGEST_UNSIGNED_S = 10.0  # It is signed after this long anyway, however many requests come.
FIRST_RETRY_S, LONGEST_RETRY_S = 0.2, 3.0
SLOW_COMMIT_S = 5.0
"""A commit that takes longer is reported: a replica may be away, or a disk stands still."""

_RACES = ("40P01", "23505")
"""A deadlock, and a row that another server has just added too."""
LONE_TRIES = 5  # How often a request is done by itself while such a race fails it.

ResultT = TypeVar("ResultT")
_LOG = Log("tournament")


class JournalStore:
    """
    The journals of one event.

    Args:
        key: Signs the event's own journal, and names it.
        is_open: Whether unknown and unsigned tables are let in.
        on_refused: Called by the thread that writes if the database is of another event or of a
            later version, which no waiting changes.
        now_ms: Wall clock of the event's own entries.
    """

    def __init__(
        self,
        database: Database,
        key: TableKey,
        *,
        is_open: bool = False,
        on_refused: Callable[[InputError], None] = lambda error: None,
        now_ms: Callable[[], int] = wall_clock_ms,
    ) -> None:
        self.database = database
        self.key = key
        self.is_open = is_open
        self._on_refused = on_refused
        self._now_ms = now_ms
        self._jobs = JobQueue()
        self.event = StoredEvent(key.public_hex)  # What the durable lines make.
        # Whether that is everything which was durable when the database was opened.
        self.is_caught_up = False
        self._announced: set[int] = set()  # Rows of journals to which other servers wrote.
        self._compared_s = 0.0  # When all journals were compared.
        self._changed = threading.Condition()
        self._problem = "the database has not been opened yet"
        self._is_ready = False
        self._unsigned_s: float | None = None
        self._commit_began_s: float | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="journals", daemon=True)
        self._listener: ArrivalListener | None = None
        if database.postgresql is not None:
            self._listener = ArrivalListener(database.postgresql, self._note_arrivals)

    def start(self) -> None:
        """Start the thread that writes; it opens the database, however long that takes."""
        self._thread.start()
        if self._listener is not None:
            self._listener.start()

    def load(self) -> None:
        """Read what is stored, instead of `start`; nothing is written. Or StoreUnavailableError."""
        self._jobs.close()
        try:
            with self.database.read() as connection:
                own = _find_own_key(connection)
            if own is not None:
                # A restored event may lack its private key, which only writing needs.
                self.event = StoredEvent(own)
            self._follow()
        except (SQLAlchemyError, BrokenEntryError, LostLinesError) as error:
            expected, found = message("an event that can be read"), describe_failure(error)
            raise StoreUnavailableError(expected=expected, found=found) from error
        self._problem, self._is_ready = "", True

    def wait_until_open(self, timeout_s: float) -> None:
        """Wait for the database; StoreUnavailableError if it cannot be used."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_ready or self._closing.is_set(), timeout_s)
        if not self._is_ready:
            raise _unavailable(self._problem)

    def close(self) -> None:
        """Finish what waits, sign the event's own journal, and end the thread."""
        self._closing.set()
        self._jobs.close()
        if self._thread.is_alive():
            self._thread.join()
        if self._listener is not None:
            self._listener.close()
        with self._changed:
            self._changed.notify_all()
        self.database.disconnect()

    @property
    def problem(self) -> str:
        """Why nothing can be stored now, in one line; empty if all is well."""
        began_s = self._commit_began_s
        if began_s is not None and (took_s := time.monotonic() - began_s) > SLOW_COMMIT_S:
            return f"no commit for {took_s:.0f} s; is the disk slow, or a replica away?"
        return self._problem

    @property
    def own_key(self) -> str:
        """The key of the event's own journal, in hexadecimal."""
        return self.event.own_key

    def append_lines(self, request: LinesRequest) -> Future[LinesAnswer]:
        """Store the lines of a table; the future may hold a `RefusedError`."""
        job = WriteJob(lambda work: work.append_lines(request), request.size_bytes, request.table)
        return self._submit(job)

    def append_own(self, drafts: Sequence[Draft]) -> tuple[Entry, ...]:
        """Append own entries, all or none; return them once they are durable, or RefusedError."""
        at_ms = self._now_ms()
        return self.write(lambda transaction: transaction.append_own(drafts, at_ms)).result()

    def enrol(self, table: str, name: str) -> Future[tuple[Entry, ...]]:
        """Let a table in by an entry of the event's own journal."""
        at_ms, entry = self._now_ms(), TableEnrolled(table, name)
        return self.write(lambda transaction: transaction.append_entries([entry], at_ms))

    def put_aside(self, table: str, name: str, owner: str) -> Future[None]:
        """Note a table that asks for a name of another key, its owner; an official decides."""
        at_ms = self._now_ms()
        return self.write(lambda transaction: transaction.put_aside(table, name, owner, at_ms))

    def write(self, run: Callable[[GroupTransaction], ResultT]) -> Future[ResultT]:
        """Do other work in a transaction of the thread that writes."""
        return self._submit(WriteJob(run))

    def read(self, ask: Callable[..., ResultT]) -> ResultT:
        """Return what a function reads; StoreUnavailableError without a database."""
        if not self._is_ready:
            raise _unavailable(self._problem)
        try:
            with self.database.read() as connection:
                return ask(connection)
        except SQLAlchemyError as error:
            raise _unavailable(describe_failure(error)) from error

    def wait_for_change(self, version: int, timeout_s: float) -> None:
        """Wait until the event has moved on from a version."""
        with self._changed:
            self._changed.wait_for(
                lambda: self.event.version != version or self._jobs.is_closed, timeout_s
            )

    def _note_arrivals(self, journals: Collection[int]) -> None:
        """Read soon what another server has written to these rows of journals."""
        with self._changed:
            self._announced.update(journals)
        self._jobs.wake()

    def _submit(self, job: WriteJob) -> Future[Any]:
        if not self._is_ready:
            job.future.set_exception(_unavailable(self._problem))
        elif not self._jobs.add(job):
            job.future.set_exception(_unavailable("the server is ending"))
        return job.future

    def _run(self) -> None:
        retry_s, busy_s = FIRST_RETRY_S, time.monotonic()
        while self._is_ready or not self._closing.is_set():
            if self._is_ready:
                retry_s = FIRST_RETRY_S
                group = self._jobs.take_group(FOLLOW_GAP_S)
                is_ending = not group and self._jobs.is_closed
                if group:
                    self._commit_each(self._split(group))
                    busy_s = time.monotonic()
                if not is_ending and self._is_ready:
                    self._follow_others(is_idle=not group)
                is_idle = time.monotonic() - busy_s >= IDLE_S
                if is_ending or is_idle or self._is_long_unsigned():
                    self._sign_own()
                if is_ending:
                    return
            elif self._try_to_open():
                busy_s = time.monotonic()
            else:
                self._closing.wait(retry_s)
                retry_s = min(retry_s * 2, LONGEST_RETRY_S)

    def _try_to_open(self) -> bool:
        try:
            self.database.open()
            try:
                self._follow()
            except LostLinesError:
                # A replica that missed the newest lines has taken the place of the database.
                self.is_caught_up = False
                self.event.clear()
                self._follow()
            with self.event.change(), self.database.write() as connection:
                transaction = self._begin(connection)
                self._begin_own(transaction)
                transaction.finish()
            self._publish(transaction)
        except InputError as error:
            with self._changed:
                self._problem = str(error)
                self._closing.set()
                self._changed.notify_all()
            self._on_refused(error)
            return False
        except (SQLAlchemyError, OSError) as error:
            self._fail(error)
            return False
        with self._changed:
            self._problem, self._is_ready = "", True
            self._changed.notify_all()
        lines = sum(end.size for end in self.event.ends.values())
        _LOG.info("database opened", lines=lines)
        return True

    def _follow_others(self, *, is_idle: bool) -> None:
        """Read what was announced, and now and then what was not."""
        with self._changed:
            announced, self._announced = self._announced, set()
        is_overdue = time.monotonic() - self._compared_s >= FOLLOW_GAP_S
        try:
            if announced and not is_overdue:
                self._follow(announced)
            elif is_idle or is_overdue:
                self._follow()
        except (SQLAlchemyError, OSError) as error:
            self._fail(error)

    def _follow(self, journals: Collection[int] | None = None) -> None:
        """Apply what other servers have written to these rows of journals; None for all."""
        with self.database.read() as connection:
            for lines in iter_newer(connection, self.event, journals):
                with self.event.change():
                    for line in lines:
                        self.event.apply_stored(line)
                self._note_change()
        if journals is None:
            self.is_caught_up, self._compared_s = True, time.monotonic()

    def _begin(self, connection: Connection, tables: Collection[str] = ()) -> GroupTransaction:
        return GroupTransaction(connection, self.event, tables, is_open=self.is_open)

    def _begin_own(self, transaction: GroupTransaction) -> None:
        self.database.lock_beginning(transaction.connection)
        found = _find_own_key(transaction.connection)
        if found == self.own_key:
            return
        if found is not None:
            expected = f"the key of this event, {found[:16]}... (table.key of its data folder)"
            raise InputError(expected=expected, found=f"{self.own_key[:16]}...")
        transaction.add_own()
        start = [
            Draft(GENESIS, {"format": FORMATS[-1], "software": program_version()}),
            Draft("key", {"key": self.own_key}),
        ]
        transaction.append_own(start, self._now_ms())

    def _commit(self, group: Sequence[WriteJob], *, is_alone: bool = False, tries: int = 2) -> None:
        """Do the work of a group in one transaction, and answer after its commit."""
        outcomes: list[Callable[[], None]] = []
        self._commit_began_s = time.monotonic()
        try:
            with self.event.change(), self.database.write() as connection:
                transaction = self._begin(connection, {job.table for job in group if job.table})
                for job in group:
                    outcomes.append(job.do(transaction))
                transaction.finish()
        except (SQLAlchemyError, OSError) as error:
            if _is_race(error) and tries > 1:
                return self._commit(group, is_alone=is_alone, tries=tries - 1)
            if _is_race(error) or isinstance(error, DataError | IntegrityError):
                return self._commit_alone(group, error, is_alone=is_alone)
            failure = self._fail(error)
            for job in group:
                job.future.set_exception(failure)
            return
        except Exception as error:
            return self._commit_alone(group, error, is_alone=is_alone)
        finally:
            self._commit_began_s = None
        self._publish(transaction)
        for answer in outcomes:
            answer()

    def _commit_alone(self, group: Sequence[WriteJob], error: Exception, *, is_alone: bool) -> None:
        """Do each job by itself, so that only the one at fault fails, if it fails again."""
        if is_alone:
            _LOG.exception("a request failed", error)
            return group[0].future.set_exception(error)
        self._commit_each([[job] for job in group], is_alone=True, tries=LONE_TRIES)

    def _commit_each(self, groups: Sequence[Sequence[WriteJob]], **how: Any) -> None:
        for group in groups:
            if self._is_ready:
                self._commit(group, **how)
                continue
            for job in group:
                job.future.set_exception(_unavailable(self._problem))

    def _split(self, group: Sequence[WriteJob]) -> list[list[WriteJob]]:
        """Take lines of tables apart, so that they do not wait for the event's own journal."""
        if self.database.postgresql is None:
            return [list(group)]
        of_tables = [job for job in group if job.table]
        others = [job for job in group if not job.table]
        return [jobs for jobs in (of_tables, others) if jobs]

    def _publish(self, transaction: GroupTransaction) -> None:
        self._note_change()
        if self._listener is not None:
            self._listener.announce(transaction.changed)

    def _note_change(self) -> None:
        if self.event.find_end(self.own_key).is_signed:
            self._unsigned_s = None
        elif self._unsigned_s is None:
            self._unsigned_s = time.monotonic()
        with self._changed:
            self._changed.notify_all()

    def _fail(self, error: Exception) -> StoreUnavailableError:
        """Note that the database cannot be used; it is opened again."""
        reason = describe_failure(error)
        if self._is_ready or reason != self._problem:
            _LOG.error("database not usable", reason=reason)
        self._problem, self._is_ready = reason, False
        for job in self._jobs.take_all():
            job.future.set_exception(_unavailable(reason))
        self.database.disconnect()
        return _unavailable(reason)

    def _sign_own(self) -> None:
        """Sign the event's own journal, if it has entries that no checkpoint covers."""
        if self._unsigned_s is None or not self._is_ready:
            return

        def run(transaction: GroupTransaction) -> None:
            if not transaction.own_head().is_signed:
                transaction.sign_own(self.key, self._now_ms())

        self._commit([WriteJob(run)])

    def _is_long_unsigned(self) -> bool:
        began_s = self._unsigned_s
        return began_s is not None and time.monotonic() - began_s > LONGEST_UNSIGNED_S


def _find_own_key(connection: Connection) -> str | None:
    own = select(BOXES.c.key).where(BOXES.c.state == BoxState.OWN.value)
    return connection.execute(own).scalar()


def _is_race(error: Exception) -> bool:
    """Whether a request met one of another server; once more it may well succeed."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", "") in _RACES


def _unavailable(reason: str) -> StoreUnavailableError:
    expected = message("a database that can be written")
    return StoreUnavailableError(expected=expected, found=reason)
