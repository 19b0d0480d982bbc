# SPDX-License-Identifier: MIT
"""
Where the events of a desk are: the first in its data folder, later ones in `events/2`, `events/3`.

The last one is open. No file says which: a new folder is there as a whole or not at all, so after
a crash the desk opens the event before or the new one.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from controller.base.durable_files import create_data_folder, fsync_folder, match_owner
from controller.base.errors import InputError, refuse_os_errors
from controller.base.languages.message import message

if TYPE_CHECKING:
    from controller.tournament.state.state import EventState

EVENT_FILE = "event.sqlite"  # The database of an event, unless it has an address.
EVENTS_FOLDER = "events"
_LATER = re.compile(r"[1-9][0-9]{0,5}")


def find_last_event(data: Path) -> int:
    """Return the number of the event that is open; InputError if the folder cannot be read."""
    folder = data / EVENTS_FOLDER
    with refuse_os_errors("a data folder that can be read", folder):
        names = [each.name for each in folder.iterdir()] if folder.is_dir() else []
    return max((int(name) for name in names if _LATER.fullmatch(name)), default=1)


def find_event_folder(data: Path, number: int | None) -> Path:
    """Return the folder of an event, the open one without a number; InputError if there is none."""
    last = find_last_event(data)
    if number is not None and not 1 <= number <= last:
        expected = f"an event from 1 to {last}" if last > 1 else "1, the only event"
        raise InputError(expected=expected, found=str(number), where="--event")
    return name_event_folder(data, number or last)


def name_event_folder(data: Path, number: int) -> Path:
    return data if number == 1 else data / EVENTS_FOLDER / str(number)


def require_result(number: int, state: EventState) -> None:
    """Refuse the next event while the open one has no result."""
    if state.data.result is None:
        expected = message("an event with its result: publish it first")
        found = message("event {number} without one", number=str(number))
        raise InputError(expected=expected, found=found)


def create_event_folder(data: Path, number: int) -> None:
    """Create the folder of the next event: from now on that event is open; or InputError."""
    events, folder = data / EVENTS_FOLDER, name_event_folder(data, number)
    with refuse_os_errors(message("room for another event"), events):
        create_data_folder(events)
        match_owner(events, data)
        create_data_folder(folder)
        match_owner(folder, data)
        fsync_folder(events)
        fsync_folder(data)


def refuse_database() -> InputError:
    """Return the error of a desk that keeps its event in a database of its own."""
    return InputError(
        expected=message("a desk that keeps its events in its data folder"),
        found=message("the option --database: start another desk, with another database"),
    )
