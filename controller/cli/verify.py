# SPDX-License-Identifier: MIT
"""
`dicebell verify`: whether a journal and its pictures are what the table wrote.

The archive of an event has the journals of many tables, and is checked as a whole.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from controller.base.errors import InputError
from controller.cli.arguments import (
    Subparsers,
    parse_folder,
    require_data_folder,
    whole_number_type,
)
from controller.journal.signing_key import load_public_key
from controller.journal.tlog.kept_checkpoints import parse_kept
from controller.verify.output import build_json, format_text
from controller.verify.verify import verify_journal
from vision.image_files import limit_to_one_thread


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "verify",
        help="check a journal: chain, signatures, pictures read again, rules; where it breaks",
        description=(
            "Check everything that can be checked of a table's journal. Each break is reported with"
            " its line, what was found, what was expected, and the neighbouring entries. The table"
            " may be running; nothing in its folder is changed. With the archive of an event,"
            " check all of its journals and what they say of each other."
        ),
        epilog="Exit status: 0 fine, 1 something is broken, 2 wrong input.",
    )
    parser.add_argument(
        "data",
        type=parse_folder,
        metavar="DATA",
        help="the data folder of a table, a copy of it, or an event's archive",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--checkpoint",
        action="append",
        default=[],
        metavar="TEXT",
        help="a kept checkpoint: its code, size and words, or note (text or file); repeatable",
    )
    parser.add_argument(
        "--key",
        type=Path,
        metavar="FILE",
        help="the public key that must have signed, for an archive the event's (those in it)",
    )
    parser.add_argument(
        "--no-reread", action="store_true", help="do not read the pictures again, which takes long"
    )
    parser.add_argument(
        "--game",
        type=whole_number_type(1),
        metavar="N",
        help="check the pictures of this game alone, as for the bundle of one game (all games)",
    )
    parser.add_argument(
        "--jobs",
        type=whole_number_type(1),
        metavar="J",
        help="how many processes check the tables of an archive (one for each core)",
    )


def run(args: argparse.Namespace) -> int:
    if args.data.is_file():
        return _verify_archive(args)
    if args.jobs is not None:
        found = "a data folder"
        raise InputError(expected="an archive", found=found, where="--jobs")
    limit_to_one_thread()
    require_data_folder(args.data)
    examined = verify_journal(
        args.data,
        kept=[parse_kept(kept) for kept in args.checkpoint],
        key=load_public_key(args.key) if args.key else None,
        rereads=not args.no_reread,
        game=args.game,
    )
    sys.stdout.write(
        f"{json.dumps(build_json(examined))}\n" if args.json else format_text(examined)
    )
    return 1 if examined.is_broken else 0


def _verify_archive(args: argparse.Namespace) -> int:
    """Check the archive of an event, and print the result; return the exit status."""
    from controller.tournament.archive.archive_check import check_archive
    from controller.tournament.archive.archive_output import build_archive_json, format_archive_text

    if args.game is not None:
        expected, found = "a table's data folder", "an archive"
        raise InputError(expected=expected, found=found, where="--game")
    checked = check_archive(
        args.data,
        kept=[parse_kept(kept) for kept in args.checkpoint],
        key=load_public_key(args.key) if args.key else None,
        rereads=not args.no_reread,
        jobs=args.jobs,
    )
    if args.json:
        sys.stdout.write(f"{json.dumps(build_archive_json(checked))}\n")
    else:
        sys.stdout.write(format_archive_text(checked))
    return 1 if checked.is_broken else 0
