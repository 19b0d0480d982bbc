# SPDX-License-Identifier: MIT
"""`dicebell archive`: the event of a desk in one file that anybody can check."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.cli.arguments import Subparsers, print_line
from controller.cli.tournament import add_desk_arguments, find_event


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "archive",
        help="write the event of a desk to one file that anybody can check",
        description=(
            "Write the journals of an event, its keys, checkpoints and pictures to one zip file,"
            " which `dicebell verify` checks. The desk may be running meanwhile; nothing is"
            " changed. The same event gives the same bytes."
        ),
        epilog="Exit status: 0 done, 2 when there is no event or the file cannot be written.",
    )
    add_desk_arguments(parser)
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="a new file, such as cup.zip"
    )
    parser.add_argument(
        "--no-pictures", action="store_true", help="without the pictures of the rolls"
    )


def run(args: argparse.Namespace) -> int:
    from controller.tournament.archive.archive_writer import make_archive
    from controller.tournament.archive.event_source import open_event_source

    with open_event_source(find_event(args), args.database) as source:
        made = make_archive(source, args.out, with_pictures=not args.no_pictures)
    print_line(
        f"The event is in {args.out}: tables {made.tables}, entries {made.lines},"
        f" pictures {made.pictures}, {made.size_bytes / 1e6:.1f} MB."
    )
    return 0
