# SPDX-License-Identifier: MIT
"""A real table with a journal and a history, and a program that uses its interface."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from werkzeug.test import TestResponse

from controller.history.history import TableHistory
from controller.integrations.api.entry_queries import EntryQueries
from controller.integrations.api.parts import ApiParts, ApiRates
from controller.integrations.api.request_timer import RequestTimer
from controller.runtime.access.tickets import AccessControl
from controller.runtime.table import TableRuntime
from controller.table.events import Event, PhonesBound
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.support.truthful_reader import TruthfulReader
from webui import create_app

REQUEST_S = 120.0
PAGE = "http://pages.example:3000"
LAPTOP = "192.168.1.30"


class ProgramTable:
    """A table whose loop runs, without a camera; `names` are what screens show."""

    def __init__(self, folder: Path, *, heartbeat_s: float = 60.0) -> None:
        camera = SimulatedCamera(SteppedClock(), seed=1, size_wh=(64, 36))
        self.clock = SteppedClock()
        self.names: dict[str, str] = {}
        timer = RequestTimer(self.clock, REQUEST_S)
        self.runtime = TableRuntime.open(folder, TruthfulReader(camera), observers=(timer,))
        timer.connect(self.runtime.loop.send)
        self.runtime.begin()
        self.access = AccessControl(folder, self.clock)
        self.access.begin()
        self.history = TableHistory(folder)
        entries = EntryQueries(self.runtime.entries, lambda name: self.names.get(name, name))
        self.tokens = self.access.api_tokens
        self.parts = ApiParts(
            self.tokens, entries, self.history, frozenset({PAGE}), ApiRates(self.clock)
        )
        self.app = create_app(
            self.runtime.running, None, access=self.access, api=self.parts, heartbeat_s=heartbeat_s
        )
        self.runtime._spawn("loop", self.runtime.loop.run)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.history.index.close()
        self.runtime.close()

    def happen(self, *events: Event) -> None:
        for event in events:
            self.runtime.loop.ask(event, None)

    def pass_time(self, seconds: float) -> None:
        self.clock.wait_s(seconds)
        # The loop looks at the time between two events, and what it does then is one more.
        self.happen(*[PhonesBound(())] * 3)

    def call(
        self,
        path: str,
        token: str = "",
        *,
        method: str = "GET",
        body: object = None,
        address: str = LAPTOP,
        **headers: str,
    ) -> TestResponse:
        sent = {"Host": "127.0.0.1", **{key.replace("_", "-"): headers[key] for key in headers}}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        options: dict[str, Any] = {} if body is None else {"json": body}
        return self.app.test_client().open(
            f"/api/v1{path}",
            method=method,
            headers=sent,
            environ_base={"REMOTE_ADDR": address},
            **options,
        )
