# SPDX-License-Identifier: MIT
"""How a report words the events beside rolls and choices, and how it formats times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, tzinfo

from controller.journal.hashchain import Body, Entry
from controller.report.model import NoteItem


class TimeFormat:
    """
    Formats times in the table's time zone.

    Args:
        zone: The table's time zone.
    """

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone

    def clock(self, at_ms: int) -> str:
        """Return the time of day, such as `21:04:09`; milliseconds if it is out of range."""
        moment = self._moment(at_ms)
        return f"{moment:%H:%M:%S}" if moment else f"{at_ms} ms"

    def date(self, at_ms: int) -> str:
        """Return date and time of day, such as `21 November 2026, 21:04:09 (UTC+01:00)`."""
        moment = self._moment(at_ms)
        return f"{moment.day} {moment:%B %Y, %H:%M:%S (%Z)}" if moment else f"{at_ms} ms"

    def _moment(self, at_ms: int) -> datetime | None:
        try:
            return datetime.fromtimestamp(at_ms / 1000, self._zone)
        except (OverflowError, OSError, ValueError):
            # A clock with a nonsensical time must not prevent a report.
            return None


def describe_entry(entry: Entry, times: TimeFormat) -> NoteItem:
    """Describe an entry that is neither roll nor choice; an unknown kind by its name."""
    tell = DESCRIPTIONS.get(entry.kind)
    text = tell(entry.body) if tell else f"The journal says: {entry.kind}."
    return NoteItem(times.clock(entry.at_ms), text, _TONES.get(entry.kind, "calm"))


def get_text(body: Body, key: str) -> str:
    """Return the value of a key as text; empty if there is none."""
    value = body.get(key)
    return "" if value is None else str(value)


def _describe_restart(body: Body) -> str:
    torn = " A line that was being written was cut off." if get_text(body, "torn") else ""
    software = get_text(body, "software")
    return f"The table was started again{f' with {software}' if software else ''}.{torn}"


def _describe_undo(body: Body) -> str:
    return f"{get_text(body, 'by')} took back: {get_text(body, 'do')}."


def _describe_correction(body: Body) -> str:
    was, now = get_text(body, "was"), get_text(body, "roll")
    return f"{get_text(body, 'by')} corrected the roll from {was} to {now}."


def _describe_deletion(body: Body) -> str:
    pictures = body.get("pictures")
    count = len(pictures) if isinstance(pictures, list) else 0
    why = {"age": "they were old enough", "size": "room was needed"}.get(get_text(body, "why"), "")
    return f"Pictures deleted: {count}{f', because {why}' if why else ''}."


def _describe_rollback(body: Body) -> str:
    found = (
        "ended before what the table had signed"
        if body.get("how") == "older"
        else "was not what the table had signed"
    )
    return f"The journal {found}, {get_text(body, 'size')} entries: {get_text(body, 'signed')}."


def _describe_clock(body: Body) -> str:
    jump_ms = body.get("jump_ms")
    if not isinstance(jump_ms, int):
        return "The clock was set."
    return f"The clock was set {'back' if jump_ms < 0 else 'ahead'} by {abs(jump_ms) // 1000} s."


def _describe_own_dice(body: Body) -> str:
    if body.get("own_dice"):
        return "The owner's own dice were confirmed; they help to read from here on."
    return "The owner's own dice were forgotten."


def _describe_review_end(body: Body) -> str:
    is_corrected = body.get("outcome") == "corrected"
    return f"The review is over: {'the roll was corrected' if is_corrected else 'the roll stands'}."


DESCRIPTIONS: Mapping[str, Callable[[Body], str]] = {
    "restart": _describe_restart,
    "pause": lambda body: "Play was paused.",
    "resume": lambda body: "Play went on.",
    "fault": lambda body: f"Fault of the {get_text(body, 'device')}: {get_text(body, 'what')}",
    "back": lambda body: f"The {get_text(body, 'device')} works again.",
    "calibration": lambda body: "The table was calibrated again.",
    "own_dice": _describe_own_dice,
    "closed": lambda body: "The players left the game.",
    "parked": lambda body: "The players left the game for later.",
    "continued": lambda body: "The game was continued.",
    "undo": _describe_undo,
    "correction": _describe_correction,
    "review": lambda body: f"{get_text(body, 'by') or 'Somebody'} asked for a review of the roll.",
    "reviewed": _describe_review_end,
    "key": lambda body: f"From here on the table signs with the key {get_text(body, 'key')}.",
    "deleted": _describe_deletion,
    "clock": _describe_clock,
    "restored": lambda body: f"The data was restored from a backup of {get_text(body, 'made_at')}.",
    "rollback": _describe_rollback,
    "memory_lost": lambda body: "The table did not remember what it had signed before.",
}
"""Descriptions of all kinds but rolls, readings, choices and checkpoints."""

_TONES = {
    "fault": "fault",
    "undo": "hand",
    "correction": "hand",
    "review": "hand",
    "reviewed": "hand",
    "key": "hand",
    "clock": "hand",
    "restored": "hand",
    "rollback": "fault",
    "memory_lost": "hand",
}
