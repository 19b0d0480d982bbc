# SPDX-License-Identifier: MIT
"""
The store of an event: the journals of its tables, its own journal, and what they amount to.

Every method may be called from any thread. What writes returns a future whose result is durable.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import select
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from controller.base.errors import InputError
from controller.base.logs import log_event, logger
from controller.journal.hashchain import Entry
from controller.journal.journal import FORMATS, GENESIS, wall_clock_ms
from controller.journal.signing_key import TableKey
from controller.journal.writer import program_version
from controller.tournament.server.store.arrivals import ArrivalListener
from controller.tournament.server.store.database import Database, describe_failure
from controller.tournament.server.store.group_commit import JobQueue, WriteJob
from controller.tournament.server.store.own_checkpoint import build_own_checkpoint
from controller.tournament.server.store.schema import BOXES
from controller.tournament.server.store.transaction import (
    ENROLLED,
    FoldT,
    GroupTransaction,
    StoreRules,
    fold_line,
    iter_lines,
    read_lines,
)
from controller.tournament.server.store.values import (
    BoxState,
    Draft,
    LinesAnswer,
    LinesRequest,
    StoredLine,
    StoreUnavailableError,
)

IDLE_S = 1.0
"""After this long without a request, the event's own journal is signed."""
LONGEST_UNSIGNED_S = 10.0
"""It is signed after this long anyway, however many requests come."""
FIRST_RETRY_S, LONGEST_RETRY_S = 0.2, 3.0
SLOW_COMMIT_S = 5.0
"""A commit that takes longer is reported: a replica may be away, or a disk stands still."""

# What one request brings can be at fault; anything else is the fault of the database.
_FAULTS_OF_JOBS = (DataError, IntegrityError)

ResultT = TypeVar("ResultT")
_LOG = logger("tournament")


@dataclass(frozen=True, slots=True)
class _Folded(Generic[FoldT]):
    """What the lines up to the newest one amount to; `newest` is None before the first."""

    fold: FoldT
    newest: StoredLine | None = None

    @property
    def arrival(self) -> int:
        return self.newest.arrival if self.newest else 0


