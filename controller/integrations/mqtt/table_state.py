# SPDX-License-Identifier: MIT
"""What the retained topics of a table say: how it stands, and whether it works."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from controller.integrations.api.entry_queries import EntryQueries
from controller.integrations.api.entry_views import ShowName
from controller.integrations.api.table_view import view_table
from controller.runtime.monitoring.health import Health
from controller.table.view.types import Snapshot

_ACTS = ("rolls", "chooses")
_WORKING_CAMERA = ("live", "starting", "ended")
# The keys of the health that do not change by themselves, so that a message means something.
_STEADY = ("loop", "camera", "journal", "version")


@dataclass(frozen=True, slots=True)
class JournalState:
    """What the state of a table takes from its journal, which changes less often than the view."""

    request: dict[str, object] | None  # The open request for dice.
    last_id: str
    last_roll: dict[str, object] | None  # The last roll, with the faces that count now.


def read_journal_state(entries: EntryQueries) -> JournalState:
    rolls, _ = entries.list_rolls(before=None, limit=1)
    last_roll = {**rolls[0], **_count_faces(rolls[0])} if rolls else None
    return JournalState(entries.find_open_request(), entries.newest_id(), last_roll)


def describe_state(view: Snapshot, journal: JournalState, show_name: ShowName) -> dict[str, object]:
    """Return what `/api/v1/table` has for a watcher, whose turn it is, and the last roll."""
    return {
        **view_table(view, journal.request, journal.last_id, show_name),
        "turn": [
            show_name(player["name"]) or None
            for player in view["players"]
            if player["state"] in _ACTS
        ],
        "last_roll": journal.last_roll,
    }


def describe_health(health: Health, view: Snapshot) -> dict[str, object]:
    """Return what works, and whether anything does not."""
    values = asdict(health)
    is_blind = health.camera not in _WORKING_CAMERA
    return {
        "problem": bool(health.wrong) or is_blind or view["fault"] is not None,
        "wrong": list(health.wrong),
        **{key: values[key] for key in _STEADY},
        "fault": view["fault"],
    }


def encode_payload(content: object) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _count_faces(roll: dict[str, object]) -> dict[str, object]:
    corrected = roll["corrected"]
    counted = corrected["faces"] if isinstance(corrected, dict) else roll["faces"]
    assert isinstance(counted, list)
    return {"counted": counted, "sum": sum(counted)}
