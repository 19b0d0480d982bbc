# SPDX-License-Identifier: MIT
"""
The event's own journal as a log that its tables witness.

A table that cosigns a checkpoint has seen that it continues the one before. So the past cannot be
changed later, or shown differently to different tables, without a table that notices.
"""

from __future__ import annotations

import base64
import threading
from dataclasses import dataclass
from functools import partial

from controller.base.errors import InputError
from controller.base.strict_json import parse_json
from controller.journal.merkle import hash_leaf
from controller.journal.tlog.checkpoint_note import (
    TreeHead,
    decode_hash,
    encode_tree_head,
    parse_tree_head,
)
from controller.journal.tlog.cosignature import verify_cosignature
from controller.journal.tlog.merkle_proofs import LeafTree
from controller.journal.tlog.signed_note import parse_note
from controller.tournament.server.store.box_queries import (
    StoredCosignature,
    find_box,
    read_journal_lines,
    store_cosignature,
)
from controller.tournament.server.store.store import JournalStore
from hardware.clock import Clock, MonotonicClock

_MOST_READ = 5000
_FRESH_S = 1.0  # Every table asks for the newest checkpoint, and it changes once a second at most.


@dataclass(frozen=True, slots=True)
class OwnCheckpoint:
    """The newest checkpoint of the event's own journal, as a signed note."""

    note: str
    head: TreeHead


class EventLog:
    """The event's own journal for its tables; any thread may use it."""

    def __init__(self, store: JournalStore, clock: Clock | None = None) -> None:
        self._store = store
        self._clock = clock or MonotonicClock()
        self._lock = threading.Lock()
        self._tree = LeafTree()
        self._newest: OwnCheckpoint | None = None
        self._read_s = -_FRESH_S

    def find_newest(self, fresh_s: float = _FRESH_S) -> OwnCheckpoint | None:
        """Return the newest checkpoint, seconds old at most, if any; or StoreUnavailableError."""
        with self._lock:
            now_s = self._clock.now_s()
            if now_s - self._read_s >= fresh_s:
                self._newest, self._read_s = self._read_newest(), now_s
            return self._newest

    def _find_from(self, size: int) -> OwnCheckpoint | None:
        """Return the newest checkpoint; another server may have signed one of this size since."""
        newest = self.find_newest()
        return newest if newest and newest.head.size >= size else self.find_newest(fresh_s=0.0)

    def describe(self) -> dict[str, object] | None:
        """Return size and root of the newest checkpoint for an answer; None before the first."""
        newest = self.find_newest()
        if newest is None:
            return None
        return {"size": newest.head.size, "root": newest.head.root.hex()}

    def prove(self, old_size: int) -> dict[str, object]:
        """
        Return the newest checkpoint, and the proof that it continues one, if that is older.

        StoreUnavailableError without a database.
        """
        newest = self._find_from(old_size)
        if newest is None:
            return {"checkpoint": None, "hashes": []}
        size = newest.head.size
        with self._lock:
            self._grow(newest.head)
            path = self._tree.prove_consistency(old_size, size) if 0 < old_size < size else ()
        hashes = [base64.b64encode(digest).decode("ascii") for digest in path]
        return {"checkpoint": newest.note, "hashes": hashes}

    def receive(self, table: str, content: bytes) -> None:
        """Store a cosignature; InputError if it is not of this event, or StoreUnavailableError."""
        made = _read_cosignature(table, content)
        newest = self._find_from(made.size)
        with self._lock:
            if newest is not None and newest.head.size >= made.size:
                self._grow(newest.head)
            is_own = 0 < made.size <= self._tree.size and self._tree.root(made.size) == made.root
        if not is_own:
            expected = "a checkpoint of this event"
            raise InputError(expected=expected, found=f"one of {made.size} entries")
        text = encode_tree_head(self._store.key.public, made.size, made.root)
        if verify_cosignature(text, made.cosignature, bytes.fromhex(table)) is None:
            raise InputError(expected=f"a cosignature by {table}", found="another one")
        self._store.write(lambda work: store_cosignature(work.connection, made)).result()

    def _read_newest(self) -> OwnCheckpoint | None:
        found = self._store.read(partial(find_box, key=self._store.own_key))
        if found is None or not found.note:
            return None
        return OwnCheckpoint(found.note, parse_tree_head(parse_note(found.note.encode())))

    def _grow(self, head: TreeHead) -> None:
        """Read what the tree lacks; a database that lost its newest lines gives another tree."""
        if self._tree.size > head.size and self._tree.root(head.size) != head.root:
            self._tree = LeafTree()
        self._read_lines(head.size)
        if self._tree.root(head.size) != head.root:
            self._tree = LeafTree()
            self._read_lines(head.size)

    def _read_lines(self, size: int) -> None:
        while self._tree.size < size:
            most = min(_MOST_READ, size - self._tree.size)
            ask = partial(
                read_journal_lines, key=self._store.own_key, first=self._tree.size, most=most
            )
            lines = self._store.read(ask)
            if not lines:
                raise InputError(expected=f"{size} entries of the event", found="fewer")
            for line in lines:
                self._tree.append(hash_leaf(line))


def _read_cosignature(table: str, content: bytes) -> StoredCosignature:
    try:
        told = parse_json(content)
        size, cosignature = told["size"], base64.b64decode(told["cosignature"], validate=True)
        root = decode_hash(told["root"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        expected = "size, root and cosignature"
        raise InputError(expected=expected, found="something else") from error
    if type(size) is not int or not 0 < size < 1 << 53:
        raise InputError(expected="the size of a checkpoint", found=str(size)[:40])
    return StoredCosignature(table, size, root, cosignature)
