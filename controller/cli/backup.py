# SPDX-License-Identifier: MIT
"""`dicebell backup`: everything that a table stores in one file, also while it runs."""

from __future__ import annotations

import argparse
import os
from datetime import datetime
from pathlib import Path

from controller.appliance.backup.create import make_backup
from controller.base.errors import InputError
from controller.cli.arguments import Subparsers, print_line
from controller.cli.config_args import add_table_arguments, resolve_paths

SUFFIX = ".zip"


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "backup",
        help="save settings, players, games and pictures in one file",
        description=(
            "Write settings, players, journals, pictures and calibration to one file, with the"
            " digest of each. The table may be running meanwhile. PIN and key are not in it."
        ),
        epilog="Exit status: 0 done, 2 when it cannot be written.",
    )
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        default=Path(),
        metavar="FILE",
        help="a new file .zip, or a folder for one with the time in its name (the current folder)",
    )
    parser.add_argument(
        "--no-pictures", action="store_true", help="without the pictures of the rolls"
    )
    add_table_arguments(parser)


def run(args: argparse.Namespace) -> int:
    table = resolve_paths(args)
    now = datetime.now().astimezone()
    target = args.file
    if target.is_dir():
        target = target / f"dicebell-{now:%Y%m%d-%H%M%S}{SUFFIX}"
    if target.suffix.lower() != SUFFIX:
        # Probably a missing stick: a file at its path would look like a backup.
        expected = f"an existing folder, or a new file {SUFFIX}"
        raise InputError(expected=expected, found=f"no such folder as {target}")
    with_pictures = not args.no_pictures
    made = make_backup(table.data, table.config, target, now=now, with_pictures=with_pictures)
    _match_sudo_user(target)
    print_line(f"{made.files} files of {table.data}, {made.bytes / 1e6:.1f} MB, are in {target}.")
    return 0


def _match_sudo_user(target: Path) -> None:
    """Give the file to the user of sudo, who will copy it."""
    user, group = os.environ.get("SUDO_UID", ""), os.environ.get("SUDO_GID", "")
    if os.geteuid() == 0 and user.isdecimal() and group.isdecimal():
        os.chown(target, int(user), int(group))
