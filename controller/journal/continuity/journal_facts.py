# SPDX-License-Identifier: MIT
"""What the next start of a table needs to know of its journal."""

from __future__ import annotations

from collections.abc import Iterable

from controller.base.errors import InputError
from controller.journal.checkpoint import CHECKPOINT, Checkpoint, decode_checkpoint
from controller.journal.continuity.signing_memory import MEMORY_LOST
from controller.journal.hashchain import Entry, Value

TABLE_MODEL = "table_model"
"""The kind of the entries with what the table learnt, and the key of their body."""

BACKGROUND = "background"  # The kind of the entries with the picture of the ground that it learnt.


class JournalFacts:
    """Facts that are collected while the entries pass; None for what no entry has."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.is_empty = True
        self.key: Value = None  # The newest public key, in hexadecimal.
        self.background: Value = None  # The newest picture of the ground.
        self.table_model: Value = None  # What the table had learnt.
        # Whether the table remembers a signature, as far as its journal says.
        self.expects_memory = False
        self._checkpoint: Entry | None = None
        for entry in entries:
            self.add_entry(entry)

    def add_entry(self, entry: Entry) -> None:
        self.is_empty = False
        if entry.kind == "key":
            self.key = entry.body.get("key")
        elif entry.kind == BACKGROUND:
            self.background = entry.body.get("picture")
        elif entry.kind == TABLE_MODEL:
            self.table_model = entry.body.get(TABLE_MODEL)
        elif entry.kind == CHECKPOINT:
            self._checkpoint, self.expects_memory = entry, True
        elif entry.kind == MEMORY_LOST:
            self.expects_memory = False

    def last_checkpoint(self) -> Checkpoint | None:
        """Return the newest checkpoint, None before the first; InputError if it is malformed."""
        if (entry := self._checkpoint) is None:
            return None
        try:
            return decode_checkpoint(entry.body, at_ms=entry.at_ms)[0]
        except InputError as error:
            raise error.at(f"entry {entry.seq}, {error.where}") from error
