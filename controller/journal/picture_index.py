# SPDX-License-Identifier: MIT
"""
What the journal says of the pictures: which are named, since when, and by which game.

Order and age come from the entries alone, not from the files, which a backup or a copy
may have dated anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from controller.journal.hashchain import Entry
from controller.journal.picture_refs import list_deleted, list_references


@dataclass(frozen=True, slots=True)
class PictureRef:
    """
    A picture or clip that an entry names.

    Attributes:
        digest: Its name.
        at_ms: When the newest entry was written that names it, milliseconds since 1970 in UTC.
        game: The number of that entry's game, counted from 1; 0 before the first.
    """

    digest: str
    at_ms: int
    game: int


class PictureIndex:
    """
    The pictures and clips that a journal names and does not call deleted.

    Args:
        entries: What stands in the journal already.
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
        """Whether an entry names this one, and none since calls it deleted."""
        return digest in self._named

    def add_entry(self, entry: Entry) -> tuple[str, ...]:
        """Take note of the journal's next entry; return what it names."""
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
            # Named again it is as young as its newest entry, and so comes last.
            self._named.pop(digest, None)
            self._named[digest] = PictureRef(digest, self._latest_ms, self._game)
        return named

    def is_marked_deleted(self, digest: str) -> bool:
        """Tell whether an entry calls this one deleted, and none since names it again."""
        return digest in self._deleted and digest not in self._named

    def newest_ms(self) -> int | None:
        """When the newest of what is named was named last; none where nothing is."""
        return next((named.at_ms for named in reversed(self._named.values())), None)

    def deletable(self) -> Iterator[PictureRef]:
        """Yield those of games that were left, the oldest first."""
        for named in self._named.values():
            if not self._is_on_table or named.game != self._game:
                yield named
