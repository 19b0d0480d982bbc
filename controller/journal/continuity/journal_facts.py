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
    """
    Facts that are collected while the entries pass.

    Attributes:
        is_empty: Whether there was no entry.
        key: The public key in hexadecimal that was written last; None before the first.
        table_model: What the table had learnt when that was written last; None without any.
        background: The picture of the ground that was written last; None without any.
        expects_memory: Whether the table remembers a signature, as far as its journal says.
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.is_empty = True
        self.key: Value = None
        self.background: Value = None
        self.table_model: Value = None
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
        """
        Return the newest checkpoint of the journal; None before the first.

        Raises:
            InputError: Its entry is malformed.
        """
        if (entry := self._checkpoint) is None:
            return None
        try:
            return decode_checkpoint(entry.body, at_ms=entry.at_ms)[0]
        except InputError as error:
            raise error.at(f"entry {entry.seq}, {error.where}") from error
