# SPDX-License-Identifier: MIT
"""`dicebell export`: a journalled game as a record, also while its table is running."""

from __future__ import annotations

import argparse
import io
import sys
from datetime import datetime
from pathlib import Path

from controller.base.durable_files import atomic_write
from controller.base.errors import refuse_os_errors
from controller.base.languages.catalogue import load_catalogues
from controller.base.languages.codes import ENGLISH, list_languages
from controller.base.version import program_version
from controller.cli.arguments import (
    Subparsers,
    parse_folder,
    require_data_folder,
    whole_number_type,
)
from controller.history.replays.bundle import write_bundle
from controller.journal.journal import read_journal
from controller.journal.records.from_journal import JournalGames, export_record, select_game


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "export",
        help="write a journalled game as a record",
        description=(
            "Write a journalled game as a record, which `dicebell replay` reads: only what counts,"
            " without undone choices and with the corrected faces of a roll. The table"
            " may be running meanwhile; nothing in its folder is changed."
        ),
        epilog="Exit status: 0 done, 2 when there is no such game or the journal is broken.",
    )
    add_game_arguments(parser)
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="a file to write (standard output)"
    )
    parser.add_argument(
        "--bundle",
        action="store_true",
        help=(
            "write a zip file for somebody who wants to check the game: record, report, pictures,"
            " public key, and the journal up to the game's checkpoint"
        ),
    )
    parser.add_argument(
        "--language", choices=list_languages(), default=ENGLISH, help="language of the bundle (en)"
    )


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name one game of a data folder."""
    parser.add_argument(
        "data",
        type=parse_folder,
        metavar="DATA",
        help="the data folder of a table, with its journal",
    )
    parser.add_argument(
        "--game",
        type=whole_number_type(1),
        metavar="N",
        help="which of the journal's games, counted from 1 (the last one)",
    )


def run(args: argparse.Namespace) -> int:
    require_data_folder(args.data)
    if args.bundle:
        bundle = io.BytesIO()
        catalogue = load_catalogues()[args.language]
        now, made_by = datetime.now().astimezone(), program_version()
        write_bundle(bundle, args.data, args.game, now=now, made_by=made_by, catalogue=catalogue)
        write_output(bundle.getvalue(), args.output)
        return 0
    game = select_game(JournalGames(read_journal(args.data).entries), args.game)
    write_output(export_record(game).encode(), args.output)
    return 0


def write_output(content: bytes, output: Path | None) -> None:
    """Write the very bytes to a file or to standard output; InputError if the file is refused."""
    if output is None:
        sys.stdout.buffer.write(content)
        return
    with refuse_os_errors("a writable file", output):
        atomic_write(output, content)
