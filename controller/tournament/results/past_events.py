# SPDX-License-Identifier: MIT
"""
The events of a desk before the open one: their names, and what their pages ask for.

An event is read whole when somebody opens a page of it. Nothing of it is written.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from controller.base.errors import InputError
from controller.base.logs import Log
from controller.journal.signing_key import TableKey
from controller.tournament.archive.event_source import open_event_source
from controller.tournament.entries.event_entries import EventBegun
from controller.tournament.server.event_folders import name_event_folder
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.store import JournalStore

_LOG = Log("tournament")


@dataclass(frozen=True, slots=True)
class PastEvent:
    number: int
    name: str


class PastEvents:
    """
    The events of a data folder before one of them; any thread may ask.

    Args:
        data: The data folder of the desk.
        end: The number of the open event.
    """

    def __init__(self, data: Path, end: int) -> None:
        self._data = data
        self._end = end
        self._lock = threading.Lock()
        self._listed: tuple[PastEvent, ...] | None = None

    def list_events(self) -> tuple[PastEvent, ...]:
        """Return the events that began, the newest first."""
        with self._lock:
            if self._listed is None:
                named = ((number, self._read_name(number)) for number in range(1, self._end))
                self._listed = tuple(PastEvent(*each) for each in named if each[1])[::-1]
            return self._listed

    def load(self, number: int) -> JournalStore:
        """Return the journals of one of the events, to be read; or RefusedError."""
        folder = name_event_folder(self._data, number)
        store = JournalStore(Database(folder), TableKey.load_or_generate(folder))
        store.load()
        return store

    def _read_name(self, number: int) -> str:
        """Return the name of an event; empty if it never began, or cannot be read."""
        try:
            with open_event_source(name_event_folder(self._data, number)) as source:
                for entry in source.iter_own_entries():
                    if entry.kind == EventBegun.kind:
                        return str(entry.body["name"])
        except InputError as error:
            _LOG.error("a past event cannot be read", number=number, error=str(error))
        return ""
