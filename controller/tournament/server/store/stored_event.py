# SPDX-License-Identifier: MIT
"""
The event of a store: as it is durable, and as the transaction that is running makes it.

The thread that writes checks and applies every entry to `next`. The commit moves the durable
event by the same entries; a commit that fails drops them. Pages read only what is durable. They
apply what was committed before they read, so the thread that writes never waits for a page.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, TypeAlias, TypeVar

from controller.base.errors import InputError
from controller.base.logs import Log
from controller.journal.checkpoint import CHECKPOINT
from controller.journal.hashchain import GENESIS_PREV, Entry, decode_checked
from controller.tournament.entries.call_entries import OfficialCalled
from controller.tournament.entries.check_in_entries import PlayerCheckedIn
from controller.tournament.entries.codec import EventEntry
from controller.tournament.entries.game_entries import ChoiceMade, ReserveAsked
from controller.tournament.entries.player_entries import (
    KioskSeated,
    PlayerJoined,
    PlayerLeft,
    PlayerRenamed,
    PlayerReturned,
    TokenIssued,
)
from controller.tournament.server.store.values import StoredLine
from controller.tournament.state.state import EventState

PeopleEntry = (
    PlayerJoined
    | PlayerLeft
    | PlayerRenamed
    | PlayerReturned
    | PlayerCheckedIn
    | TokenIssued
    | KioskSeated
    | OfficialCalled
)

Applied: TypeAlias = tuple[str, Entry, EventEntry | None]
"""The key of a journal, an entry of it, and what it says if it is the event's own."""

ResultT = TypeVar("ResultT")
_LOG = Log("tournament")


class JournalEnd(NamedTuple):
    """Where a journal ends."""

    size: int = 0  # The number of its lines.
    link: str = GENESIS_PREV  # The link of the last one.
    is_signed: bool = True  # Whether the last one is a checkpoint.


NO_LINES = JournalEnd()


class LostLinesError(OSError):
    """The database misses lines that it had, so everything must be read again."""

    def __init__(self) -> None:
        super().__init__("the database has lost lines; a replica or a backup took over")


class Revisions:
    """How often each part of an event has changed, by numbers that only grow; for any thread."""

    def __init__(self) -> None:
        self.shared = 0  # What everybody sees: rolls, games, names, standings.
        self.urgent = 0  # The part of it that no page may show late; all but who comes and goes.
        self.choices = 0  # How many have chosen from the open roll.
        self.tables = 0  # Lines of tables: silent ones, doubtful rolls.
        self.players: Counter[int] = Counter()  # What each player did, by number.

    def note_entry(self, entry: EventEntry) -> None:
        """Count an entry of the event's own journal."""
        if isinstance(entry, ChoiceMade | ReserveAsked):
            self.choices += 1
            self.players[entry.player] += 1
            return
        if isinstance(entry, PeopleEntry):
            self.players[entry.player] += 1
        else:
            self.urgent += 1
        self.shared += 1

    def note_everything(self) -> None:
        """Count that the event is built again."""
        self.shared += 1
        self.urgent += 1
        self.tables += 1


