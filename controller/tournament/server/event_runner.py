# SPDX-License-Identifier: MIT
"""
The event as a desk runs it.

A thread writes what follows by itself: a roll is opened, a clock runs out, a game ends. Whoever
proposes an entry gets it back once it is durable, or the reason why it is refused. Several desks of
one database may run the same event: what one has written, the others find done.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TypeAlias, TypeVar

from controller.base.errors import RefusedError
from controller.base.languages.message import Message, message
from controller.base.logs import Log
from controller.journal.hashchain import Entry, build_next_entry
from controller.journal.journal import wall_clock_ms
from controller.tournament.entries.codec import EventEntry, encode_body
from controller.tournament.entries.fields import Source
from controller.tournament.server.store.box_queries import read_journal_lines
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.stored_event import Revisions
from controller.tournament.server.store.transaction import GroupTransaction
from controller.tournament.server.store.values import StoreUnavailableError
from controller.tournament.state.refusal import refuse_entry
from controller.tournament.state.state import EventState
from hardware.clock import Clock, MonotonicClock

APPLY_GAP_S = 0.02  # After the event has moved: what becomes durable meanwhile is shown at once.
LONGEST_WAIT_S = 0.5
"""How long the thread waits at once; a line or a clock that runs out ends it earlier."""
JUMP_MS = 2000  # A difference of the clocks that is reported.

Build: TypeAlias = Callable[[EventState], EventEntry]
"""
Returns the entry to propose. It runs in the transaction that stores it, with the event as it is
then, so a number that it takes from there is free. It only reads.
"""
BuildOwn: TypeAlias = Callable[[EventState, int], EventEntry]
"""The same for the entry of a player with this number."""

Plan: TypeAlias = Callable[[EventState], Sequence[tuple[Message, EventEntry]]]
"""The same for entries that count together, each with its line of a list."""

ResultT = TypeVar("ResultT")
_LOG = Log("tournament")


class SteadyClock:
    """
    The wall clock of an event, which does not jump while a roll is open; any thread may ask.

    A machine without a network gets the right time late, and its clock jumps, perhaps by hours. A
    roll would be over at once for everybody, or open for as long. So time goes on as it did until
    the roll is closed, and only then follows the wall clock. Times are milliseconds since 1970.

    Args:
        wall_ms: The wall clock, which may jump.
    """

    def __init__(
        self, wall_ms: Callable[[], int] = wall_clock_ms, clock: Clock | None = None
    ) -> None:
        self._wall_ms = wall_ms
        self._clock = clock or MonotonicClock()
        self._offset_ms = self._find_offset_ms()

    def now_ms(self) -> int:
        """Return the time, which goes on steadily between two calls of `follow`."""
        return round(1000 * self._clock.now_s()) + self._offset_ms

    def follow(self) -> None:
        """Set the time to that of the wall clock; nothing may rest on the old time."""
        offset_ms = self._find_offset_ms()
        jump_ms = offset_ms - self._offset_ms
        self._offset_ms = offset_ms
        if abs(jump_ms) > JUMP_MS:
            _LOG.warning("the clock has jumped", seconds=jump_ms / 1000)

    def _find_offset_ms(self) -> int:
        return self._wall_ms() - round(1000 * self._clock.now_s())


class EventRunner:
    """Runs the event of a store, which closes before it; any thread may call every method."""

    def __init__(self, store: JournalStore, clock: SteadyClock | None = None) -> None:
        self._store = store
        self._clock = clock or SteadyClock()
        self._version = 0
        self._listeners: list[Callable[[], None]] = []
        self._refused_due: EventEntry | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="event", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def revisions(self) -> Revisions:
        """How often each part of the event has changed."""
        return self._store.event.revisions

    @property
    def is_caught_up(self) -> bool:
        """Whether the event has everything that was durable when the database was opened."""
        return self._store.is_caught_up

    def read(self, ask: Callable[[EventState], ResultT]) -> ResultT:
        """Return what a function reads in the event; it must not keep or change the event."""
        return self._store.event.read(ask)

    def read_lines(self, last: Source) -> tuple[bytes, ...]:
        """Return the lines of a table up to this one; StoreUnavailableError without a database."""
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
        """Propose an entry of an official or a seat; the future has it, or the RefusedError."""
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

    def propose_list(self, plan: Plan) -> Future[tuple[Entry, ...]]:
        """
        Propose entries that follow from a list of people; all of them count, or none.

        The future has them once they are durable, or the `RefusedError`, which names the line.
        """
        at_ms = self.now_ms()

        def write(transaction: GroupTransaction) -> tuple[Entry, ...]:
            listed = plan(transaction.state)
            trial = transaction.state.copy()
            for where, entry in listed:
                refusal = trial.check(entry, at_ms)
                if refusal is not None:
                    raise refusal.error.at(where)
                body = encode_body(entry)
                chained = build_next_entry(None, at_ms=at_ms, kind=entry.kind, body=body)
                trial.apply(chained, entry)
            entries = [entry for _, entry in listed]
            return transaction.append_entries(entries, at_ms) if entries else ()

        return self._store.write(write)

    def _propose(
        self, build: Callable[[EventState], tuple[EventEntry, int | None]]
    ) -> Future[Entry]:
        at_ms = self.now_ms()

        def write(transaction: GroupTransaction) -> Entry:
            entry, seat = build(transaction.state)
            refusal = transaction.state.check(entry, at_ms, seat)
            if refusal is not None:
                raise refusal.error
            return transaction.append_checked(entry, at_ms)

        return self._store.write(write)

    def _run(self) -> None:
        event = self._store.event
        while not self._closing.is_set():
            if (version := event.version) != self._version:
                self._version, self._refused_due = version, None
                # The revisions count what is durable now, before the listeners read them.
                self.read(lambda state: None)
                for listener in self._listeners:
                    listener()
                self._closing.wait(APPLY_GAP_S)
                continue
            try:
                self._write_due()
            except StoreUnavailableError:
                # The store opens its database again by itself.
                self._closing.wait(LONGEST_WAIT_S)
            else:
                self._store.wait_for_change(version, self._find_wait_s())

    def _write_due(self) -> None:
        """Write what follows by itself, each entry after the one before it counts."""
        due = self.read(self._list_due)
        if not due or due[0] == self._refused_due:
            return
        try:
            self._store.write(self._append_due).result()
        except StoreUnavailableError:
            raise
        except RefusedError as error:
            # Once is enough to say it; something has to change before it could be accepted.
            self._refused_due = due[0]
            _LOG.error("what is due was refused", error=str(error))

    def _list_due(self, state: EventState) -> tuple[EventEntry, ...]:
        if state.next_due_ms() is None:
            self._clock.follow()
        return state.list_due(self.now_ms())

    def _append_due(self, transaction: GroupTransaction) -> None:
        at_ms = self.now_ms()
        while due := transaction.state.list_due(at_ms):
            transaction.append_entries(due[:1], at_ms)

    def _find_wait_s(self) -> float:
        due_ms = self.read(EventState.next_due_ms)
        if due_ms is None or self._refused_due is not None:
            return LONGEST_WAIT_S
        return min(max(due_ms - self.now_ms(), 1) / 1000, LONGEST_WAIT_S)
