# SPDX-License-Identifier: MIT
"""
Put the server of a desk together: the journals of its event, the event as it runs, pages, files.

One event is open at a time. The next one takes its place at the same port, with parts of its own.
"""

from __future__ import annotations

import contextlib
import gc
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from controller.base.durable_files import create_data_folder
from controller.base.errors import InputError, refuse_os_errors
from controller.base.languages.message import message
from controller.base.logs import Log
from controller.cli.startup import tighten_secrets
from controller.journal.journal import lock_folder
from controller.journal.signing_key import TableKey
from controller.runtime.access.tickets import AccessControl
from controller.tournament.results.past_events import PastEvents
from controller.tournament.results.publisher import EventPublisher
from controller.tournament.server.event_folders import (
    create_event_folder,
    find_event_folder,
    find_last_event,
    refuse_database,
    require_result,
)
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.values import StoreUnavailableError
from controller.tournament.server.wire.receiver import WireReceiver
from hardware.clock import MonotonicClock
from webui.tournament.app import DeskApp, TournamentApp, create_tournament_app
from webui.tournament.public.snapshot_routes import render_public_pages
from webui.tournament.server import TournamentServer

OPENING_S = 10.0
_LOG = Log("tournament")


@dataclass(frozen=True, slots=True)
class EventOptions:
    data: Path
    database: str = ""  # The address of a database; empty for SQLite in the data folder.
    is_open: bool = False  # Whether unsigned lines of unknown tables are taken.
    public: Path | None = None  # The folder into which the files for spectators are written too.
    delay_s: float = 0.0  # How much later than the hall spectators see the event.
    host_names: str = ""  # Further names by which browsers may call it; commas separate them.
    # Where the files for spectators are published, with a slash at its end; empty for nowhere.
    published: str = ""


@dataclass(frozen=True, slots=True)
class OpenEvent:
    """The parts of the event that is open."""

    number: int
    app: TournamentApp
    store: JournalStore
    receiver: WireReceiver
    runner: EventRunner
    publisher: EventPublisher

    def start(self) -> None:
        self.store.start()
        self.runner.start()
        self.publisher.start()

    def close(self) -> None:
        self.publisher.close()
        self.store.close()
        self.runner.close()


class EventServer:
    """A server whose port is bound; `run` serves until `stop`, one event after the other."""

    def __init__(
        self,
        options: EventOptions,
        server: TournamentServer,
        access: AccessControl,
        on_refused: Callable[[InputError], None],
    ) -> None:
        self.server = server
        self.access = access
        self._options = options
        self._on_refused = on_refused
        self._changing = threading.Lock()
        self.event = self._build(find_last_event(options.data))
        self._app = DeskApp(self.event.app)
        self.event.start()

    def run(self) -> None:
        # A full collection would look through all modules each time, and hold the hall for 0.1 s.
        gc.freeze()
        # Nearly all that requests make is freed without one; at the usual 700 objects collections
        # take a twentieth of the processor time of a roll.
        gc.set_threshold(20_000)
        self.server.run(self._app, self._app.end_streams)

    def close(self) -> None:
        with self._changing:
            self.event.close()

    def start_next_event(self) -> None:
        """Open the next event in the place of one that has its result; or RefusedError."""
        with self._changing:
            before = self.event
            before.runner.read(partial(require_result, before.number))
            if self._options.database:
                raise refuse_database()
            create_event_folder(self._options.data, before.number + 1)
            with refuse_os_errors(message("room for another event")):
                opened = self._build(before.number + 1)
            # From here on nothing is refused. What still asks the old event is asked to try again.
            before.close()
            opened.start()
            with contextlib.suppress(StoreUnavailableError):
                opened.store.wait_until_open(OPENING_S)
            self.event = opened
            self._app.replace(opened.app)
        _LOG.info("the next event is open", number=opened.number)

    def _build(self, number: int) -> OpenEvent:
        """Put an event together, and bind the port with the first; nothing runs yet."""
        options = self._options
        if options.database and number > 1:
            raise refuse_database()
        folder = find_event_folder(options.data, number)
        tighten_secrets(folder)
        key = TableKey.load_or_create(folder)
        database = Database(folder, options.database)
        store = JournalStore(database, key, is_open=options.is_open, on_refused=self._on_refused)
        receiver, runner = WireReceiver(store), EventRunner(store)
        publisher = EventPublisher(runner, render_public_pages, options.delay_s, options.public)
        self.server.bind()
        app = create_tournament_app(
            store,
            self.access,
            runner,
            receiver=receiver,
            publisher=publisher,
            lan_url=self.server.lan_url,
            host_names=f"{self.server.host},{options.host_names}",
            past=PastEvents(options.data, number),
            start_next=self.start_next_event,
            published=options.published,
        )
        return OpenEvent(number, app, store, receiver, runner, publisher)


@contextlib.contextmanager
def open_event_server(
    options: EventOptions, server: TournamentServer, on_refused: Callable[[InputError], None]
) -> Iterator[EventServer]:
    """
    Give the server of a desk; the database of its open event may not be there yet.

    `server` is not bound yet; `on_refused` is called if the database is another's. InputError if a
    folder, the address of the database or the port cannot be used.
    """
    with contextlib.ExitStack() as closing:
        access = _open_folder(options.data, closing)
        served = EventServer(options, server, access, on_refused)
        closing.callback(served.close)
        yield served


def _open_folder(folder: Path, closing: contextlib.ExitStack) -> AccessControl:
    """Lock the data folder, and return its PIN."""
    with refuse_os_errors("a data folder that can be written", folder):
        create_data_folder(folder)
    closing.callback(os.close, lock_folder(folder))
    tighten_secrets(folder)
    access = AccessControl(folder, MonotonicClock())
    access.begin()
    return access
