# SPDX-License-Identifier: MIT
"""
The work of many requests in one transaction.

Whoever writes first locks the counter of arrivals. So several servers on one database write one
after the other, line numbers rise in the order of commits, and who follows them misses none. What
others wrote meanwhile is applied first: drafts are judged by the newest state.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, fields

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from controller.base.errors import RefusedError
from controller.base.logs import Log
from controller.journal.checkpoint import CHECKPOINT
from controller.journal.entries import ROLLS
from controller.journal.hashchain import Entry, build_next_entry, encode_entry
from controller.journal.picture_refs import is_digest
from controller.journal.signing_key import TableKey
from controller.journal.tlog.checkpoint_note import sign_checkpoint
from controller.tournament.entries.codec import EventEntry, encode_body
from controller.tournament.entries.event_entries import KeyChanged, TableEnrolled
from controller.tournament.server.store.arrivals import announce_arrival
from controller.tournament.server.store.batch import (
    CheckedBatch,
    ForkedChainError,
    JournalHead,
    check_batch,
)
from controller.tournament.server.store.box_queries import (
    increase_counter,
    name_fork_counter,
    read_head,
    want_pictures,
)
from controller.tournament.server.store.schema import (
    ARRIVAL,
    BOXES,
    COUNTERS,
    FLAWS,
    FORKS,
    LINES,
    WANTED,
)
from controller.tournament.server.store.stored_event import StoredEvent
from controller.tournament.server.store.values import (
    BoxState,
    Draft,
    LinesAnswer,
    LinesRequest,
    StoredLine,
    build_unknown_error,
    build_unsigned_error,
)
from controller.tournament.state.state import EventState

MOST_FORKS = 3
"""Other lines that are kept of one table: the first one decides. Further ones are counted."""
MOST_PICTURES = 4  # Pictures that one answer asks for.
MOST_READ = 5000
LIVE_LINES = 20
"""A table that sends more at once was away; its pictures are asked for when somebody needs them."""

# What every transaction needs is built once: to build a statement takes longer than to execute it.
_IS_ARRIVAL = COUNTERS.c.name == ARRIVAL
_LOCK = (
    update(COUNTERS).where(_IS_ARRIVAL).values(value=COUNTERS.c.value).returning(COUNTERS.c.value)
)
_COUNT = update(COUNTERS).where(_IS_ARRIVAL).values(value=bindparam("newest"))
_FIND_JOURNALS = select(BOXES).where(BOXES.c.key.in_(bindparam("keys", expanding=True)))
_ADD_LINES = insert(LINES)
_MOVE_HEADS = (
    update(BOXES)
    .where(BOXES.c.id == bindparam("row"))
    .values({each.name: bindparam(each.name) for each in fields(JournalHead)})
)
_FIND_WANTED = select(WANTED.c.box, WANTED.c.digest).where(
    WANTED.c.box.in_(bindparam("boxes", expanding=True))
)
_FIND_NEWER = (
    select(LINES.c.arrival, BOXES.c.key, LINES.c.seq, LINES.c.line)
    .join(BOXES)
    .where(LINES.c.arrival > bindparam("after"))
    .order_by(LINES.c.arrival)
    .limit(MOST_READ)
)
_LOG = Log("tournament")


@dataclass(slots=True)
class _Journal:
    """A row of `BOXES`; `head` changes during the transaction."""

    id: int
    key: str
    name: str
    state: BoxState
    head: JournalHead


@dataclass(frozen=True, slots=True)
class StoreRules:
    """What the store takes."""

    own_key: str  # The key of the event's own journal, in hexadecimal.
    is_open: bool = False  # Whether unknown and unsigned tables are let in.
    # Whether tables are asked for the picture of every roll, as long as they keep up.
    takes_pictures: bool = False


class LostLinesError(OSError):
    """The database misses lines that it had, so everything must be read again."""


class GroupTransaction:
    """
    Does the work of one group on a connection that writes; `finish` comes last.

    Args:
        connection: In a transaction.
        event: The event, within `StoredEvent.change`.
        newest: The newest line that is applied to it; None before the first.

    Raises:
        LostLinesError: The database does not have `newest`.
    """

    def __init__(
        self,
        connection: Connection,
        event: StoredEvent,
        newest: StoredLine | None,
        rules: StoreRules,
    ) -> None:
        self.connection = connection
        self._event = event
        self._rules = rules
        self._journals: dict[str, _Journal] = {}
        self._rows: list[dict[str, object]] = []
        self._changed: set[str] = set()
        self._wanted: dict[int, list[str]] | None = None
        self._arrival = int(connection.execute(_LOCK).scalar_one())
        self.newest = newest
        for line in iter_newer(connection, newest):
            event.apply_stored(line)
            self.newest = line

    @property
    def state(self) -> EventState:
        """The event after all lines, those of this transaction too."""
        return self._event.next

    def load_journals(self, keys: Collection[str]) -> None:
        """Read the rows of several journals at once."""
        for row in self.connection.execute(_FIND_JOURNALS, {"keys": list(keys)}):
            state = BoxState(row.state)
            self._journals[row.key] = _Journal(row.id, row.key, row.name, state, read_head(row))

    def append_lines(self, request: LinesRequest) -> LinesAnswer:
        """Store the lines of a table; RefusedError if the table or a line is refused."""
        journal = self._require_table(request)
        known = journal.head.size
        if request.first > known:
            return LinesAnswer(known, is_gap=True)
        count = min(known - request.first, len(request.lines))
        fork = self._find_fork(journal, request, count) if count else None
        if fork is not None:
            return LinesAnswer(known, fork=fork)
        if count == len(request.lines):
            return LinesAnswer(known, pictures=self._list_wanted(journal))
        try:
            checked = check_batch(journal.head, request.lines[count:])
        except ForkedChainError as error:
            self._keep_fork(journal, known - 1, error.line)
            return LinesAnswer(known, fork=known - 1)
        self._store(journal, checked, request.lines[count:])
        return LinesAnswer(journal.head.size, pictures=self._list_wanted(journal))

    def append_own(self, drafts: Sequence[Draft], at_ms: int) -> tuple[Entry, ...]:
        """Append entries to the event's own journal, all or none; RefusedError if refused."""
        journal = self._journals[self._rules.own_key]
        before, entries = journal.head.last_entry, []
        for draft in drafts:
            before = build_next_entry(before, at_ms=at_ms, kind=draft.kind, body=draft.body)
            entries.append(before)
        lines = [encode_entry(entry) for entry in entries]
        checked = check_batch(journal.head, lines)
        self._event.apply_own(entries)
        self._add_rows(journal, checked, lines)
        for entry in entries:
            if entry.kind == TableEnrolled.kind:
                self.admit(str(entry.body["box"]), str(entry.body["name"]), BoxState.ENROLLED)
        return tuple(entries)

    def append_entries(self, entries: Sequence[EventEntry], at_ms: int) -> tuple[Entry, ...]:
        """The same with entries as values."""
        return self.append_own([Draft(each.kind, encode_body(each)) for each in entries], at_ms)

    def sign_own(self, key: TableKey, at_ms: int) -> None:
        """Append a checkpoint to the event's own journal, as a table signs its one."""
        head = self.own_head()
        _, body = sign_checkpoint(key, head.size, head.build_tree().root(), at_ms)
        self.append_own([Draft(CHECKPOINT, body)], at_ms)

    def admit(self, key: str, name: str, state: BoxState) -> None:
        """Let a table in, or change its name and state."""
        if key not in self._journals:
            self.load_journals([key])
        if key not in self._journals:
            self._add_journal(key, name, state)
            return
        values = {"name": name, "state": state.value}
        self.connection.execute(update(BOXES).where(BOXES.c.key == key).values(values))
        self._journals[key].name, self._journals[key].state = name, state

    def put_aside(self, key: str, name: str, owner: str, at_ms: int) -> None:
        """Note a table that asks for the name of another one, which stands still from now on."""
        self.admit(key, name, BoxState.PENDING)
        # The event refuses it before it begins, when no table has anything to lose.
        with contextlib.suppress(RefusedError):
            self.append_entries([KeyChanged(owner, key)], at_ms)

    def send_away(self, key: str) -> None:
        """Forget a table that waits for the organiser."""
        waits = (BOXES.c.key == key) & (BOXES.c.state == BoxState.PENDING.value)
        self.connection.execute(delete(BOXES).where(waits))
        self._journals.pop(key, None)

    def own_head(self) -> JournalHead:
        return self._journals[self._rules.own_key].head

    def finish(self) -> None:
        """Write the rows; nothing may follow."""
        if not self._rows:
            return
        self.connection.execute(_ADD_LINES, self._rows)
        changed = [self._journals[key] for key in self._changed]
        heads = [{"row": journal.id, **asdict(journal.head)} for journal in changed]
        self.connection.execute(_MOVE_HEADS, heads)
        self.connection.execute(_COUNT, {"newest": self._arrival})
        announce_arrival(self.connection, self._arrival)

    def _require_table(self, request: LinesRequest) -> _Journal:
        journal = self._journals.get(request.table)
        if journal is None and self._rules.is_open:
            journal = self._add_journal(request.table, "", BoxState.OPEN)
        if journal is None or journal.state in (BoxState.PENDING, BoxState.OWN):
            raise build_unknown_error(request.table)
        if not request.is_signed and not (journal.state is BoxState.OPEN and self._rules.is_open):
            raise build_unsigned_error()
        return journal

    def _add_journal(self, key: str, name: str, state: BoxState) -> _Journal:
        head = JournalHead()
        row = {"key": key, "name": name, "state": state.value, **asdict(head)}
        added = self.connection.execute(insert(BOXES).values(row)).inserted_primary_key
        assert added is not None, "a row has a number"
        journal = self._journals[key] = _Journal(added[0], key, name, state, head)
        return journal

    def _find_fork(self, journal: _Journal, request: LinesRequest, count: int) -> int | None:
        """Return the first number for which the database has another line; keep the new one."""
        stored = self.connection.execute(
            select(LINES.c.line)
            .where(LINES.c.box == journal.id, LINES.c.seq >= request.first)
            .where(LINES.c.seq < request.first + count)
            .order_by(LINES.c.seq)
        ).scalars()
        for seq, (ours, theirs) in enumerate(
            zip(stored, request.lines[:count], strict=True), request.first
        ):
            if ours != theirs:
                self._keep_fork(journal, seq, theirs)
                return seq
        return None

    def _keep_fork(self, journal: _Journal, seq: int, line: bytes) -> None:
        digest = hashlib.sha256(line).hexdigest()
        digests = select(FORKS.c.digest).where(FORKS.c.box == journal.id)
        known = self.connection.execute(digests).scalars().all()
        if digest in known:
            return
        if len(known) >= MOST_FORKS:
            increase_counter(self.connection, name_fork_counter(journal.id))
            return
        at_ms = _read_time(line)
        row = {"box": journal.id, "seq": seq, "digest": digest, "line": line, "at_ms": at_ms}
        self.connection.execute(insert(FORKS), row)
        _LOG.warning("a table sent another line", box=journal.key, seq=seq)

    def _store(self, journal: _Journal, checked: CheckedBatch, lines: Sequence[bytes]) -> None:
        for entry in checked.entries:
            self._event.apply_table_line(journal.key, entry)
        for seq, what in checked.flaws:
            row = {"box": journal.id, "seq": seq, "what": what}
            self.connection.execute(insert(FLAWS), row)
        if self._rules.takes_pictures and len(lines) <= LIVE_LINES:
            rolls = (entry for entry in checked.entries if entry.kind in ROLLS)
            digests = [str(entry.body.get("picture", "")) for entry in rolls]
            if wanted := list(filter(is_digest, digests)):
                want_pictures(self.connection, journal.key, wanted)
                self._wanted = None
        self._add_rows(journal, checked, lines)

    def _add_rows(self, journal: _Journal, checked: CheckedBatch, lines: Sequence[bytes]) -> None:
        for entry, line in zip(checked.entries, lines, strict=True):
            self._arrival += 1
            self.newest = StoredLine(self._arrival, journal.key, entry.seq, line)
            row = {"arrival": self._arrival, "box": journal.id, "seq": entry.seq, "line": line}
            self._rows.append(row)
        journal.head = checked.head
        self._changed.add(journal.key)

    def _list_wanted(self, journal: _Journal) -> tuple[str, ...]:
        if self._wanted is None:
            # One question for the whole group, which mostly has the answer that nothing is wanted.
            self._wanted = {}
            ids = [each.id for each in self._journals.values()]
            for row in self.connection.execute(_FIND_WANTED, {"boxes": ids}):
                self._wanted.setdefault(row.box, []).append(row.digest)
        return tuple(self._wanted.get(journal.id, ())[:MOST_PICTURES])


def iter_lines(connection: Connection, after: int) -> Iterator[StoredLine]:
    """Yield the lines of all journals that arrived after this number."""
    while True:
        found = [StoredLine(*row) for row in connection.execute(_FIND_NEWER, {"after": after})]
        yield from found
        if len(found) < MOST_READ:
            return
        after = found[-1].arrival


def iter_newer(connection: Connection, newest: StoredLine | None) -> Iterator[StoredLine]:
    """Yield the lines after this one, all after None; LostLinesError if the database lost it."""
    stored = iter_lines(connection, newest.arrival - 1 if newest else 0)
    if newest is not None and next(stored, None) != newest:
        raise LostLinesError("the database has lost lines; a replica or a backup took over")
    yield from stored


def _read_time(line: bytes) -> int:
    """Return the time in a line that may hold anything; 0 if it has none."""
    try:
        found = json.loads(line)["at_ms"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0
    return found if type(found) is int and 0 <= found < 1 << 62 else 0
