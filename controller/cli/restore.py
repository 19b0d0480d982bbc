# SPDX-License-Identifier: MIT
"""`dicebell restore`: put a backup in place; the existing data is moved aside."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime
from pathlib import Path

from controller.appliance.backup.archive import DATA_PREFIX
from controller.appliance.backup.restore import RestoreResult, restore_backup
from controller.base.errors import format_one_line
from controller.base.settings import Settings
from controller.base.settings.convert import format_toml
from controller.base.settings.schema import list_sections
from controller.cli.arguments import Subparsers, print_line
from controller.cli.config_args import add_table_arguments, resolve_paths


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "restore",
        help="restore a backup; existing data is moved aside",
        description=(
            "Check a backup to the last byte, then put it in place of the data folder and of the"
            " settings. Nothing is deleted: the old data stays beside it, with the time in its"
            " name. A backup of another machine brings games, pictures and names only. Stop the"
            " table first: sudo systemctl stop dicebell."
        ),
        epilog="Exit status: 0 done, 2 when it was refused and nothing was changed.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a file of `dicebell backup`")
    parser.add_argument("--force", action="store_true", help="also move aside data with games")
    parser.add_argument(
        "--trust",
        action="store_true",
        help="the backup is yours, such as that of a card that failed: bring settings, with where"
        " to send and who may enter, and calibration too",
    )
    parser.add_argument(
        "--data-only", action="store_true", help="keep the settings of this machine"
    )
    add_table_arguments(parser)


def run(args: argparse.Namespace) -> int:
    table = resolve_paths(args)
    restored = restore_backup(
        args.file,
        table.data,
        table.config,
        now=datetime.now().astimezone(),
        is_forced=args.force,
        is_trusted=args.trust,
        with_settings=not args.data_only,
    )
    for line in _describe(restored, table.data):
        print_line(line)
    return 0


def _describe(restored: RestoreResult, data: Path) -> Iterator[str]:
    manifest, settings, left_out = restored.manifest, restored.settings, restored.left_out
    count = len(manifest.items) - len(left_out)
    of_all = f" of {len(manifest.items)}" if left_out else ""
    made = format_one_line(f"made {manifest.made_at} by {manifest.software}", 200)
    yield f"{count}{of_all} files, {made}, are back."
    if left_out:
        yield (
            "Left out, because another machine may have made this backup:"
            if not restored.is_whole
            else "Left out, because this machine keeps its own:"
        )
    for name, why in left_out.items():
        yield f"  {format_one_line(name.removeprefix(DATA_PREFIX), 100)}: {why}"
    if not restored.is_whole:
        yield (
            "If it is yours, such as the backup of a card that failed, bring the rest too: restore"
            " it again with --trust and --force."
        )
    yield "Settings are back too." if settings else "The settings stay as they are."
    if settings:
        yield from _compare(restored.replaced, settings)
    if restored.aside:
        yield f"The previous data is in {restored.aside}."
    if settings and settings.data.folder.absolute() != data.absolute():
        yield f"Note: these settings name {settings.data.folder}, and the data is in {data}."


def _compare(before: Settings, after: Settings) -> Iterator[str]:
    """Yield every setting that a backup changed: some say where to send and who may enter."""
    old = list_sections(before)
    for name, section in list_sections(after).items():
        for key in fields(section):
            was, now = getattr(old[name], key.name), getattr(section, key.name)
            if was != now:
                yield f"  {name}.{key.name} = {format_toml(now)} (was {format_toml(was)})"
