# SPDX-License-Identifier: MIT
"""What the retained topics of a table say: how it stands, and whether it works."""

from __future__ import annotations

import json
from dataclasses import asdict

from controller.api.entry_queries import EntryQueries
from controller.api.table_view import view_table
from controller.runtime.monitoring.health_status import Health
from controller.table.view.types import Snapshot

_ACTS = ("rolls", "chooses")
_WORKING_CAMERA = ("live", "starting", "ended")
_STEADY = ("loop", "camera", "journal", "version")
"""The keys of the health that do not change by themselves, so that a message means something."""


def describe_state(view: Snapshot, entries: EntryQueries) -> dict[str, object]:
    """
    Return the table as `/api/v1/table` has it, with whose turn it is and the last roll.

    Args:
        view: As a watcher sees it.
        entries: The journal.
    """
    rolls, _ = entries.list_rolls(before=None, limit=1)
    return {
        **view_table(view, entries.find_open_request(), entries.newest_id(), entries.show_name),
        "turn": [
            entries.show_name(player["name"]) or None
            for player in view["players"]
            if player["state"] in _ACTS
        ],
        "last_roll": {**rolls[0], **_count_faces(rolls[0])} if rolls else None,
    }


def describe_health(health: Health, view: Snapshot) -> dict[str, object]:
    """Return what works, and whether anything does not."""
    told = asdict(health)
    is_blind = health.camera not in _WORKING_CAMERA
    return {
        "problem": bool(health.wrong) or is_blind or view["fault"] is not None,
        "wrong": list(health.wrong),
        **{key: told[key] for key in _STEADY},
        "fault": view["fault"],
    }


def encode_payload(content: object) -> bytes:
    """Return a message as JSON in UTF-8."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _count_faces(roll: dict[str, object]) -> dict[str, object]:
    """Return the faces of a roll as they count now, and their sum."""
    corrected = roll["corrected"]
    counted = corrected["faces"] if isinstance(corrected, dict) else roll["faces"]
    assert isinstance(counted, list)
    return {"counted": counted, "sum": sum(counted)}