class JournalStore(Generic[FoldT]):
    """
    The journals of one event.

    Args:
        database: Where they are.
        key: Signs the event's own journal, and names it.
        create_fold: Returns what no lines amount to; another value each time.
        is_open: Whether unknown and unsigned tables are let in.
        takes_pictures: Whether tables are asked for the pictures of their rolls.
        on_refused: Called by the thread that writes if the database is of another event or of a
            later version, which no waiting changes.
        now_ms: Wall clock of the event's own entries.
    """

    def __init__(
        self,
        database: Database,
        key: TableKey,
        create_fold: Callable[[], FoldT],
        *,
        is_open: bool = False,
        takes_pictures: bool = True,
        on_refused: Callable[[InputError], None] = lambda error: None,
        now_ms: Callable[[], int] = wall_clock_ms,
    ) -> None:
        self.database = database
        self.key = key
        self.is_open = is_open
        self._rules = StoreRules(key.public_hex, is_open, takes_pictures)
        self._on_refused = on_refused
        self._now_ms = now_ms
        self._jobs: JobQueue[GroupTransaction[FoldT]] = JobQueue()
        self._create_fold = create_fold
        self._folded: _Folded[FoldT] = _Folded(create_fold())
        self._changed = threading.Condition()
        self._problem = "the database has not been opened yet"
        self._is_ready = False
        self._unsigned_s: float | None = None
        self._announced = 0
        self._commit_began_s: float | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="journals", daemon=True)
        self._listener: ArrivalListener | None = None
        if database.postgresql is not None:
            self._listener = ArrivalListener(database.postgresql, self._note_arrival)

    def start(self) -> None:
        """Start the thread that writes; it opens the database, however long that takes."""
        self._thread.start()
        if self._listener is not None:
            self._listener.start()

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
        return self._rules.own_key

    @property
    def fold(self) -> FoldT:
        """What all durable lines amount to."""
        return self._folded.fold

    @property
    def arrival(self) -> int:
        """The number of the newest durable line that this process knows."""
        return self._folded.arrival

    def append_lines(self, request: LinesRequest) -> Future[LinesAnswer]:
        """Store the lines of a table; the future may hold a `RefusedError`."""

        def run(transaction: GroupTransaction[FoldT]) -> LinesAnswer:
            return transaction.append_lines(request)

        return self._submit(WriteJob(run, request.size_bytes, request.box))

    def append_own_later(self, drafts: Sequence[Draft]) -> Future[tuple[Entry, ...]]:
        """Append entries to the event's own journal, all or none; see `append_lines`."""
        at_ms = self._now_ms()

        return self.write(lambda transaction: transaction.append_own(drafts, at_ms))

    def append_own(self, drafts: Sequence[Draft]) -> tuple[Entry, ...]:
        """
        Append entries to the event's own journal and return them once they are durable.

        Raises:
            RefusedError: The fold refuses one, or the database cannot be used.
        """
        return self.append_own_later(drafts).result()

    def enrol(self, box: str, name: str) -> Future[tuple[Entry, ...]]:
        """Let a table in by an entry of the event's own journal."""
        return self.append_own_later([Draft(ENROLLED, {"box": box, "name": name})])

    def put_aside(self, box: str, name: str, owner: str) -> Future[None]:
        """Note a table that asks for a name of another key, its owner; an official decides."""
        at_ms = self._now_ms()
        return self.write(lambda transaction: transaction.put_aside(box, name, owner, at_ms))

    def write(self, run: Callable[[GroupTransaction[FoldT]], ResultT]) -> Future[ResultT]:
        """Do other work in a transaction of the thread that writes."""
        return self._submit(WriteJob(run))

    def follow(self, since: int, most: int = 1000) -> tuple[StoredLine, ...]:
        """
        Return the lines of all journals that arrived after a number, `most` of them.

        Raises:
            StoreUnavailableError: The database cannot be used.
        """
        return tuple(self.read(lambda connection: read_lines(connection, since, most)))

    def read(self, ask: Callable[..., ResultT]) -> ResultT:
        """
        Return what a function reads with a connection.

        Raises:
            StoreUnavailableError: The database cannot be used.
        """
        if not self._is_ready:
            raise _unavailable(self._problem)
        try:
            with self.database.read() as connection:
                return ask(connection)
        except SQLAlchemyError as error:
            raise _unavailable(describe_failure(error)) from error

    def wait_for_change(self, arrival: int, timeout_s: float) -> bool:
        """
        Wait until a line newer than this arrival is durable; return whether there is one.

        Lines of other servers wake it too in PostgreSQL; in SQLite ask again now and then.
        """

        def is_new() -> bool:
            return max(self.arrival, self._announced) > arrival

        with self._changed:
            self._changed.wait_for(lambda: is_new() or self._jobs.is_closed, timeout_s)
            found = is_new()
            # An announcement wakes once: the database may lose its line with a replica.
            self._announced = 0
            return found

    def _note_arrival(self, arrival: int) -> None:
        with self._changed:
            self._announced = max(self._announced, arrival)
            self._changed.notify_all()

    def _submit(self, job: WriteJob[GroupTransaction[FoldT]]) -> Future[Any]:
        if not self._is_ready:
            job.future.set_exception(_unavailable(self._problem))
        elif not self._jobs.add(job):
            job.future.set_exception(_unavailable("the server is ending"))
        return job.future

    def _run(self) -> None:
        retry_s = FIRST_RETRY_S
        while self._is_ready or not self._closing.is_set():
            if self._is_ready:
                retry_s = FIRST_RETRY_S
                group = self._jobs.take_group(IDLE_S)
                if group:
                    self._commit(group)
                if not group or self._is_long_unsigned():
                    self._sign_own()
                if not group and self._jobs.is_closed:
                    return
            elif not self._try_to_open():
                self._closing.wait(retry_s)
                retry_s = min(retry_s * 2, LONGEST_RETRY_S)

    def _try_to_open(self) -> bool:
        try:
            self.database.open()
            folded = self._catch_up()
            with self.database.write() as connection:
                transaction = GroupTransaction(connection, folded.fold, folded.newest, self._rules)
                transaction.load_boxes([self.own_key])
                self._begin_own(transaction)
                transaction.finish()
            self._publish(transaction)
        except InputError as error:
            self._problem = str(error)
            self._closing.set()
            self._on_refused(error)
            return False
        except (SQLAlchemyError, OSError) as error:
            self._fail(error)
            return False
        self._problem, self._is_ready = "", True
        log_event(_LOG, logging.INFO, "database opened", lines=self.arrival)
        return True

    def _catch_up(self) -> _Folded[FoldT]:
        """Fold what the database holds, without keeping others from writing."""
        folded = self._folded
        with self.database.read() as connection:
            found = read_lines(connection, folded.arrival - 1, 1)
            if folded.newest not in (None, *found):
                # A replica that missed the newest lines may have taken the place of the database.
                folded = _Folded(self._create_fold())
            fold, newest = folded.fold, folded.newest
            for newest in iter_lines(connection, folded.arrival):
                fold = fold_line(fold, newest, self.own_key)
        return _Folded(fold, newest)

    def _begin_own(self, transaction: GroupTransaction[FoldT]) -> None:
        """Begin the event's own journal in a new database."""
        own = select(BOXES.c.key).where(BOXES.c.state == BoxState.OWN.value)
        found = transaction.connection.execute(own).scalar()
        if found == self.own_key:
            return
        if found is not None:
            expected = f"the key of this event, {found[:16]}... (table.key of its data folder)"
            raise InputError(expected=expected, found=f"{self.own_key[:16]}...")
        transaction.admit(self.own_key, "", BoxState.OWN)
        start = [
            Draft(GENESIS, {"format": FORMATS[-1], "software": program_version()}),
            Draft("key", {"key": self.own_key}),
        ]
        transaction.append_own(start, self._now_ms())

    def _commit(self, group: Sequence[WriteJob[GroupTransaction[FoldT]]]) -> None:
        """Do the work of a group in one transaction, and answer after its commit."""
        outcomes: list[Callable[[], None]] = []
        self._commit_began_s = time.monotonic()
        try:
            with self.database.write() as connection:
                folded = self._folded
                transaction = GroupTransaction(connection, folded.fold, folded.newest, self._rules)
                transaction.load_boxes({self.own_key, *(job.box for job in group if job.box)})
                for job in group:
                    outcomes.append(job.do(transaction))
                transaction.finish()
        except _FAULTS_OF_JOBS as error:
            return self._commit_alone(group, error)
        except (SQLAlchemyError, OSError) as error:
            failure = self._fail(error)
            for job in group:
                job.future.set_exception(failure)
            return
        except Exception as error:
            return self._commit_alone(group, error)
        finally:
            self._commit_began_s = None
        self._publish(transaction)
        for answer in outcomes:
            answer()

    def _commit_alone(
        self, group: Sequence[WriteJob[GroupTransaction[FoldT]]], error: Exception
    ) -> None:
        """Find the job at fault: it fails, and the others are done."""
        if len(group) == 1:
            _LOG.error("a request failed", exc_info=error)
            return group[0].future.set_exception(error)
        for job in group:
            if self._is_ready:
                self._commit([job])
            else:
                job.future.set_exception(_unavailable(self._problem))

    def _publish(self, transaction: GroupTransaction[FoldT]) -> None:
        with self._changed:
            self._folded = _Folded(transaction.fold, transaction.newest)
            self._changed.notify_all()
        if transaction.own_head().is_signed:
            self._unsigned_s = None
        elif self._unsigned_s is None:
            self._unsigned_s = time.monotonic()

    def _fail(self, error: Exception) -> StoreUnavailableError:
        """Note that the database cannot be used; it is opened again."""
        reason = describe_failure(error)
        if self._is_ready or reason != self._problem:
            log_event(_LOG, logging.ERROR, "database not usable", reason=reason)
        self._problem, self._is_ready = reason, False
        for job in self._jobs.take_all():
            job.future.set_exception(_unavailable(reason))
        self.database.disconnect()
        return _unavailable(reason)

    def _sign_own(self) -> None:
        """Sign the event's own journal, if it has entries that no checkpoint covers."""
        if self._unsigned_s is None:
            return

        def run(transaction: GroupTransaction[FoldT]) -> None:
            head, at_ms = transaction.own_head(), self._now_ms()
            if not head.is_signed:
                transaction.append_own([build_own_checkpoint(self.key, head, at_ms)], at_ms)

        self._commit([WriteJob(run)])

    def _is_long_unsigned(self) -> bool:
        began_s = self._unsigned_s
        return began_s is not None and time.monotonic() - began_s > LONGEST_UNSIGNED_S


def _unavailable(reason: str) -> StoreUnavailableError:
    return StoreUnavailableError(expected="a database that can be written", found=reason)
