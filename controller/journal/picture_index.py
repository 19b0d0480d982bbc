# SPDX-License-Identifier: MIT
"""
Which pictures the journal refers to, since when, and from which game.

Order and age come from the entries alone: files may have new dates after a backup or a copy, and
clocks are set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from controller.journal.continuity.journal_age import JournalAge
from controller.journal.continuity.journal_facts import BACKGROUND, TABLE_MODEL
from controller.journal.hashchain import Entry
from controller.journal.picture_refs import list_deleted, list_references, list_taught


@dataclass(frozen=True, slots=True)
class PictureRef:
    """A picture or clip that an entry refers to."""

    digest: str
    passed_ms: int  # `PictureIndex.passed_ms` at the newest entry that refers to it.
    game: int  # The number of that entry's game, counted from 1; 0 before the first.


class PictureIndex:
    """The pictures and clips that a journal refers to and has not marked as deleted."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._named: dict[str, PictureRef] = {}
        self._game = 0
        self._is_on_table = False
        self._age = JournalAge()
        self._deleted: set[str] = set()
        self._background = ""
        self._taught: set[str] = set()
        for entry in entries:
            self.add_entry(entry)

    def __contains__(self, digest: str) -> bool:
        """Return whether an entry refers to it and no later one marks it as deleted."""
        return digest in self._named or digest in self._taught

    @property
    def passed_ms(self) -> int:
        """The time from the journal's first entry to its newest one, as `JournalAge` counts it."""
        return self._age.passed_ms

    def add_entry(self, entry: Entry) -> tuple[str, ...]:
        """Add the journal's next entry; return the digests that it refers to."""
        self._age.add_entry(entry)
        if entry.kind == "game":
            self._game += 1
            self._is_on_table = True
        elif entry.kind == "closed":
            self._is_on_table = False
        elif entry.kind == BACKGROUND:
            self._background = str(entry.body.get("picture"))
        elif entry.kind == TABLE_MODEL:
            self._taught.update(list_taught(entry.body))
            if not entry.body.get(TABLE_MODEL):
                self._background = ""
        for digest in list_deleted(entry):
            self._named.pop(digest, None)
            self._deleted.add(digest)
        named = list_references(entry.body)
        for digest in named:
            # Its newest entry counts for its age, so it moves to the end.
            self._named.pop(digest, None)
            self._named[digest] = PictureRef(digest, self.passed_ms, self._game)
        return named

    def is_marked_deleted(self, digest: str) -> bool:
        """Return whether an entry marks it as deleted and no later one refers to it."""
        return digest in self._deleted and digest not in self._named

    def deletable(self) -> Iterator[PictureRef]:
        """Yield the references of games that the players left, oldest first; none in use."""
        for named in self._named.values():
            if named.digest == self._background:
                continue
            if not self._is_on_table or named.game != self._game:
                yield named
