# SPDX-License-Identifier: MIT
"""The arguments that name the settings and the data of a table, with their defaults."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from pathlib import Path

from controller.base.errors import InputError
from controller.base.settings import Settings, load_settings
from controller.cli.arguments import parse_folder

APPLIANCE_CONFIG = Path("/etc/dicebell/dicebell.toml")


@dataclass(frozen=True, slots=True)
class TablePaths:
    config: Path | None
    data: Path


def add_config_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"the settings ({APPLIANCE_CONFIG} if it exists)",
    )


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the settings file and the data folder."""
    add_config_argument(parser)
    parser.add_argument(
        "--data", type=parse_folder, metavar="DIR", help="the data folder (from the settings)"
    )


def resolve_paths(args: argparse.Namespace) -> TablePaths:
    """Return the settings file and the data folder of a command; InputError if root must not."""
    config = find_config(args.config)
    if args.data or config is None:
        return TablePaths(config, args.data or Settings().data.folder)
    folder = load_settings(config).data.folder
    require_owned_folder(config, folder)
    return TablePaths(config, folder)


def require_owned_folder(config: Path, folder: Path) -> None:
    """
    Refuse to use root's rights on a folder that another user's settings file names.

    The settings of an installed table belong to its account, so that the service page can change
    them. Root must not write or pack a folder that this account itself could not. InputError if the
    program runs as root, and folder and file have different owners.
    """
    owner = config.stat().st_uid
    if os.geteuid() != 0 or owner == 0:
        return
    if folder.is_dir() and folder.stat().st_uid == owner:
        return
    expected = f"a data folder of user {owner}, the owner of {config}, or --data DIR"
    found = f"{folder} of another user" if folder.exists() else f"no folder {folder}"
    raise InputError(expected=expected, found=found, where="data.folder")


def find_config(given: Path | None) -> Path | None:
    """Return the given settings file, or the installed table's; `None` if there is neither."""
    return given or (APPLIANCE_CONFIG if APPLIANCE_CONFIG.exists() else None)
