# SPDX-License-Identifier: MIT
"""`dicebell report`: a game as one HTML file, with every picture in it."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from controller.base.errors import InputError
from controller.base.languages.catalogue import load_catalogue
from controller.base.languages.codes import list_languages
from controller.base.settings import load_settings
from controller.base.version import program_version
from controller.cli.arguments import Subparsers, require_data_folder
from controller.cli.config_args import add_config_argument, find_config
from controller.cli.export import add_game_arguments, write_output
from controller.history.report.html import render_html
from controller.history.report.report import build_report
from controller.journal.journal import wall_clock_ms


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "report",
        help="write a game as one HTML file: every roll with its picture, the choices, the sheets",
        description=(
            "Write a game as one HTML file that needs no network: every roll with its picture"
            " and its reading, the choices, the sheets after it, checkpoints and result. A"
            " browser prints it as a PDF. The table may be running meanwhile."
        ),
        epilog=(
            "Exit status: 0 done, 1 when the report had to say that something is wrong, 2 when"
            " there is no such game."
        ),
    )
    add_game_arguments(parser)
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE.html",
        help="a file to write (standard output, but not a terminal)",
    )
    parser.add_argument(
        "--language",
        choices=list_languages(),
        help="language of the report ([web] language of the settings)",
    )
    parser.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="NAME",
        help="the name to show for the first player, repeated for each one (as in the journal)",
    )
    add_config_argument(parser)


def run(args: argparse.Namespace) -> int:
    require_data_folder(args.data)
    if args.output is None and sys.stdout.isatty():
        raise InputError(
            expected="a file to write, or a program to pipe the HTML to",
            found="a terminal",
            where="--output",
        )
    report = build_report(
        args.data,
        args.game,
        now_ms=wall_clock_ms(),
        zone=datetime.now().astimezone().tzinfo or UTC,
        made_by=program_version(),
        names=args.player,
    )
    language = args.language or load_settings(find_config(args.config)).web.language
    write_output(render_html(report, load_catalogue(language)).encode(), args.output)
    failed = [check for check in report.checks if not check.is_well]
    if failed:
        more = f" {len(failed) - 1} more checks failed." if len(failed) > 1 else ""
        sys.stderr.write(f"dicebell report: {failed[0].what}: {failed[0].found}{more}\n")
    return 1 if failed else 0
