# SPDX-License-Identifier: MIT
"""
The files that show an event to the world: JSON for programs, and the table of the result as CSV.

Equal states give equal files, whichever server makes them; so a copy can be checked by its tag.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from controller.base.packed_file import PackedFile, pack_file
from controller.games.contract import Json
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.lists.list_file import write_csv
from controller.tournament.server.shared_view import (
    build_shared_view,
    describe_roll,
    describe_round,
)
from controller.tournament.state.state import EventState

EVENT_FILE, STANDINGS_FILE, ROLLS_FILE = "event.json", "standings.json", "rolls.json"
JSON_TYPE, CSV_TYPE = "application/json", "text/csv; charset=utf-8"
TEXT_TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8"}


ViewT = TypeVar("ViewT")


class LiveFile(Generic[ViewT]):
    """A file of a running event, made again only after a change, once for all who ask."""

    def __init__(
        self,
        runner: EventRunner,
        read: Callable[[EventState], ViewT],
        pack: Callable[[ViewT], PackedFile],
    ) -> None:
        self._runner = runner
        self._read = read
        self._pack = pack
        self._lock = threading.Lock()
        self._revision = -1
        self._file: PackedFile | None = None

    def find(self) -> PackedFile:
        with self._lock:
            revision = self._runner.revisions.shared
            if self._file is None or revision != self._revision:
                self._file = self._pack(self._runner.read(self._read))
                self._revision = revision
            return self._file


def pack_json(view: object) -> PackedFile:
    text = json.dumps(view, ensure_ascii=False, separators=(",", ":"))
    return pack_file(JSON_TYPE, text.encode() + b"\n")


def build_public_views(state: EventState) -> dict[str, dict[str, Json]]:
    """Return what each file of JSON holds, by its name; `event` is null before the event began."""
    event = build_shared_view(state)
    event.pop("first", None)  # They are in the file of the standings.
    return {
        EVENT_FILE: event,
        STANDINGS_FILE: build_standings_view(state),
        ROLLS_FILE: _build_rolls_view(state),
    }


def build_standings_view(state: EventState) -> dict[str, Json]:
    """Return the standings with the name of the event, and whether they are final."""
    data = state.data
    if data.begun is None:
        return {"event": None, "is_final": False, "unit": "points", "games": 0, "rows": []}
    standings = state.compute_standings()
    return {
        "event": data.begun.name,
        "is_final": data.result is not None,
        "unit": standings.unit,
        "games": standings.games,
        "rows": [row.to_plain() for row in standings.rows],
        **({"teams": [team.to_plain() for team in standings.teams]} if standings.teams else {}),
    }


def build_result_csv(state: EventState) -> bytes:
    return write_csv(state.compute_standings().to_table() if state.data.begun else ())


def _build_rolls_view(state: EventState) -> dict[str, Json]:
    data = state.data
    if data.begun is None:
        return {"event": None, "games": [], "rounds": []}
    return {
        "event": data.begun.name,
        "games": [
            {
                "number": game.number,
                "box": game.box,
                "is_open": game.is_open,
                "rolls": [describe_roll(data, roll) for roll in game.rolls],
            }
            for game in data.games
        ],
        "rounds": [describe_round(data, each) for each in data.rounds.published],
    }
