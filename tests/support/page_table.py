# SPDX-License-Identifier: MIT
"""A real table without camera and disk behind a page, whose events the test makes."""

from __future__ import annotations

import threading

from controller.table.events import Event
from controller.table.state import TableState
from controller.table.view.question import CommandResult
from tests.webui.fakes import FakeTable


class PageTable(FakeTable):
    """The loop of a table that handles each event at once, in the thread that sends it."""

    def __init__(self, state: TableState) -> None:
        # As at the real table, one event is done before the next begins.
        self._turn = threading.RLock()
        self._overtaking: list[Event] = []
        super().__init__(state=state)

    def ask(self, event: Event, about: str | None, viewer: str = "") -> CommandResult:
        with self._turn:
            while self._overtaking:
                self.handle(self._overtaking.pop())
            return super().ask(event, about, viewer)

    def receive(self, event: Event) -> str:
        with self._turn:
            super().receive(event)
            return self._handle(event, self._clock.now_s())

    def happen(self, *events: Event) -> None:
        with self._turn:
            for event in events:
                self.handle(event)

    def overtake(self, event: Event) -> None:
        """Let this happen while the next command is on its way."""
        self._overtaking.append(event)

    def put(self, state: TableState) -> None:
        with self._turn:
            self._show(state)