class StoredEvent:
    """The event of one store. Only the thread that writes may call what changes it."""

    def __init__(self, own_key: str) -> None:
        # The event with what the running transaction has applied, for the thread that writes.
        self.next = EventState()
        self.revisions = Revisions()  # How often each part of the durable event has changed.
        self.version = 0  # How often the durable event has moved.
        self.ends: dict[str, JournalEnd] = {}  # Where the lines of each journal in `next` end.
        self._ends_before: dict[str, JournalEnd] = {}  # Where they ended before the transaction.
        self.own_key = own_key
        self._pending: list[Applied] = []
        self._committed: deque[tuple[Applied, ...]] = deque()
        self._durable = EventState()
        self._lock = threading.Lock()

    def read(self, ask: Callable[[EventState], ResultT]) -> ResultT:
        """Return what a function reads, not keeps, in the durable event; any thread may ask."""
        with self._lock:
            self._apply_committed()
            return ask(self._durable)

    def apply_own(self, entries: Sequence[Entry], checked: EventEntry | None = None) -> None:
        """
        Apply entries of the event's own journal, all or none; InputError if one is wrong.

        Args:
            checked: What the only one says, if it was checked in the state as it is now.
        """
        before = len(self._pending)
        for number, entry in enumerate(entries):
            self._pending.append((self.own_key, entry, None))
            try:
                body = self.next.apply(entry, checked)
            except InputError:
                # The refused entry itself has changed nothing.
                self._pending.pop()
                if number:
                    self._drop(before)
                raise
            self._pending[-1] = (self.own_key, entry, body)
        if entries:
            self._move_end(self.own_key, entries[-1])

    def apply_table_line(self, table: str, entry: Entry) -> None:
        """Apply a line of the table with this key; a valid line is never refused."""
        try:
            self.next.apply_table_line(table, entry)
        except Exception as error:  # It must be stored, whatever the event makes of it.
            _LOG.exception("a line could not be used", error, box=table, seq=entry.seq)
        else:
            self._pending.append((table, entry, None))
        self._move_end(table, entry)

    def find_end(self, key: str) -> JournalEnd:
        """Return where the lines of a journal end, with those of the running transaction."""
        return self.ends.get(key, NO_LINES)

    def apply_stored(self, line: StoredLine) -> None:
        """Apply a line that is in the database already; LostLinesError if it is not the next."""
        entry = decode_checked(line.line)  # Who stored it has checked it.
        end = self.find_end(line.box)
        if (entry.seq, entry.prev) != (end.size, end.link):
            raise LostLinesError
        if line.box != self.own_key:
            self.apply_table_line(line.box, entry)
            return
        try:
            self.apply_own([entry])
        except InputError as error:
            # An older or a later version wrote it; the others still count.
            what = "an entry of the event does not fit"
            _LOG.error(what, seq=entry.seq, error=str(error))
            self._move_end(line.box, entry)

    @contextmanager
    def change(self) -> Iterator[None]:
        """Make durable what the block applies; drop all of it if the block fails."""
        try:
            yield
        except BaseException:
            if self._pending:
                self._drop(0)
            self._restore_ends()
            raise
        finally:
            self._ends_before.clear()
        if self._pending:
            self._committed.append(tuple(self._pending))
            self._pending.clear()
            self.version += 1

    def clear(self) -> None:
        with self._lock:
            self._durable = EventState()
            self._committed.clear()
        self.next = EventState()
        self.ends.clear()
        self.revisions.note_everything()
        self.version += 1

    def _move_end(self, key: str, entry: Entry) -> None:
        self._ends_before.setdefault(key, self.find_end(key))
        self.ends[key] = JournalEnd(entry.seq + 1, entry.link, entry.kind == CHECKPOINT)

    def _restore_ends(self) -> None:
        for key, end in self._ends_before.items():
            if end.size:
                self.ends[key] = end
            else:
                del self.ends[key]

    def _drop(self, keep: int) -> None:
        """Drop what was applied since the last commit, but for the first entries."""
        del self._pending[keep:]
        self.next = self.read(EventState.copy)  # Only a failed commit needs it.
        for applied in self._pending:
            self._apply(self.next, *applied)

    def _apply_committed(self) -> None:
        """Move the durable event; the lock is held."""
        while self._committed:
            for key, entry, body in self._committed.popleft():
                self._apply(self._durable, key, entry, body)
                if body is not None:
                    self.revisions.note_entry(body)
                elif key != self.own_key:
                    self.revisions.tables += 1
                    # The rolls of an announced draw are shown as they fall.
                    self.revisions.shared += self._durable.data.rounds.announced is not None

    def _apply(self, state: EventState, key: str, entry: Entry, body: EventEntry | None) -> None:
        if body is not None:
            state.apply_body(body, entry.at_ms)
        elif key != self.own_key:
            state.apply_table_line(key, entry)
