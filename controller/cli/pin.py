# SPDX-License-Identifier: MIT
"""
`dicebell pin --new`: set another PIN after the old one was forgotten.

Only the owner of the data folder and root can do that, from a shell on the box. A running table
uses the new PIN at once.
"""

from __future__ import annotations

import argparse

from controller.cli.arguments import Subparsers, print_line, require_data_folder
from controller.cli.config_args import add_table_arguments, resolve_paths
from controller.runtime.access.store import renew_pin


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "pin",
        help="replace a forgotten PIN",
        description="Make a new PIN for a table and print it. Officials must log in again.",
        epilog="Exit status: 0 done, 2 when the data folder cannot be used.",
    )
    parser.add_argument("--new", action="store_true", required=True, help="make a new PIN")
    add_table_arguments(parser)


def run(args: argparse.Namespace) -> int:
    folder = resolve_paths(args).data
    require_data_folder(folder)
    print_line(f"The new PIN is {renew_pin(folder)}")
    return 0
