# SPDX-License-Identifier: MIT
"""
Pictures go when they are too old or too many; that they were there stays for ever.

What is deleted is told in the journal first and deleted then. A cut of power in between
leaves files that the journal calls deleted; the next start removes them, and what was only
half written. A whole picture that no entry names is left alone: a cut before its entry leaves
one, but so does an older journal that somebody put back, and then it is the picture that is
right. The game on the table keeps its pictures until it is left, and the entries keep all
digests, so the chain holds.

There is one writer of the journal, the table's thread; all of this happens there.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from itertools import islice, takewhile
from typing import Protocol

from controller.journal.hashchain import Entry
from controller.journal.journal import wall_clock_ms
from controller.journal.picture_index import PictureIndex
from controller.journal.picture_refs import DELETED
from controller.journal.picture_store import PictureStore
from controller.journal.writer import JournalWriter
from controller.logs import log_event, logger

AGE, SIZE = "age", "size"
PASS_EVERY_S = 3600.0
MAX_AT_ONCE = 200
"""So many are deleted with one entry, so that nobody waits for a year of pictures."""
_DAY_MS = 86_400_000
_MB = 1_000_000
MOST_OFF_MS = 30 * _DAY_MS
"""A table that was not used for longer, or a clock that is wrong: nobody can tell which."""

_LOG = logger("evidence")


class RetentionLimits(Protocol):
    """How much is kept; 0 is without a limit."""

    @property
    def keep_days(self) -> int:
        """For how many days."""
        ...

    @property
    def keep_mb(self) -> int:
        """How many megabytes."""
        ...


class PictureRetention:
    """
    Deletes pictures by the settings. It observes the writer to know which pictures entries name.

    Args:
        writer: Where deletions are journalled.
        pictures: The pictures and clips.
        limits: For how long they are kept.
        entries: The entries that the journal holds already.
        now_ms: Wall clock, milliseconds since 1970 in UTC.
        now_s: A monotonic clock in seconds.
    """

    def __init__(
        self,
        writer: JournalWriter,
        pictures: PictureStore,
        limits: RetentionLimits,
        entries: Sequence[Entry] = (),
        *,
        now_ms: Callable[[], int] = wall_clock_ms,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._writer = writer
        self._pictures = pictures
        self._limits = limits
        self._index = PictureIndex(entries)
        self._sizes: dict[str, int] = {}
        self._bytes = 0
        self._refused: set[str] = set()
        self._is_used = False
        self._now_ms = now_ms
        self._now_s = now_s
        self._due_s = 0.0
        writer.add_observer(self._add_entry)

    def begin(self) -> None:
        """Remove what a cut left of files that were to go or to come; delete whatever is due."""
        try:
            self._scan_folder()
        except OSError as error:
            _log_refusal(error)
        self.make_room()

    def make_room(self) -> bool:
        """Delete all that the settings allow now; tell whether that was anything."""
        self._remove(tuple(self._refused))
        is_any = False
        while self._delete_some():
            is_any = True
        self._due_s = self._now_s() + PASS_EVERY_S
        return is_any

    def delete_if_due(self) -> None:
        """Once an hour, delete whatever is due: a little at a time, so that play goes on."""
        if self._now_s() < self._due_s or self._delete_some():
            return
        self._remove(tuple(self._refused))
        self._due_s = self._now_s() + PASS_EVERY_S

    def _add_entry(self, entry: Entry) -> None:
        for digest in self._index.add_entry(entry):
            self._set_size(digest, self._pictures.stored_size(digest))
            self._is_used = True

    def _scan_folder(self) -> None:
        """Know how large everything is that is named, and remove what is left over."""
        unnamed = 0
        for file in self._pictures.files():
            if not file.is_whole or self._index.is_marked_deleted(file.digest):
                file.path.unlink(missing_ok=True)
                log_event(_LOG, logging.INFO, "leftover removed", file=file.path.name)
            elif file.digest in self._index:
                self._set_size(file.digest, file.size_bytes)
            else:
                unnamed += 1
        if unnamed:
            log_event(_LOG, logging.WARNING, "pictures that no entry names", count=unnamed)

    def _delete_some(self) -> bool:
        """Tell in the journal what is due, and delete it; tell whether that was anything."""
        for why, due in ((AGE, self._find_expired()), (SIZE, self._find_excess())):
            if due:
                return self._delete(why, due)
        return False

    def _delete(self, why: str, digests: Sequence[str]) -> bool:
        on = datetime.fromtimestamp(self._now_ms() / 1000, UTC).date().isoformat()
        try:
            self._writer.append(DELETED, {"pictures": list(digests), "why": why, "on": on})
        except OSError as error:
            if len(digests) > 1:
                # One name takes little room, and what goes with it makes room for the others.
                return self._delete(why, digests[:1])
            _log_refusal(error)
            return False
        freed = sum(self._sizes.pop(digest, 0) for digest in digests)
        self._bytes -= freed
        self._remove(digests)
        log_event(_LOG, logging.INFO, "pictures deleted", count=len(digests), why=why, bytes=freed)
        return True

    def _remove(self, digests: Iterable[str]) -> None:
        """Remove files that the journal calls deleted; those that refuse are tried again."""
        for digest in digests:
            if digest in self._index:
                # It was seen again meanwhile, and is no more to go.
                self._refused.discard(digest)
                continue
            try:
                self._pictures.delete(digest)
                self._refused.discard(digest)
            except OSError as error:
                self._refused.add(digest)
                _log_refusal(error)

    def _find_expired(self) -> list[str]:
        if not self._limits.keep_days or self._is_clock_suspect():
            return []
        end_ms = self._now_ms() - self._limits.keep_days * _DAY_MS
        # Entries never grow younger in their order, so the first that may stay ends it.
        old = takewhile(lambda named: named.at_ms < end_ms, self._index.deletable())
        there = (named.digest for named in old if self._sizes.get(named.digest))
        return list(islice(there, MAX_AT_ONCE))

    def _is_clock_suspect(self) -> bool:
        """Tell whether a clock set years ahead would look just like this, right after a start."""
        newest_ms = self._index.newest_ms()
        is_long_ago = newest_ms is not None and self._now_ms() - newest_ms > MOST_OFF_MS
        return is_long_ago and not self._is_used

    def _find_excess(self) -> list[str]:
        if not self._limits.keep_mb:
            return []
        over = self._bytes - self._limits.keep_mb * _MB
        due: list[str] = []
        for named in self._index.deletable():
            if over <= 0 or len(due) == MAX_AT_ONCE:
                break
            # One that is missing was not deleted by us, and must not be called so.
            if size := self._sizes.get(named.digest, 0):
                due.append(named.digest)
                over -= size
        return due

    def _set_size(self, digest: str, size: int) -> None:
        self._bytes += size - self._sizes.get(digest, 0)
        self._sizes[digest] = size


def _log_refusal(error: OSError) -> None:
    log_event(_LOG, logging.WARNING, "pictures not deleted", error=error.strerror or str(error))
