# SPDX-License-Identifier: MIT
"""
Which pictures the journal refers to, since when, and from which game.

Order and age come from the entries alone. Files may have new dates after a backup or a copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from controller.journal.hashchain import Entry
from controller.journal.picture_refs import list_deleted, list_references


@dataclass(frozen=True, slots=True)
class PictureRef:
    """
    A picture or clip that an entry refers to.

    Attributes:
        digest: Its name.
        at_ms: Time of the newest entry that refers to it, milliseconds since 1970 in UTC.
        game: The number of that entry's game, counted from 1; 0 before the first.
    """

    digest: str
    at_ms: int
    game: int


class PictureIndex:
    """
    The pictures and clips that a journal refers to and has not marked as deleted.

    Args:
        entries: The entries that the journal holds already.
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._named: dict[str, PictureRef] = {}
        self._game = 0
        self._is_on_table = False
        self._latest_ms = 0
        self._deleted: set[str] = set()
        for entry in entries:
            self.add_entry(entry)

    def __contains__(self, digest: str) -> bool:
        """Return whether an entry refers to it and no later one marks it as deleted."""
        return digest in self._named

    def add_entry(self, entry: Entry) -> tuple[str, ...]:
        """Add the journal's next entry; return the digests that it refers to."""
        # A clock that was set back makes no picture older than those before it.
        self._latest_ms = max(self._latest_ms, entry.at_ms)
        if entry.kind == "game":
            self._game += 1
            self._is_on_table = True
        elif entry.kind == "closed":
            self._is_on_table = False
        for digest in list_deleted(entry):
            self._named.pop(digest, None)
            self._deleted.add(digest)
        named = list_references(entry.body)
        for digest in named:
            # Its newest entry counts for its age, so it moves to the end.
            self._named.pop(digest, None)
            self._named[digest] = PictureRef(digest, self._latest_ms, self._game)
        return named

    def is_marked_deleted(self, digest: str) -> bool:
        """Return whether an entry marks it as deleted and no later one refers to it."""
        return digest in self._deleted and digest not in self._named

    def newest_ms(self) -> int | None:
        """Return the time of the newest reference; `None` if there is none."""
        return next((named.at_ms for named in reversed(self._named.values())), None)

    def deletable(self) -> Iterator[PictureRef]:
        """Yield the references of games that the players left, oldest first."""
        for named in self._named.values():
            if not self._is_on_table or named.game != self._game:
                yield named
