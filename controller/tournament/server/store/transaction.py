# SPDX-License-Identifier: MIT
"""
The work of many requests in one transaction.

A journal is locked before it gets lines, and what other servers wrote to it meanwhile is applied.
So servers on one database write to the journals of different tables at the same time, and to the
event's own journal one after the other. An own entry is judged by the newest state: the own journal
is locked, and what came to all others is applied, before the state is given.

A transaction that locks tables for their lines locks them in one order, and takes no own entry. One
that lets tables in may still wait for it, and it for that one. Then PostgreSQL ends one of the two,
and its requests are done again; if that fails too, one by one: alone, none has two tables.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, fields

from sqlalchemy import Connection, bindparam, delete, insert, select, text, update

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
from controller.tournament.server.store.batch import (
    CheckedBatch,
    ForkedChainError,
    JournalHead,
    check_batch,
    join_batch,
    require_length,
)
from controller.tournament.server.store.box_queries import (
    increase_counter,
    name_fork_counter,
    read_head,
    want_pictures,
)
from controller.tournament.server.store.newer_lines import find_parts, iter_newer, read_parts
from controller.tournament.server.store.schema import (
    BOXES,
    FLAWS,
    FORKS,
    LINES,
    WANTED,
)
from controller.tournament.server.store.stored_event import LostLinesError, StoredEvent
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
LIVE_LINES = 20
"""A table that sends more at once was away; its pictures are asked for when somebody needs them."""

# What every transaction needs is built once: to build a statement takes longer than to execute it.
# Rows that refer to a locked one may be added: that needs no more than that its number stays.
_LOCK_JOURNALS = (
    select(BOXES)
    .where(BOXES.c.key.in_(bindparam("keys", expanding=True)))
    .order_by(BOXES.c.id)
    .with_for_update(key_share=True)
)
_ADD_JOURNAL = text(
    "INSERT INTO boxes (key, name, state, size, link, signer, subtrees, note)"
    " VALUES (:key, :name, :state, :size, :link, :signer, :subtrees, :note)"
    " ON CONFLICT (key) DO NOTHING"
)
_ADD_LINES = insert(LINES)
_MOVE_HEADS = (
    update(BOXES)
    .where(BOXES.c.id == bindparam("row"))
    .values({each.name: bindparam(each.name) for each in fields(JournalHead)})
)
_FIND_WANTED = select(WANTED.c.box, WANTED.c.digest).where(
    WANTED.c.box.in_(bindparam("boxes", expanding=True))
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


class GroupTransaction:
    """
    Does the work of one group on a connection that writes; `finish` comes last.

    Args:
        connection: In a transaction.
        event: The event, within `StoredEvent.change`.
        tables: The keys of the tables that send lines.
        is_open: Whether unknown and unsigned tables are let in.

    Raises:
        LostLinesError: The database misses lines that the event has; here, and later.
    """

    def __init__(
        self,
        connection: Connection,
        event: StoredEvent,
        tables: Collection[str] = (),
        *,
        is_open: bool = False,
    ) -> None:
        self.connection = connection
        self._event = event
        self._is_open = is_open
        self._journals: dict[str, _Journal] = {}
        self._rows: list[dict[str, object]] = []
        self._changed: set[str] = set()
        self._wanted: dict[int, list[str]] | None = None
        # Who locks the event's own journal gets the lines of all others, which comes later.
        self._lock(set(tables) - {event.own_key})

    @property
    def state(self) -> EventState:
        """The event after all lines, those of this transaction too."""
        self._take_own()
        return self._event.next

    @property
    def changed(self) -> tuple[int, ...]:
        """The rows of the journals that have got lines."""
        return tuple(self._journals[key].id for key in self._changed)

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

    def append_own(
        self, drafts: Sequence[Draft], at_ms: int, checked: EventEntry | None = None
    ) -> tuple[Entry, ...]:
        """
        Append entries to the event's own journal, all or none; RefusedError if refused.

        Args:
            checked: The only one, if `EventState.check` accepted it in the state as it is now.
        """
        journal = self._take_own()
        before, entries = journal.head.last_entry, []
        for draft in drafts:
            before = build_next_entry(before, at_ms=at_ms, kind=draft.kind, body=draft.body)
            entries.append(before)
        lines = [encode_entry(entry) for entry in entries]
        for entry, line in zip(entries, lines, strict=True):
            require_length(line, entry.seq)
        self._event.apply_own(entries, checked)
        self._add_rows(journal, join_batch(journal.head, entries, lines), lines)
        for entry in entries:
            if entry.kind == TableEnrolled.kind:
                self.admit(str(entry.body["box"]), str(entry.body["name"]), BoxState.ENROLLED)
        return tuple(entries)

    def append_entries(self, entries: Sequence[EventEntry], at_ms: int) -> tuple[Entry, ...]:
        """The same with entries as values."""
        return self.append_own([_draft(each) for each in entries], at_ms)

    def append_checked(self, entry: EventEntry, at_ms: int) -> Entry:
        """The same with an entry that `EventState.check` accepted in the state as it is now."""
        return self.append_own([_draft(entry)], at_ms, entry)[0]

    def sign_own(self, key: TableKey, at_ms: int) -> None:
        """Append a checkpoint to the event's own journal, as a table signs its one."""
        head = self.own_head()
        _, body = sign_checkpoint(key, head.size, head.build_tree().root(), at_ms)
        self.append_own([Draft(CHECKPOINT, body)], at_ms)

    def admit(self, key: str, name: str, state: BoxState) -> None:
        """Let a table in, or change its name and state."""
        self._take_own()  # So servers let tables in one after the other.
        if key not in self._journals:
            self._lock([key])
        journal = self._journals.get(key) or self._add_journal(key, name, state)
        if (journal.name, journal.state) != (name, state):
            values = {"name": name, "state": state.value}
            self.connection.execute(update(BOXES).where(BOXES.c.key == key).values(values))
            journal.name, journal.state = name, state

    def add_own(self) -> None:
        """Add the event's own journal to a new database."""
        self._add_journal(self._event.own_key, "", BoxState.OWN)

    def put_aside(self, key: str, name: str, owner: str, at_ms: int) -> None:
        """Note a table that asks for the name of another one, which stands still from now on."""
        self.admit(key, name, BoxState.PENDING)
        # The event refuses it before it begins, when no table has anything to lose.
        with contextlib.suppress(RefusedError):
            self.append_entries([KeyChanged(owner, key)], at_ms)

    def send_away(self, key: str) -> None:
        """Forget a table that waits for the organiser."""
        self._take_own()
        waits = (BOXES.c.key == key) & (BOXES.c.state == BoxState.PENDING.value)
        self.connection.execute(delete(BOXES).where(waits))
        self._journals.pop(key, None)

    def own_head(self) -> JournalHead:
        return self._take_own().head

    def finish(self) -> None:
        """Write the rows; nothing may follow."""
        if not self._rows:
            return
        self.connection.execute(_ADD_LINES, self._rows)
        changed = [self._journals[key] for key in self._changed]
        heads = [{"row": journal.id, **asdict(journal.head)} for journal in changed]
        self.connection.execute(_MOVE_HEADS, heads)

    def _take_own(self) -> _Journal:
        """Lock the event's own journal, and apply what others wrote to any; return it."""
        own = self._event.own_key
        if own not in self._journals:
            self._lock([own])
            self._apply(iter_newer(self.connection, self._event, but=self._journals))
        return self._journals[own]

    def _lock(self, keys: Collection[str]) -> None:
        """Lock the rows of several journals at once, and apply what others wrote to them."""
        rows = self.connection.execute(_LOCK_JOURNALS, {"keys": list(keys)}).all() if keys else []
        for row in rows:
            state = BoxState(row.state)
            self._journals[row.key] = _Journal(row.id, row.key, row.name, state, read_head(row))
        if any(key in self._event.ends and key not in self._journals for key in keys):
            raise LostLinesError
        ends = [(row.id, row.key, row.size, row.link) for row in rows]
        self._apply(read_parts(self.connection, find_parts(ends, self._event)))

    def _apply(self, newer: Iterable[list[StoredLine]]) -> None:
        for lines in newer:
            for line in lines:
                self._event.apply_stored(line)

    def _require_table(self, request: LinesRequest) -> _Journal:
        journal = self._journals.get(request.table)
        is_own = request.table == self._event.own_key
        if journal is None and self._is_open and not is_own:
            journal = self._add_journal(request.table, "", BoxState.OPEN)
        if journal is None or journal.state is BoxState.PENDING or is_own:
            raise build_unknown_error(request.table)
        if not request.is_signed and not (journal.state is BoxState.OPEN and self._is_open):
            raise build_unsigned_error()
        return journal

    def _add_journal(self, key: str, name: str, state: BoxState) -> _Journal:
        """Add a journal, unless another server has just added it; return it."""
        row = {"key": key, "name": name, "state": state.value, **asdict(JournalHead())}
        self.connection.execute(_ADD_JOURNAL, row)
        self._lock([key])
        return self._journals[key]

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
        if len(lines) <= LIVE_LINES:
            rolls = (entry for entry in checked.entries if entry.kind in ROLLS)
            digests = [str(entry.body.get("picture", "")) for entry in rolls]
            if wanted := list(filter(is_digest, digests)):
                want_pictures(self.connection, journal.key, wanted)
                self._wanted = None
        self._add_rows(journal, checked, lines)

    def _add_rows(self, journal: _Journal, checked: CheckedBatch, lines: Sequence[bytes]) -> None:
        for entry, line in zip(checked.entries, lines, strict=True):
            self._rows.append({"box": journal.id, "seq": entry.seq, "line": line})
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


def _draft(entry: EventEntry) -> Draft:
    return Draft(entry.kind, encode_body(entry))


def _read_time(line: bytes) -> int:
    """Return the time in a line that may hold anything; 0 if it has none."""
    try:
        found = json.loads(line)["at_ms"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0
    return found if type(found) is int and 0 <= found < 1 << 62 else 0
