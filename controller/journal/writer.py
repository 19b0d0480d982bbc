# SPDX-License-Identifier: MIT
"""
Write the entries of a running table, and before them whatever is needed to check them.

An entry alone says only what was read. To read its picture again you need the map, what the table
learnt and the signing key. So each of them is written as soon as it changes, before the entry.
All entries pass through here: observers learn of each, and a hook gets its duration. What a
start has to say is written first, however long the disk refuses it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from controller.base.version import program_version
from controller.journal.checkpoint import Checkpoint
from controller.journal.continuity.journal_age import CLOCK, ClockWatch, uptime_s
from controller.journal.continuity.journal_facts import BACKGROUND, TABLE_MODEL, JournalFacts
from controller.journal.continuity.restore_marker import RESTORED, load_marker, remove_marker
from controller.journal.continuity.signing_memory import MEMORY_LOST, ROLLBACK
from controller.journal.hashchain import Body, Entry
from controller.journal.journal import FORMATS, GENESIS, Journal
from controller.journal.picture_store import PictureStore
from controller.journal.signing_key import TableKey

if TYPE_CHECKING:
    from vision.table_model.model_text import StoredModel

EntryObserver = Callable[[Entry], None]
"""Called with each entry once it is on the disk, in the writer's thread; must not raise."""

TimingHook = Callable[[Entry, float], None]
"""Called with each entry and the milliseconds it took to write; must not raise."""


class UnwrittenEntry(NamedTuple):
    """An entry that a start has still to write."""

    kind: str
    body: Body


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What a table runs with, as far as its journal records it."""

    settings: str = ""  # Their whole text; empty if there are none, as in the demo.
    camera: str = ""  # Its name for people.
    # Returns the map that pictures are read with, as `TrayMap.to_json` writes it; `None` before the
    # first calibration.
    calibration: Callable[[], str | None] = lambda: None
    # Returns what the table learnt from confirmed throws; `None` if nothing yet.
    table_model: Callable[[], StoredModel | None] = lambda: None


class JournalWriter:
    """
    The only writer of a table's entries. Other parts observe it.

    Args:
        key: Signs the checkpoints.
        now_s: A clock in seconds that cannot be set.
    """

    def __init__(
        self,
        journal: Journal,
        key: TableKey,
        info: TableInfo,
        facts: JournalFacts,
        *,
        on_timing: TimingHook = lambda entry, took_ms: None,
        now_s: Callable[[], float] = uptime_s,
    ) -> None:
        self._journal = journal
        self._key = key
        self._info = info
        self._on_timing = on_timing
        self._now_s = now_s
        self._observers: list[EntryObserver] = []
        self._clock = ClockWatch(journal.now_ms, now_s)
        self._pending: list[UnwrittenEntry] = []
        self._has_begun = False
        self._is_new = facts.is_empty
        self._has_key = facts.key == key.public_hex
        # What became of the journal before this start: restored, or not what the table signed.
        self.disclosures = tuple(self._list_disclosures(facts))
        self._calibration = info.calibration()
        self._pictures = PictureStore(journal.folder)
        self._table_model, self._background = facts.table_model, facts.background

    def add_observer(self, observer: EntryObserver) -> None:
        """Call an observer with every entry from now on, checkpoints included."""
        self._observers.append(observer)

    def begin(self, torn: str) -> None:
        """Write the start, a torn line and disclosures; after an OSError the rest comes later."""
        if not self._has_begun:
            self._pending = self._build_start(torn)
            self._has_begun = True
        self._append_pending()
        self._append_changes()

    def _build_start(self, torn: str) -> list[UnwrittenEntry]:
        self._calibration = self._info.calibration()
        settings = self._info.settings
        body: Body = {
            "software": program_version(),
            "settings": hashlib.sha256(settings.encode()).hexdigest() if settings else "",
            "camera": self._info.camera,
            "calibration": self._calibration,
            "torn": torn,
        }
        start = [UnwrittenEntry("restart", body)]
        if self._is_new:
            start = [UnwrittenEntry(GENESIS, {"format": FORMATS[-1], **body})]
        if not self._has_key:
            start.append(UnwrittenEntry("key", {"key": self._key.public_hex}))
        return [*start, *self.disclosures]

    def append(self, kind: str, body: Body) -> Entry:
        """Write an entry, and before it what has changed since; OSError if it is not written."""
        self._append_pending()
        self._append_changes()
        return self._append(kind, body)

    def checkpoint(self) -> Checkpoint:
        """Sign everything so far; return the checkpoint once it is on the disk, or OSError."""
        self._append_pending()
        began_s = self._now_s()
        checkpoint = self._journal.checkpoint(self._key)
        assert self._journal.last_entry is not None, "the checkpoint's own entry was just written"
        self._report(self._journal.last_entry, began_s)
        return checkpoint

    def _append(self, kind: str, body: Body) -> Entry:
        began_s = self._now_s()
        entry = self._journal.append(kind, body)
        self._report(entry, began_s)
        return entry

    def _report(self, entry: Entry, began_s: float) -> None:
        self._on_timing(entry, (self._now_s() - began_s) * 1000)
        for observer in self._observers:
            observer(entry)

    def _append_pending(self) -> None:
        """Write what is left of the start, and the key before the entry that names it."""
        if self._pending:
            self._journal.create_files()
            self._key.save(self._journal.folder)
        while self._pending:
            entry = self._append(*self._pending[0])
            del self._pending[0]
            if entry.kind == RESTORED:
                remove_marker(self._journal.folder)

    def _append_changes(self) -> None:
        calibration = self._info.calibration()
        if calibration != self._calibration:
            self._append("calibration", {"calibration": calibration})
            self._calibration = calibration
        if jump_ms := self._clock.measure_jump():
            self._append(CLOCK, {"jump_ms": jump_ms})
        self._clock.reset()
        self._append_learnt()

    def _list_disclosures(self, facts: JournalFacts) -> Iterator[UnwrittenEntry]:
        restored, rollback = load_marker(self._journal.folder), self._journal.rollback
        if restored is not None:
            yield UnwrittenEntry(RESTORED, restored)
        if rollback is not None:
            yield UnwrittenEntry(ROLLBACK, rollback)
        elif self._has_key and not self._journal.is_remembered and facts.expects_memory:
            yield UnwrittenEntry(MEMORY_LOST, {})

    def _append_learnt(self) -> None:
        """Write what the table learnt, if that changed; only then, because it is large."""
        learnt = self._info.table_model()
        text = learnt.text if learnt else None
        if text == self._table_model:
            return
        if learnt and learnt.background not in ("", self._background):
            self._pictures.store(learnt.picture)
            self._append(BACKGROUND, {"picture": learnt.background})
            self._background = learnt.background
        self._append(TABLE_MODEL, {"table_model": text})
        self._table_model = text
