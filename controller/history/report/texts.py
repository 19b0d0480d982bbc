# SPDX-License-Identifier: MIT
"""How a report words the events beside rolls and choices, and how it formats times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, tzinfo

from controller.base.languages.message import JournalledText, Message, chain_messages, message
from controller.base.moments import find_moment
from controller.history.report.model import NoteItem
from controller.journal.hashchain import Body, Entry


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
        if moment is None:
            return f"{at_ms} ms"
        return message(
            "{day} {month} {year}, {time} ({zone})",
            day=moment.day,
            month=MONTHS[moment.month - 1],
            year=moment.year,
            time=f"{moment:%H:%M:%S}",
            zone=f"{moment:%Z}",
        )

    def moment(self, at_ms: int) -> str:
        """Return day and time of day for a list, such as `21 November 2026, 21:04`."""
        moment = self._moment(at_ms)
        if moment is None:
            return f"{at_ms} ms"
        return message(
            "{day} {month} {year}, {time}",
            day=moment.day,
            month=MONTHS[moment.month - 1],
            year=moment.year,
            time=f"{moment:%H:%M}",
        )

    def _moment(self, at_ms: int) -> datetime | None:
        return find_moment(at_ms, self._zone)


def describe_entry(entry: Entry, times: TimeFormat) -> NoteItem:
    """Describe an entry that is neither roll nor choice; an unknown kind by its name."""
    tell = DESCRIPTIONS.get(entry.kind)
    text = tell(entry.body) if tell else message("The journal says: {kind}.", kind=entry.kind)
    return NoteItem(times.clock(entry.at_ms), text, _TONES.get(entry.kind, "calm"))


def get_text(body: Body, key: str) -> str:
    """Return the value of a key as text; empty if there is none."""
    value = body.get(key)
    return "" if value is None else str(value)


def _describe_restart(body: Body) -> Message:
    software = get_text(body, "software")
    started = (
        message("The table was started again with {software}.", software=software)
        if software
        else message("The table was started again.")
    )
    if not get_text(body, "torn"):
        return started
    torn = message("A line that was being written was cut off.")
    return chain_messages([started, torn])


def _describe_undo(body: Body) -> Message:
    by, action = get_text(body, "by"), get_text(body, "do")
    return message("{player} took back: {action}.", player=by, action=action)


def _describe_correction(body: Body) -> Message:
    return message(
        "{official} corrected the roll from {was} to {now}.",
        official=get_text(body, "by"),
        was=get_text(body, "was"),
        now=get_text(body, "roll"),
    )


def _describe_deletion(body: Body) -> Message:
    pictures = body.get("pictures")
    count = len(pictures) if isinstance(pictures, list) else 0
    match get_text(body, "why"):
        case "age":
            return message("Pictures deleted because of their age: {count}.", count=count)
        case "size":
            return message("Pictures deleted to make room: {count}.", count=count)
        case _:
            return message("Pictures deleted: {count}.", count=count)


def _describe_rollback(body: Body) -> Message:
    size, signed = get_text(body, "size"), get_text(body, "signed")
    if body.get("how") == "older":
        return message(
            "The journal ended before what the table had signed, {size} entries: {signed}.",
            size=size,
            signed=signed,
        )
    return message(
        "The journal was not what the table had signed, {size} entries: {signed}.",
        size=size,
        signed=signed,
    )


def _describe_clock(body: Body) -> Message:
    jump_ms = body.get("jump_ms")
    if not isinstance(jump_ms, int):
        return message("The clock was set.")
    seconds = abs(jump_ms) // 1000
    if jump_ms < 0:
        return message("The clock was set back by {seconds} s.", seconds=seconds)
    return message("The clock was set ahead by {seconds} s.", seconds=seconds)


def _describe_own_dice(body: Body) -> Message:
    if body.get("own_dice"):
        return message("The owner's own dice were confirmed; they help to read from here on.")
    return message("The owner's own dice were forgotten.")


def _describe_table_model(body: Body) -> Message:
    if body.get("table_model"):
        return message("The table learnt its ground and its dice; it reads with that from here on.")
    return message("The table forgot what it had learnt of its ground and its dice.")


def _describe_review_end(body: Body) -> Message:
    if body.get("outcome") == "corrected":
        return message("The review is over: the roll was corrected.")
    return message("The review is over: the roll stands.")


def _describe_review(body: Body) -> Message:
    if by := get_text(body, "by"):
        return message("{player} asked for a review of the roll.", player=by)
    return message("Somebody asked for a review of the roll.")


def _describe_fault(body: Body) -> Message:
    what = JournalledText(get_text(body, "what"))
    match get_text(body, "device"):
        case "camera":
            return message("Fault of the camera: {what}", what=what)
        case "disk":
            return message("Fault of the disk: {what}", what=what)
        case device:
            return message("Fault of the {device}: {what}", device=device, what=what)


def _describe_repair(body: Body) -> Message:
    match get_text(body, "device"):
        case "camera":
            return message("The camera works again.")
        case "disk":
            return message("The disk works again.")
        case device:
            return message("The {device} works again.", device=device)


MONTHS = (
    message("January"),
    message("February"),
    message("March"),
    message("April"),
    message("May"),
    message("June"),
    message("July"),
    message("August"),
    message("September"),
    message("October"),
    message("November"),
    message("December"),
)

DESCRIPTIONS: Mapping[str, Callable[[Body], Message]] = {
    "restart": _describe_restart,
    "pause": lambda body: message("Play was paused."),
    "resume": lambda body: message("Play went on."),
    "fault": _describe_fault,
    "back": _describe_repair,
    "calibration": lambda body: message("The table was calibrated again."),
    "own_dice": _describe_own_dice,
    "background": lambda body: message("The table stored a picture of its ground."),
    "table_model": _describe_table_model,
    "closed": lambda body: message("The players left the game."),
    "parked": lambda body: message("The players left the game for later."),
    "continued": lambda body: message("The game was continued."),
    "undo": _describe_undo,
    "correction": _describe_correction,
    "review": _describe_review,
    "reviewed": _describe_review_end,
    "key": lambda body: message(
        "From here on the table signs with the key {key}.", key=get_text(body, "key")
    ),
    "deleted": _describe_deletion,
    "clock": _describe_clock,
    "restored": lambda body: message(
        "The data was restored from a backup of {when}.", when=get_text(body, "made_at")
    ),
    "rollback": _describe_rollback,
    "memory_lost": lambda body: message("The table did not remember what it had signed before."),
    "joined": lambda body: message(
        "The table joined the tournament at {address}.", address=get_text(body, "address")
    ),
    "left": lambda body: message("The table left the tournament."),
    "cosigned": lambda body: message("The desk of the tournament signed that it has every entry."),
    "witnessed": lambda body: message("The table cosigned the journal of the tournament."),
    "contradicted": lambda body: message(
        "The desk of the tournament showed another past of its own journal."
    ),
    "dice_set": lambda body: message(
        "Other dice came to the table: {name}.", name=get_text(body, "name")
    ),
    "request": lambda body: message(
        "The program {name} asked for dice: {why}",
        name=get_text(body, "by"),
        why=get_text(body, "why"),
    ),
    "answer": lambda body: message("They showed {faces}.", faces=get_text(body, "roll")),
    "request_ended": lambda body: message("Nobody threw the dice that a program had asked for."),
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
