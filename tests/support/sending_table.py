# SPDX-License-Identifier: MIT
"""A table without dice: it writes a journal and sends it to the server of a tournament."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from controller.journal.continuity.journal_facts import JournalFacts
from controller.journal.entry_reader import EntryReader
from controller.journal.hashchain import Body
from controller.journal.journal import JOURNAL_FILE, Journal
from controller.journal.picture_store import PictureStore
from controller.journal.signing_key import TableKey
from controller.journal.writer import JournalWriter, TableInfo
from controller.runtime.storage import LaterEntries
from controller.table.events import DealingChanged, PartChanged, PlayersSeated, TournamentNews
from controller.tournament.sending.uplink import TournamentUplink

WAIT_S = 60.0


def wait_for(is_so: Callable[[], object]) -> None:
    end_s = time.monotonic() + WAIT_S
    while not is_so() and time.monotonic() < end_s:
        time.sleep(0.01)
    assert is_so()


class SendingTable:
    """The journal and the uplink of a table, without the rest of it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self._journal, _ = Journal.open(folder)
        self.key = TableKey.load_or_create(folder)
        self.pictures = PictureStore(folder)
        self._writer = JournalWriter(self._journal, self.key, TableInfo(), JournalFacts())
        self._writer.begin("")
        self._later = LaterEntries(self._writer.append)
        self._stop = threading.Event()
        path = folder / JOURNAL_FILE
        self.entries = EntryReader(path, lambda: self._journal.size_bytes)
        self.seated: list[PlayersSeated | DealingChanged] = []
        self.parts: list[PartChanged] = []
        self.uplink = TournamentUplink(
            folder, self.entries, self._stop.wait, self._later.add, send_event=self._take
        )
        self._thread = threading.Thread(target=self.uplink.run)
        self._thread.start()

    def _take(self, event: TournamentNews) -> None:
        if isinstance(event, PartChanged):
            self.parts.append(event)
        else:
            self.seated.append(event)

    @property
    def lines(self) -> tuple[bytes, ...]:
        return tuple((self.folder / JOURNAL_FILE).read_bytes().splitlines())

    @property
    def kinds(self) -> list[str]:
        return [entry.kind for entry in self.entries.read_from(0)]

    def write(self, kind: str, body: Body) -> None:
        self._later.write()
        self._writer.append(kind, body)

    def write_later_entries(self) -> None:
        """Write what other threads want in the journal."""
        self._later.write()

    def sign(self) -> None:
        self._writer.checkpoint()

    def close(self) -> None:
        if self._stop.is_set():
            return
        self._stop.set()
        self._thread.join()
        self._journal.close()
