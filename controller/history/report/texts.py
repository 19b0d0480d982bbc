# SPDX-License-Identifier: MIT
"""How a report words the events beside rolls and choices, and how it formats times."""

from __future__ import annotations

from datetime import tzinfo

from controller.base.languages.message import JournalledText, Message, chain_messages, message
from controller.base.moments import find_moment, format_moment
from controller.games.contract import COUNT, JOIN
from controller.history.report.model import NoteItem
from controller.journal import entries
from controller.journal.hashchain import Entry
from controller.table.refusal_text import action_words


class TimeFormat:
    """Formats times in the table's time zone."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone

    def clock(self, at_ms: int) -> str:
        """Return the time of day, such as `21:04:09`; milliseconds if it is out of range."""
        return format_moment(at_ms, "%H:%M:%S", self._zone)

    def date(self, at_ms: int) -> str:
        """Return date and time of day, such as `21 November 2026, 21:04:09 (UTC+01:00)`."""
        moment = find_moment(at_ms, self._zone)
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
        moment = find_moment(at_ms, self._zone)
        if moment is None:
            return f"{at_ms} ms"
        return message(
            "{day} {month} {year}, {time}",
            day=moment.day,
            month=MONTHS[moment.month - 1],
            year=moment.year,
            time=f"{moment:%H:%M}",
        )


def describe_entry(entry: Entry, times: TimeFormat) -> NoteItem:
    """Describe an entry that is neither roll nor choice; an unknown one by its kind."""
    text = describe_body(entries.read_entry(entry))
    return NoteItem(times.clock(entry.at_ms), text, _TONES.get(entry.kind, "calm"))


def describe_body(entry: entries.TableEntry | entries.UnknownEntry) -> Message:
    """Return in words what an entry says; only its kind of what a report shows in another way."""
    match entry:
        case entries.RestartEntry():
            return _describe_restart(entry)
        case entries.PauseEntry():
            return message("Play was paused.")
        case entries.ResumeEntry():
            return message("Play went on.")
        case entries.FaultEntry(device="camera", what=what):
            return message("Fault of the camera: {what}", what=JournalledText(what))
        case entries.FaultEntry(device="disk", what=what):
            return message("Fault of the disk: {what}", what=JournalledText(what))
        case entries.FaultEntry(device=device, what=what):
            text = JournalledText(what)
            return message("Fault of the {device}: {what}", device=device, what=text)
        case entries.BackEntry(device="camera"):
            return message("The camera works again.")
        case entries.BackEntry(device="disk"):
            return message("The disk works again.")
        case entries.BackEntry(device=device):
            return message("The {device} works again.", device=device)
        case entries.CalibrationEntry():
            return message("The table was calibrated again.")
        case entries.OwnDiceEntry(own_dice=own_dice) if own_dice:
            return message("The owner's own dice were confirmed; they help to read from here on.")
        case entries.OwnDiceEntry():
            return message("The owner's own dice were forgotten.")
        case entries.BackgroundEntry():
            return message("The table stored a picture of its ground.")
        case entries.TableModelEntry(table_model=model) if model:
            return message(
                "The table learnt its ground and its dice; it reads with that from here on."
            )
        case entries.TableModelEntry():
            return message("The table forgot what it had learnt of its ground and its dice.")
        case entries.ClosedEntry():
            return message("The players left the game.")
        case entries.ParkedEntry():
            return message("The players left the game for later.")
        case entries.ContinuedEntry():
            return message("The game was continued.")
        case entries.CountedEntry():
            return message("The players ended the game early: it counts as it stands.")
        case entries.SeatedEntry(player=name):
            return message("{player} joined the game.", player=name)
        case entries.UndoEntry(by=by, do=action):
            words = action_words(action) if action in (COUNT, JOIN) else action
            return message("{player} took back: {action}.", player=by, action=words)
        case entries.CorrectionEntry(by=by, was=was, roll=roll):
            return message(
                "{official} corrected the roll from {was} to {now}.", official=by, was=was, now=roll
            )
        case entries.ReviewEntry(by=by) if by:
            return message("{player} asked for a review of the roll.", player=by)
        case entries.ReviewEntry():
            return message("Somebody asked for a review of the roll.")
        case entries.ReviewedEntry(outcome="corrected"):
            return message("The review is over: the roll was corrected.")
        case entries.ReviewedEntry():
            return message("The review is over: the roll stands.")
        case entries.KeyEntry(key=key):
            return message("From here on the table signs with the key {key}.", key=key)
        case entries.DeletedEntry(why="age", pictures=gone):
            return message("Pictures deleted because of their age: {count}.", count=len(gone))
        case entries.DeletedEntry(why="size", pictures=gone):
            return message("Pictures deleted to make room: {count}.", count=len(gone))
        case entries.DeletedEntry(pictures=gone):
            return message("Pictures deleted: {count}.", count=len(gone))
        case entries.ClockEntry(jump_ms=jump_ms):
            seconds = abs(jump_ms) // 1000
            if jump_ms < 0:
                return message("The clock was set back by {seconds} s.", seconds=seconds)
            return message("The clock was set ahead by {seconds} s.", seconds=seconds)
        case entries.RestoredEntry(made_at=when):
            return message("The data was restored from a backup of {when}.", when=when)
        case entries.RollbackEntry(how="older", size=size, signed=signed):
            return message(
                "The journal ended before what the table had signed, {size} entries: {signed}.",
                size=str(size),
                signed=signed,
            )
        case entries.RollbackEntry(size=size, signed=signed):
            return message(
                "The journal was not what the table had signed, {size} entries: {signed}.",
                size=str(size),
                signed=signed,
            )
        case entries.MemoryLostEntry():
            return message("The table did not remember what it had signed before.")
        case entries.JoinedEntry(address=address):
            return message("The table joined the tournament at {address}.", address=address)
        case entries.LeftEntry():
            return message("The table left the tournament.")
        case entries.CalledEntry():
            return message("The table called an official of the tournament.")
        case entries.CosignedEntry():
            return message("The desk of the tournament signed that it has every entry.")
        case entries.WitnessedEntry():
            return message("The table cosigned the journal of the tournament.")
        case entries.ContradictedEntry():
            return message("The desk of the tournament showed another past of its own journal.")
        case entries.DiceSetEntry(name=name):
            return message("Other dice came to the table: {name}.", name=name)
        case entries.RequestEntry(by=program, why=why):
            return message("The program {name} asked for dice: {why}", name=program, why=why)
        case entries.AnswerEntry(roll=faces):
            return message("They showed {faces}.", faces=faces)
        case entries.RequestEndedEntry():
            return message("Nobody threw the dice that a program had asked for.")
    return message("The journal says: {kind}.", kind=entry.kind)


def _describe_restart(entry: entries.RestartEntry) -> Message:
    started = (
        message("The table was started again with {software}.", software=entry.software)
        if entry.software
        else message("The table was started again.")
    )
    if not entry.torn:
        return started
    torn = message("A line that was being written was cut off.")
    return chain_messages([started, torn])


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
