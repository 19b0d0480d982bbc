# SPDX-License-Identifier: MIT
"""An event that runs in a real store with one table, and a server for its pages."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.journal.hashchain import Entry, encode_entry
from controller.journal.journal import wall_clock_ms
from controller.journal.signing_key import TableKey
from controller.runtime.access.store import renew_pin
from controller.runtime.access.tickets import AccessControl
from controller.tournament.entries.codec import EventEntry
from controller.tournament.entries.game_entries import ChoiceMade, GameClosed, GameOpened
from controller.tournament.entries.player_entries import PlayerJoined
from controller.tournament.server.event_runner import EventRunner, SteadyClock
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.store import JournalStore
from controller.tournament.state.state import EventState
from hardware.clock import MonotonicClock
from tests.controller.tournament.event_tables import BOX, ChainedTable, duplicate_event
from tests.support.tournament_store import send, wait_until_open
from webui.tournament.app import create_tournament_app
from webui.tournament.server import TournamentServer

WAIT_S = 30.0


@dataclass
class EventClock:
    """
    The clocks of a machine.

    Attributes:
        shift_ms: Time that a test lets pass.
        jump_ms: By how much the wall clock alone was set.
    """

    shift_ms: int = 0
    jump_ms: int = 0
    _monotonic: MonotonicClock = field(default_factory=MonotonicClock)

    def now_ms(self) -> int:
        return wall_clock_ms() + self.shift_ms + self.jump_ms

    def now_s(self) -> float:
        return self._monotonic.now_s() + self.shift_ms / 1000

    def wait_s(self, seconds: float) -> None:
        self._monotonic.wait_s(seconds)

    def steady(self) -> SteadyClock:
        return SteadyClock(self.now_ms, self)


@dataclass
class RunningEvent:
    """An event with one table, whose clock the test moves."""

    store: JournalStore
    runner: EventRunner
    clock: EventClock
    table: ChainedTable = field(default_factory=ChainedTable)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def write(self, entry: EventEntry, seat: int | None = None) -> Entry:
        return self.runner.propose(lambda state: entry, seat).result()

    def begin(self, **changes: object) -> None:
        self.write(duplicate_event(**changes))
        self.store.enrol(BOX, "Table 1").result()

    def open_game(self, number: int = 1) -> None:
        self.send(self.table.begin())
        self.write(GameOpened(number, BOX, len(self.table.entries), by="Olga"))
        self.wait_until(lambda state: len(state.data.games) == number)

    def play_roll(self, ada: str, ben: str, **begun: object) -> None:
        """Begin an event without jokers, and let Ada and Ben choose from its first roll."""
        self.begin(options={"jokers": False}, **begun)
        for number, name in ((1, "Ada"), (2, "Ben")):
            self.write(PlayerJoined(number, name, by="Olga"))
        self.open_game()
        self.throw("13446")
        self.wait_until(lambda state: state.data.games[0].rolls)
        for number, do in ((1, ada), (2, ben)):
            self.write(ChoiceMade(1, 1, number, (do,)))
        self.wait_until(lambda state: not state.data.games[0].rolls[0].is_open)

    def close_game(self) -> None:
        self.write(GameClosed(1, by="Olga", reason="it is late"))
        self.wait_until(lambda state: not state.data.games[0].is_open)

    def throw(self, faces: str) -> None:
        self.send(self.table.throw(faces))

    def send(self, entry: Entry) -> None:
        send(self.store, BOX, entry.seq, (encode_entry(entry),))

    def wait_until(self, is_so: Callable[[EventState], Any]) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self.runner.read(is_so), WAIT_S)

    def notify(self) -> None:
        with self.changed:
            self.changed.notify_all()


@contextmanager
def run_event(folder: Path) -> Iterator[RunningEvent]:
    """Give an event that runs; it has not begun."""
    clock = EventClock()
    key = TableKey.load_or_create(folder)
    store = JournalStore(Database(folder), key, now_ms=clock.now_ms)
    runner = EventRunner(store, clock.steady())
    event = RunningEvent(store, runner, clock)
    runner.listen(event.notify)
    store.start()
    try:
        wait_until_open(store)
        runner.start()
        yield event
    finally:
        store.close()
        runner.close()


@dataclass
class ServedPages:
    url: str
    pin: str
    server: TournamentServer


@contextmanager
def serve_pages(event: RunningEvent, folder: Path, **parts: Any) -> Iterator[ServedPages]:
    """Serve the pages of an event in the process of the test; `parts` are of the application."""
    pin = renew_pin(folder)
    access = AccessControl(folder, MonotonicClock())
    access.begin()
    server = TournamentServer("127.0.0.1", 0)
    server.bind()
    app = create_tournament_app(event.store, access, event.runner, **parts)
    thread = threading.Thread(target=server.run, args=[app, app.end_streams])
    thread.start()
    try:
        yield ServedPages(server.url, pin, server)
    finally:
        server.stop()
        thread.join()
