# SPDX-License-Identifier: MIT
"""
`dicebell desk`: the server of a tournament, to which tables send their journals.

It starts without its database and says that it waits. The libraries that it needs are imported on
demand, so that no other command loads them.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
from pathlib import Path
from types import FrameType

from controller.base.errors import InputError
from controller.base.logs import Log, set_up_logs
from controller.base.version import program_version
from controller.cli.arguments import Subparsers, parse_folder, print_line, whole_number_type
from controller.cli.startup import log_stop
from controller.runtime.access.tickets import AccessControl
from controller.tournament.server.event_folders import find_event_folder, refuse_database

DATA = Path("dicebell-event")
PORT = 8090
LONGEST_DELAY_S = 86_400
_HOST_NAME = re.compile(r"[\w-]+(\.[\w-]+)*")
_WEB_ADDRESS = re.compile(r"https?://[\w.-]+(:\d+)?(/[\w./~-]*)?", re.ASCII)
_LOG = Log("tournament")


def add_desk_arguments(parser: argparse.ArgumentParser) -> None:
    """Add where the data of an event of a desk is, for commands that read it."""
    add_data_argument(parser)
    parser.add_argument(
        "--database",
        default="",
        metavar="URL",
        help="the database of the desk, if it is not in its data folder",
    )
    parser.add_argument(
        "--event",
        type=whole_number_type(1),
        metavar="N",
        help="which event of the desk, counted from 1 (the open one, which is the last)",
    )


def add_data_argument(parser: argparse.ArgumentParser) -> None:
    """Add the data folder of a desk."""
    parser.add_argument(
        "--data",
        type=parse_folder,
        default=DATA,
        metavar="DIR",
        help="the data folder of the desk (%(default)s)",
    )


def find_event(args: argparse.Namespace) -> Path:
    """Return the folder of the event that a command reads; InputError if there is none."""
    if not args.database:
        return find_event_folder(args.data, args.event)
    if args.event is not None:
        raise refuse_database().at("--event")
    return Path(args.data)


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "desk",
        help="the server of a tournament, to which tables send their journals",
        description=(
            "Serve a tournament: tables send their journals, and the page at /organiser shows"
            " the code with which a table joins. It starts without its database and waits for it."
        ),
        epilog="Exit status: 0 when it was stopped, 2 when its data or its port cannot be used.",
    )
    parser.add_argument(
        "--data",
        type=parse_folder,
        default=DATA,
        metavar="DIR",
        help="the data folder (%(default)s)",
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="the address to listen on; 0.0.0.0 for all, :: also for IPv6 (%(default)s)",
    )
    parser.add_argument(
        "--port",
        type=whole_number_type(0, 65535),
        default=PORT,
        help="the port; 0 for any free one (%(default)s)",
    )
    parser.add_argument(
        "--host-names",
        type=_parse_host_names,
        default="",
        metavar="NAMES",
        help="other names of this desk for browsers, separated by commas: cup.example.org",
    )
    parser.add_argument(
        "--database",
        default="",
        metavar="URL",
        help="such as postgresql://user@host/event; SQLite in the data folder by default",
    )
    _add_public_arguments(parser)
    parser.add_argument(
        "--open",
        action="store_true",
        help="take unsigned lines of unknown tables; for tests only, and every page says so",
    )


def _add_public_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--public",
        type=parse_folder,
        metavar="DIR",
        help=(
            "write what spectators see into this folder too, for any web server; of the open event"
            " only"
        ),
    )
    parser.add_argument(
        "--public-delay",
        type=whole_number_type(0, LONGEST_DELAY_S),
        default=0,
        metavar="SECONDS",
        help="how much later than the hall spectators see the event (%(default)s)",
    )
    parser.add_argument(
        "--public-url",
        type=_parse_web_address,
        metavar="URL",
        help="where these files are on the web: /standings and /tv send spectators there",
    )


def _parse_web_address(text: str) -> str:
    if not _WEB_ADDRESS.fullmatch(text):
        raise argparse.ArgumentTypeError(
            f"expected an address such as https://live.example.org/cup/, found {text!r}"
        )
    return f"{text.rstrip('/')}/"


def _parse_host_names(text: str) -> str:
    for name in text.split(","):
        if name.strip() and not _HOST_NAME.fullmatch(name.strip()):
            raise argparse.ArgumentTypeError(
                f"expected names such as cup.example.org, separated by commas, found {name!r}"
            )
    return text


def run(args: argparse.Namespace) -> int:
    from controller.cli.event.server import EventOptions, open_event_server
    from webui.tournament.server import TournamentServer

    set_up_logs()
    server = TournamentServer(args.host, args.port)
    refused: list[InputError] = []

    def refuse(error: InputError) -> None:
        refused.append(error)
        server.stop()

    def on_signal(number: int, frame: FrameType | None) -> None:
        server.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)
    options = EventOptions(
        args.data,
        args.database,
        args.open,
        args.public,
        args.public_delay,
        args.host_names,
        args.public_url or "",
    )
    with open_event_server(options, server, refuse) as served:
        where = {"data": str(args.data), "database": served.event.store.database.name}
        _LOG.info("start", version=program_version(), open=args.open, **where)
        _print_start(server.url, served.access, args)
        served.run()
        log_stop()
    for error in refused:
        raise error
    return 0


def _print_start(url: str, access: AccessControl, args: argparse.Namespace) -> None:
    print_line(f"The desk is at {url} (Ctrl-C ends).")
    if args.open:
        print_line("It takes unsigned lines of unknown tables: for tests only (--open).")
    if (pin := access.first_pin()) is not None:
        if sys.stdout.isatty():
            print_line(f"The organiser's first PIN: {pin}")
        else:
            print_line(f"Set the organiser's PIN: dicebell pin --new --data {args.data}")
