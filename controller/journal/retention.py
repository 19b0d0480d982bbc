# SPDX-License-Identifier: MIT
"""
Delete pictures that are too old or too many. Their digests stay in the journal for ever.

The deletion is journalled first. A power cut in between leaves files marked as deleted, and
the next start removes them, along with half-written files. A whole picture without an entry
stays: a cut leaves one, but so does restoring an older journal, and then the picture is right.
The game on the table keeps its pictures until the players leave it. A clock that is set makes
none of them older: their age is what `JournalAge` and a monotonic clock count. All of this runs
in the table's thread, the only one that writes the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from itertools import islice, takewhile

from controller.base.logs import Log
from controller.base.settings import EvidenceSettings
from controller.journal.continuity.journal_age import uptime_s
from controller.journal.hashchain import Entry
from controller.journal.journal import wall_clock_ms
from controller.journal.picture_index import PictureIndex
from controller.journal.picture_refs import DELETED
from controller.journal.picture_store import PictureStore
from controller.journal.writer import JournalWriter

AGE, SIZE = "age", "size"
PASS_EVERY_S = 3600.0
MAX_AT_ONCE = 200  # Most deletions in one entry, so that a year of pictures does not stop play.
_DAY_MS = 86_400_000
_MB = 1_000_000

_LOG = Log("evidence")


class PictureRetention:
    """
    Deletes pictures by the settings. It observes the writer to know which pictures entries name.

    Args:
        limits: For how long pictures and clips are kept.
        index: The pictures that the journal refers to already.
        now_ms: Wall clock, milliseconds since 1970 in UTC, for the day of a deletion.
        now_s: A clock in seconds that cannot be set.
    """

    def __init__(
        self,
        writer: JournalWriter,
        pictures: PictureStore,
        limits: EvidenceSettings,
        index: PictureIndex,
        *,
        now_ms: Callable[[], int] = wall_clock_ms,
        now_s: Callable[[], float] = uptime_s,
    ) -> None:
        self._writer = writer
        self._pictures = pictures
        self._limits = limits
        self._index = index
        self._sizes: dict[str, int] = {}
        self._bytes = 0
        self._refused: set[str] = set()
        self._now_ms = now_ms
        self._now_s = now_s
        self._due_s = 0.0
        self._entry_s = now_s()
        writer.add_observer(self._add_entry)

    def begin(self) -> None:
        """Remove leftovers of a power cut, then delete what is due."""
        try:
            self._scan_folder()
        except OSError as error:
            _log_refusal(error)
        self.make_room()

    def make_room(self) -> bool:
        """Delete all that the settings allow; return whether anything was deleted."""
        self._remove(tuple(self._refused))
        is_any = False
        while self._delete_some():
            is_any = True
        self._due_s = self._now_s() + PASS_EVERY_S
        return is_any

    def delete_if_due(self) -> None:
        """Once an hour, delete what is due, a little at a time so that play continues."""
        if self._now_s() < self._due_s or self._delete_some():
            return
        self._remove(tuple(self._refused))
        self._due_s = self._now_s() + PASS_EVERY_S

    def _add_entry(self, entry: Entry) -> None:
        for digest in self._index.add_entry(entry):
            self._set_size(digest, self._pictures.stored_size(digest))
        self._entry_s = self._now_s()

    def _scan_folder(self) -> None:
        unnamed = 0
        for file in self._pictures.files():
            if not file.is_whole or self._index.is_marked_deleted(file.digest):
                file.path.unlink(missing_ok=True)
                _LOG.info("leftover removed", file=file.path.name)
            elif file.digest in self._index:
                self._set_size(file.digest, file.size_bytes)
            else:
                unnamed += 1
        if unnamed:
            _LOG.warning("pictures that no entry names", count=unnamed)

    def _delete_some(self) -> bool:
        """Journal and delete one batch; return whether there was one."""
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
                # An entry with one digest is short, and its deletion makes room for the next.
                return self._delete(why, digests[:1])
            _log_refusal(error)
            return False
        freed = sum(self._sizes.pop(digest, 0) for digest in digests)
        self._bytes -= freed
        self._remove(digests)
        _LOG.info("pictures deleted", count=len(digests), why=why, bytes=freed)
        return True

    def _remove(self, digests: Iterable[str]) -> None:
        """Remove files that the journal marks as deleted; retry failed ones later."""
        for digest in digests:
            if digest in self._index:
                # A newer entry refers to it again, so it stays.
                self._refused.discard(digest)
                continue
            try:
                self._pictures.delete(digest)
                self._refused.discard(digest)
            except OSError as error:
                self._refused.add(digest)
                _log_refusal(error)

    def _find_expired(self) -> list[str]:
        if not self._limits.keep_days:
            return []
        passed_ms = self._index.passed_ms + round((self._now_s() - self._entry_s) * 1000)
        end_ms = passed_ms - self._limits.keep_days * _DAY_MS
        # References are sorted by age, so the first young one ends the search.
        old = takewhile(lambda named: named.passed_ms < end_ms, self._index.deletable())
        there = (named.digest for named in old if self._sizes.get(named.digest))
        return list(islice(there, MAX_AT_ONCE))

    def _find_excess(self) -> list[str]:
        if not self._limits.keep_mb:
            return []
        over = self._bytes - self._limits.keep_mb * _MB
        due: list[str] = []
        for named in self._index.deletable():
            if over <= 0 or len(due) == MAX_AT_ONCE:
                break
            # A missing file was not deleted here and must not be marked so.
            if size := self._sizes.get(named.digest, 0):
                due.append(named.digest)
                over -= size
        return due

    def _set_size(self, digest: str, size: int) -> None:
        self._bytes += size - self._sizes.get(digest, 0)
        self._sizes[digest] = size


def _log_refusal(error: OSError) -> None:
    _LOG.warning("pictures not deleted", error=error.strerror or str(error))
