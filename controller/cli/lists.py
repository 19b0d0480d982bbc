# SPDX-License-Identifier: MIT
"""`dicebell lists`: the players of an event, or the results of its tables, out and back."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from pathlib import Path

from controller.base.errors import InputError, refuse_os_errors
from controller.cli.arguments import Subparsers, print_line
from controller.cli.tournament import add_desk_arguments, find_event

OPENING_S = 60.0


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "lists",
        help="print the players or results of a desk as a list, or enter such a list",
        description=(
            "Print the players of an event, or the results of the tables of its rounds, as CSV."
            " The desk may be running meanwhile. With --enter, enter such a list: it counts as a"
            " whole, or the line that is wrong is named and nothing counts. Then the desk must not"
            " be running in this folder; while it does, its page enters lists."
        ),
        epilog="Exit status: 0 done, 2 when there is no event or a list is refused.",
    )
    parser.add_argument("list", choices=["players", "results"], help="what the list has")
    add_desk_arguments(parser)
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--json", action="store_true", help="print results as JSON")
    either.add_argument(
        "--enter", type=Path, metavar="FILE", help="a list to enter: CSV, or results as JSON"
    )
    parser.add_argument("--by", default="", metavar="NAME", help="the official who enters it")
    parser.add_argument(
        "--reason", default="", metavar="TEXT", help="why results are entered by hand"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.json and args.list != "results":
        raise InputError(expected="results", found=args.list, where="--json")
    if args.enter is None:
        return _print_list(args)
    return _enter_list(args)


def _print_list(args: argparse.Namespace) -> int:
    from controller.tournament.archive.event_source import open_event_source
    from controller.tournament.server.lists.lists import LIST_FILES

    with open_event_source(find_event(args), args.database) as source:
        state = source.read_event()
    name = f"{args.list}.{'json' if args.json else 'csv'}"
    sys.stdout.buffer.write(LIST_FILES[name](state))
    return 0


def _enter_list(args: argparse.Namespace) -> int:
    from controller.journal.journal import lock_folder
    from controller.journal.signing_key import TableKey
    from controller.tournament.archive.event_source import open_event_source
    from controller.tournament.server.event_runner import EventRunner
    from controller.tournament.server.lists.lists import describe_entered, plan_list
    from controller.tournament.server.store.database import Database
    from controller.tournament.server.store.store import JournalStore

    with refuse_os_errors("a list that can be read", args.enter):
        content = args.enter.read_bytes()
    folder = find_event(args)
    with open_event_source(folder, args.database):
        pass  # Without an event nothing is created.
    with contextlib.ExitStack() as closing:
        closing.callback(os.close, lock_folder(args.data))
        store = JournalStore(Database(folder, args.database), TableKey.load_or_create(folder))
        closing.callback(store.close)
        store.start()
        store.wait_until_open(OPENING_S)
        try:
            plan = plan_list(args.list, content, args.by, args.reason)
            entries = EventRunner(store).propose_list(plan).result()
        except InputError as error:
            raise error.at(", ".join(filter(None, [str(args.enter), error.where]))) from error
    print_line(describe_entered(entries))
    return 0
