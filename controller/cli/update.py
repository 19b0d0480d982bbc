# SPDX-License-Identifier: MIT
"""
`dicebell update`: install another version of the program, or go back to the one before.

The new version is built and tested beside the active one. If the table does not start with it,
the version before becomes active again by itself.
"""

from __future__ import annotations

import argparse
import os
import pwd
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.config_args import APPLIANCE_CONFIG
from controller.cli.startup import print_line
from controller.errors import InputError
from controller.maintenance.updates.install import activate, build_and_test
from controller.maintenance.updates.subprocesses import CommandRunner, SubprocessRunner
from controller.maintenance.updates.systemd_service import TableService
from controller.maintenance.updates.versions import RELEASES, InstalledVersions
from hardware.clock import MonotonicClock

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_parser(subparsers: Subparsers) -> None:
    """Add the command to the command line."""
    parser = subparsers.add_parser(
        "update",
        help="update an installed table, or return to the previous version",
        description=(
            "Build another version beside the current one, test it, and use it. If the table"
            " does not start with it, the previous version returns. Without --from the source is"
            " the folder in which install.sh ran, updated by git if it is a clone."
        ),
        epilog=(
            "Exit status: 0 done, 1 the previous version is in use again, 2 the new version"
            " could not be built and the current one stays."
        ),
    )
    parser.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="DIR_OR_WHEEL",
        help="the project's folder, or a wheel; constraints.txt beside it pins its libraries",
    )
    parser.add_argument("--back", action="store_true", help="return to the previous version")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """
    Update the table; return the exit status.

    Raises:
        InputError: It is not installed, the source is none, or the new version does not work.
    """
    commands = SubprocessRunner()
    versions = _find_versions(Path(sys.prefix))
    if os.geteuid() != 0:
        raise InputError(expected="root; run: sudo dicebell update", found="another user")
    if args.back:
        release = versions.previous()
        if release is None:
            raise InputError(expected="a previous version", found="none", where=str(versions.root))
    else:
        source = args.source.resolve() if args.source else _pull_source(versions, commands)
        print_line(f"Building a version from {source}; the table keeps running.")
        release = build_and_test(versions, source, APPLIANCE_CONFIG, commands)
    is_used = activate(versions, release, TableService(commands, MonotonicClock()), print_line)
    print_line(f"In use: {versions.current()}.")
    return 0 if is_used else 1


def _find_versions(prefix: Path) -> InstalledVersions:
    """
    Return the installed versions, of which this program is one.

    Raises:
        InputError: It is not an installed one.
    """
    place = prefix.resolve()
    if place.parent.name != RELEASES:
        expected = "a table that install.sh installed"
        raise InputError(expected=expected, found=f"a program in {place}")
    return InstalledVersions(place.parent.parent)


def _pull_source(versions: InstalledVersions, commands: CommandRunner) -> Path:
    """
    Return the folder of the installer, with what has come to its repository since.

    Raises:
        InputError: It is not known or not there any more, or git does not go well.
    """
    source = versions.source()
    if source is None or not source.is_dir():
        found = str(source) if source else "no note of it"
        raise InputError(expected="the folder in which install.sh ran, or --from", found=found)
    if (source / ".git").exists():
        # Files that root wrote in somebody's clone would lock them out of it.
        owner = pwd.getpwuid(source.stat().st_uid).pw_name
        git = ["git", "-C", str(source), "pull", "--ff-only", "--quiet"]
        commands.run(["runuser", "-u", owner, "--", *git] if owner != "root" else git)
    return source
