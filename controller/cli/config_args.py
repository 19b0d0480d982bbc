# SPDX-License-Identifier: MIT
"""The arguments that name the settings and the data of a table, with their defaults."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from controller.cli.arguments import parse_folder
from controller.settings import Settings, load_settings

APPLIANCE_CONFIG = Path("/etc/dicebell/dicebell.toml")


@dataclass(frozen=True, slots=True)
class TablePaths:
    """
    What belongs to a table.

    Attributes:
        config: Its settings file; `None` if there is none.
        data: Its data folder.
    """

    config: Path | None
    data: Path


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the settings file and the data folder."""
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"the settings ({APPLIANCE_CONFIG} where that is there)",
    )
    parser.add_argument(
        "--data", type=parse_folder, metavar="DIR", help="the data folder (as the settings say)"
    )


def resolve_paths(args: argparse.Namespace) -> TablePaths:
    """
    Return what a command is about.

    Raises:
        InputError: The settings cannot be used.
    """
    config = find_config(args.config)
    settings = load_settings(config) if config and not args.data else Settings()
    return TablePaths(config, args.data or settings.data.folder)


def find_config(given: Path | None) -> Path | None:
    """Return the settings file that is given, else the installed table's; `None` without both."""
    return given or (APPLIANCE_CONFIG if APPLIANCE_CONFIG.exists() else None)
