# SPDX-License-Identifier: MIT
"""A real table without camera and disk behind a page, whose events the test makes."""

from __future__ import annotations

from controller.table.events import Event
from controller.table.state import TableState
from controller.table.view.hints import build_hints
from controller.table.view.question import find_refusal
from controller.table.view.snapshot import build_snapshot
from controller.table.view.types import HintsView, Snapshot
from tests.support.table import play
from tests.webui.fakes import FakeTable


class PageTable(FakeTable):
    """
    A `TableApi` whose every event goes straight through the machine.

    Attributes:
        state: The table as it stands.
    """

    def __init__(self, state: TableState) -> None:
        self.state = state
        super().__init__(build_snapshot(state, version=1))

    def snapshot(self, viewer: str = "") -> Snapshot:
        shared = super().snapshot()
        if not viewer:
            return shared
        return build_snapshot(
            self.state, version=shared["version"], checkpoint=shared["checkpoint"], viewer=viewer
        )

    def build_hints(self, viewer: str = "") -> HintsView:
        return build_hints(self.state, viewer)

    def send(self, event: Event) -> None:
        super().send(event)
        before = self.state
        self.happen(event)
        self.refused = find_refusal(before, self.state)

    def happen(self, *events: Event) -> None:
        """Let things happen at the table: dice are thrown, somebody presses a button."""
        self.put(play(self.state, *events))

    def put(self, state: TableState) -> None:
        """Let the table stand so."""
        self.state = state
        self.show(**build_snapshot(state, version=0))
