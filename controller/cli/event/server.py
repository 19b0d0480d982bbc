# SPDX-License-Identifier: MIT
"""Put the server of an event together: its journals, the event as it runs, its pages, its files."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.base.durable_files import create_data_folder
from controller.base.errors import InputError, refuse_os_errors
from controller.cli.startup import tighten_secrets
from controller.journal.journal import lock_folder
from controller.journal.signing_key import TableKey
from controller.runtime.access.tickets import AccessControl
from controller.tournament.results.publisher import EventPublisher
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.wire.receiver import WireReceiver
from hardware.clock import MonotonicClock
from webui.tournament.app import TournamentApp, create_tournament_app
from webui.tournament.public.snapshot_routes import render_public_pages
from webui.tournament.server import TournamentServer


@dataclass(frozen=True, slots=True)
class EventOptions:
    data: Path
    database: str = ""  # The address of a database; empty for SQLite in the data folder.
    is_open: bool = False  # Whether unsigned lines of unknown tables are taken.
    public: Path | None = None  # The folder into which the files for spectators are written too.
    delay_s: float = 0.0  # How much later than the hall spectators see the event.
    host_names: str = ""  # Further names by which browsers may call it; commas separate them.


@dataclass(frozen=True, slots=True)
class EventServer:
    """The parts of a server whose port is bound; `run` serves until `stop`."""

    server: TournamentServer
    app: TournamentApp
    store: JournalStore
    receiver: WireReceiver
    runner: EventRunner
    access: AccessControl
    database: str

    def run(self) -> None:
        # A full collection would look through all modules each time, and hold the hall for 0.1 s.
        gc.freeze()
        self.server.run(self.app, self.app.end_streams)


@contextlib.contextmanager
def open_event_server(
    options: EventOptions, server: TournamentServer, on_refused: Callable[[InputError], None]
) -> Iterator[EventServer]:
    """
    Give the server of an event; its database may not be there yet.

    `server` is not bound yet; `on_refused` is called if the database is another's. InputError if a
    folder, the address of the database or the port cannot be used.
    """
    with contextlib.ExitStack() as closing:
        access, key = _open_folder(options.data, closing)
        database = Database(options.data, options.database)
        store = JournalStore(database, key, is_open=options.is_open, on_refused=on_refused)
        receiver, runner = WireReceiver(store), EventRunner(store)
        publisher = EventPublisher(runner, render_public_pages, options.delay_s, options.public)
        server.bind()
        closing.callback(runner.close)
        closing.callback(store.close)
        closing.callback(publisher.close)
        store.start()
        runner.start()
        publisher.start()
        app = create_tournament_app(
            store,
            access,
            receiver=receiver,
            runner=runner,
            publisher=publisher,
            lan_url=server.lan_url,
            host_names=f"{server.host},{options.host_names}",
        )
        yield EventServer(server, app, store, receiver, runner, access, database.name)


def _open_folder(folder: Path, closing: contextlib.ExitStack) -> tuple[AccessControl, TableKey]:
    """Lock the data folder, and return its PIN and its key."""
    with refuse_os_errors("a data folder that can be written", folder):
        create_data_folder(folder)
    closing.callback(os.close, lock_folder(folder))
    tighten_secrets(folder)
    access = AccessControl(folder, MonotonicClock())
    access.begin()
    return access, TableKey.load_or_create(folder)
