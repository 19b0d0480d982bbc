# SPDX-License-Identifier: MIT
"""`dicebell restore`: put a backup in place; the existing data is moved aside."""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.config_args import add_table_arguments, resolve_paths
from controller.cli.startup import print_line
from controller.maintenance.backup.restore import RestoreResult, restore_backup

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "restore",
        help="restore a backup; existing data is moved aside",
        description=(
            "Check a backup to the last byte, then put it in place of the data folder and of the"
            " settings. Nothing is deleted: what was there lies beside it, with the time in its"
            " name. Stop the table first: sudo systemctl stop dicebell."
        ),
        epilog="Exit status: 0 done, 2 when it was refused; the data is as it was then.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="what `dicebell backup` wrote")
    parser.add_argument("--force", action="store_true", help="also move aside data with games")
    parser.add_argument(
        "--data-only", action="store_true", help="keep the settings of this machine"
    )
    add_table_arguments(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """
    Restore a backup; return the exit status.

    Raises:
        InputError: It is not a complete backup, or it cannot be put in place.
    """
    table = resolve_paths(args)
    config = None if args.data_only else table.config
    now = datetime.now().astimezone()
    restored = restore_backup(args.file, table.data, config, now=now, is_forced=args.force)
    _print_result(restored, table.data)
    return 0


def _print_result(restored: RestoreResult, data: Path) -> None:
    manifest, settings = restored.manifest, restored.settings
    print_line(
        f"{len(manifest.items)} files, made {manifest.made_at} by {manifest.software}, are back."
    )
    print_line("Settings are back too." if settings else "The settings stay as they are.")
    if restored.aside:
        print_line(f"What was there before lies in {restored.aside}.")
    if settings and settings.data.folder.absolute() != data.absolute():
        print_line(
            f"Mind that these settings name {settings.data.folder}, and the data is in {data}."
        )
