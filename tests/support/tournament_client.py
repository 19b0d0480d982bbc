# SPDX-License-Identifier: MIT
"""A server of tournaments in the process of the test, and a table's requests made by hand."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from controller.base.errors import InputError
from controller.journal.signing_key import TableKey
from controller.runtime.access.store import renew_pin
from controller.runtime.access.tickets import AccessControl
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.wire.enrolment import prove_table
from controller.tournament.server.wire.http_signature import sign_request
from controller.tournament.server.wire.receiver import LINES_TYPE, WireReceiver
from hardware.clock import MonotonicClock
from tests.support.tournament_store import open_store
from webui.tournament.app import create_tournament_app
from webui.tournament.server import TournamentServer


@dataclass
class ServedEvent:
    """A server in the process of the test: its store, its receiver, its PIN, and a browser."""

    store: JournalStore
    receiver: WireReceiver
    pin: str
    client: httpx.Client

    def post_lines(
        self, key: TableKey, first: int, lines: tuple[bytes, ...], **changes: Any
    ) -> httpx.Response:
        path = f"/boxes/{key.public_hex}/journal/{first}"
        content = b"\n".join(lines)
        headers = {
            "Content-Type": LINES_TYPE,
            **sign_request(key, "POST", path, content, int(time.time())),
            **changes,
        }
        return self.client.post(path, content=content, headers=headers)

    def enrol(self, key: TableKey, name: str, code: str) -> httpx.Response:
        path = f"/boxes/{key.public_hex}"
        proof = prove_table(code, key.public_hex)
        content = json.dumps({"name": name, "proof": proof}).encode()
        signed = sign_request(key, "POST", path, content, int(time.time()))
        return self.client.post(path, content=content, headers=signed)


_FREE_S = 60.0


@contextmanager
def serve_event(folder: Path, *, port: int | None = None, **options: Any) -> Iterator[ServedEvent]:
    with open_store(folder, **options) as store:
        pin = renew_pin(folder)
        access = AccessControl(folder, MonotonicClock())
        access.begin()
        # A second in the past: signatures count in whole seconds, and this one has begun.
        began_s = time.time() - 1
        times = iter([began_s])
        receiver = WireReceiver(store, now_s=lambda: next(times, time.time()))
        app = create_tournament_app(store, access, EventRunner(store), receiver=receiver)
        server = TournamentServer("127.0.0.1", port or 0)
        _bind(server)
        thread = threading.Thread(target=server.run, args=[app])
        thread.start()
        try:
            with httpx.Client(base_url=server.url, timeout=60, trust_env=False) as client:
                yield ServedEvent(store, receiver, pin, client)
        finally:
            server.stop()
            thread.join()


def _bind(server: TournamentServer) -> None:
    """Bind a port that a server had before; a client that tries it may hold it for a moment."""
    end_s = time.monotonic() + _FREE_S
    while True:
        try:
            return server.bind()
        except InputError:
            if time.monotonic() > end_s:
                raise
            time.sleep(0.02)


def make_key(folder: Path) -> TableKey:
    folder.mkdir()
    return TableKey.load_or_create(folder)
