# SPDX-License-Identifier: MIT
"""
The event as a server runs it.

A thread applies every durable line to an event of its own, and writes what follows by itself: a
roll is opened, a clock runs out, a game ends. Whoever proposes an entry gets it back once it is
durable, or the reason why it is refused. Several servers of one database may run the same event:
what one has written, the others find done.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeAlias, TypeVar

from controller.base.errors import InputError, RefusedError
from controller.base.languages.message import message
from controller.base.logs import log_event, logger
from controller.journal.hashchain import Entry, decode_entry
from controller.tournament.entries.codec import EventEntry, decode_entry_body, encode_body
from controller.tournament.entries.fields import Source
from controller.tournament.server.revisions import Revisions
from controller.tournament.server.steady_clock import SteadyClock
from controller.tournament.server.store.box_queries import read_journal_lines
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.transaction import GroupTransaction
from controller.tournament.server.store.values import Draft, StoredLine, StoreUnavailableError
from controller.tournament.state.event_fold import EventFold
from controller.tournament.state.refusal import refuse_entry
from controller.tournament.state.state import EventState

APPLY_GAP_S = 0.02
"""After lines were applied: what becomes durable meanwhile is read and shown at once."""
LONGEST_WAIT_S = 0.5
"""How long the thread waits at once; a line or a clock that runs out ends it earlier."""

EventStore: TypeAlias = JournalStore[EventFold]
Build: TypeAlias = Callable[[EventState], EventEntry]
"""
Returns the entry to propose. It runs in the transaction that stores it, with the event as it is
then, so a number that it takes from there is free. It only reads.
"""
BuildOwn: TypeAlias = Callable[[EventState, int], EventEntry]
"""The same for the entry of a player with this number."""

ResultT = TypeVar("ResultT")
_LOG = logger("tournament")


class EventRunner:
    """
    Runs the event of a store; every method may be called from any thread.

    Args:
        store: Its journals; started by the caller, and closed before the runner.
        clock: Its time; it follows the wall clock between two rolls.

    Attributes:
        revisions: How often each part of the event has changed.
        is_caught_up: Whether everything that was durable has been applied at least once.
    """

    def __init__(self, store: EventStore, clock: SteadyClock | None = None) -> None:
        self._store = store
        self._clock = clock or SteadyClock()
        self._lock = threading.Lock()
        self._state = EventState()
        self._newest: StoredLine | None = None
        self.revisions = Revisions()
        self.is_caught_up = False
        self._listeners: list[Callable[[], None]] = []
        self._refused_due: EventEntry | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="event", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()

    def read(self, ask: Callable[[EventState], ResultT]) -> ResultT:
        """Return what a function reads in the event; it must not keep or change the event."""
        with self._lock:
            return ask(self._state)

    def read_lines(self, last: Source) -> tuple[bytes, ...]:
        """
        Return the lines of a table's journal up to one of them.

        Raises:
            StoreUnavailableError: The database is away.
        """
        return self._store.read(
            lambda connection: read_journal_lines(connection, last.box, 0, last.seq + 1)
        )

    def now_ms(self) -> int:
        """Return the time of the event, by which pages correct their own."""
        return self._clock.now_ms()

    def listen(self, listener: Callable[[], None]) -> None:
        """Call a function after each change, from the thread of the runner."""
        self._listeners.append(listener)

    def propose(self, build: Build, seat: int | None = None) -> Future[Entry]:
        """
        Propose an entry; the future has it once it is durable, or the `RefusedError`.

        Args:
            build: Returns the entry.
            seat: The player whose phone proposes it; None for an official.
        """
        return self._propose(lambda state: (build(state), seat))

    def propose_by_phone(self, token: str, build: BuildOwn) -> Future[Entry]:
        """
        Propose an entry for the player whose phone has this token when it is written.

        Args:
            token: The SHA-256 of the secret of the phone.
            build: Returns the entry for the number of that player.
        """

        def build_own(state: EventState) -> tuple[EventEntry, int]:
            player = state.find_player_by_token(token)
            if player is None:
                expected, found = message("the phone of a player"), message("another phone")
                raise refuse_entry("seat", expected, found, "player")
            return build(state, player), player

        return self._propose(build_own)

    def _propose(
        self, build: Callable[[EventState], tuple[EventEntry, int | None]]
    ) -> Future[Entry]:
        at_ms = self.now_ms()

        def write(transaction: GroupTransaction[EventFold]) -> Entry:
            state = transaction.fold.state
            entry, seat = build(state)
            refusal = state.check(entry, at_ms, seat)
            if refusal is not None:
                raise refusal.error
            return _append(transaction, entry, at_ms)

        return self._store.write(write)

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                if not self._apply_new():
                    self.is_caught_up = True
                    self._write_due()
                    arrival = self._newest.arrival if self._newest else 0
                    self._store.wait_for_change(arrival, self._find_wait_s())
            except StoreUnavailableError:
                # The store opens its database again by itself.
                self._closing.wait(LONGEST_WAIT_S)

    def _apply_new(self) -> bool:
        """Apply what has become durable; return whether there was anything."""
        newest = self._newest
        found = self._store.follow(newest.arrival - 1 if newest else 0)
        if newest is not None:
            if found[:1] != (newest,):
                # A replica that missed the newest lines has taken the place of the database.
                self._begin_again()
                return True
            found = found[1:]
        if not found:
            return False
        with self._lock:
            for line in found:
                self._apply(line)
            self._newest, self._refused_due = found[-1], None
        self._call_listeners()
        self._closing.wait(APPLY_GAP_S)
        return True

    def _begin_again(self) -> None:
        with self._lock:
            self._state, self._newest = EventState(), None
            self.is_caught_up = False
            self.revisions.note_everything()

    def _apply(self, line: StoredLine) -> None:
        entry = decode_entry(line.line)
        if line.box != self._store.own_key:
            self._state.apply_table_line(line.box, entry)
            self.revisions.note_table_line()
            return
        try:
            body = decode_entry_body(entry)
            self._state.apply(entry)
        except InputError as error:
            # An older or a later version wrote it; the others still count.
            what = "an entry of the event does not fit"
            log_event(_LOG, logging.ERROR, what, seq=entry.seq, error=str(error))
            return
        if body is not None:
            self.revisions.note_entry(body)

    def _call_listeners(self) -> None:
        for listener in self._listeners:
            listener()

    def _write_due(self) -> None:
        """Write what follows by itself, each entry after the one before it counts."""
        with self._lock:
            if self._state.next_due_ms() is None:
                self._clock.follow()
            due = self._state.list_due(self.now_ms())
        if not due or due[0] == self._refused_due:
            return
        try:
            self._store.write(self._append_due).result()
        except StoreUnavailableError:
            raise
        except RefusedError as error:
            # Once is enough to say it; something has to change before it could be accepted.
            self._refused_due = due[0]
            log_event(_LOG, logging.ERROR, "what is due was refused", error=str(error))

    def _append_due(self, transaction: GroupTransaction[EventFold]) -> None:
        at_ms = self.now_ms()
        while due := transaction.fold.state.list_due(at_ms):
            _append(transaction, due[0], at_ms)

    def _find_wait_s(self) -> float:
        with self._lock:
            due_ms = self._state.next_due_ms()
        if due_ms is None or self._refused_due is not None:
            return LONGEST_WAIT_S
        return min(max(due_ms - self.now_ms(), 1) / 1000, LONGEST_WAIT_S)


def _append(transaction: GroupTransaction[EventFold], entry: EventEntry, at_ms: int) -> Entry:
    return transaction.append_own([Draft(entry.kind, encode_body(entry))], at_ms)[0]
