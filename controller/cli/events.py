# SPDX-License-Identifier: MIT
"""`dicebell events`: the events of a desk, and the next one."""

from __future__ import annotations

import argparse
import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from controller.base.errors import InputError
from controller.base.languages.shown_text import isolate_text
from controller.cli.arguments import Subparsers, print_line
from controller.cli.tournament import add_data_argument
from controller.journal.journal import lock_folder
from controller.tournament.server.event_folders import (
    EVENT_FILE,
    create_event_folder,
    find_last_event,
    name_event_folder,
    require_result,
)

if TYPE_CHECKING:
    from controller.tournament.state.state import EventState


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "events",
        help="list the events of a desk, or start the next one",
        description=(
            "List the events in the data folder of a desk, also while it is running. One is open,"
            " the last. With --new, start the next one once that has its result: PIN and officials"
            " stay, tables and players join again. Then the desk must not be running in this"
            " folder; while it does, its page starts the next event."
        ),
        epilog=(
            "Exit status: 0 done, 2 when there is no event, one cannot be read, or the next one is"
            " refused."
        ),
    )
    add_data_argument(parser)
    parser.add_argument("--new", action="store_true", help="start the next event")


def run(args: argparse.Namespace) -> int:
    if args.new:
        return _start_next(args.data)
    return _list_events(args.data)


def _list_events(data: Path) -> int:
    last, damaged = find_last_event(data), 0
    for number in range(1, last + 1):
        try:
            told = _describe_event(_read_event(data, number))
        except InputError as error:
            if last == 1:
                raise
            damaged += 1
            told = f"cannot be read: {error}"
        print_line(f"{number}  {told}")
    return 2 if damaged else 0


def _start_next(data: Path) -> int:
    _read_event(data, find_last_event(data))  # Without an event nothing is created.
    with contextlib.ExitStack() as closing:
        closing.callback(os.close, lock_folder(data))
        last = find_last_event(data)
        require_result(last, _read_event(data, last))
        create_event_folder(data, last + 1)
    print_line(f"Event {last + 1} is open: start the desk. Tables join again with its code.")
    return 0


def _read_event(data: Path, number: int) -> EventState:
    """Return an event; nothing is in it while no desk has run since it was started."""
    from controller.tournament.archive.event_source import open_event_source
    from controller.tournament.state.state import EventState

    folder = name_event_folder(data, number)
    if number > 1 and not (folder / EVENT_FILE).exists():
        return EventState()
    with open_event_source(folder) as source:
        return source.read_event()


def _describe_event(state: EventState) -> str:
    if state.data.begun is None:
        return "has not begun"
    players = len(state.data.people)
    is_over = "with its result" if state.data.result else "goes on"
    return f"{isolate_text(state.data.begun.name)}, players {players}, {is_over}"
