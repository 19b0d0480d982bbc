# SPDX-License-Identifier: MIT
"""
`dicebell update`: install another version of the program, or return to the previous one.

The new version is built and tested beside the active one. If the table does not start with it,
the previous version becomes active again by itself.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from controller.appliance.updates.install import activate, build_and_test
from controller.appliance.updates.repository import (
    COMMIT,
    SIGNERS,
    VERSION_TAG,
    SourceRepository,
    copy_repository,
    version_of,
)
from controller.appliance.updates.subprocesses import CommandRunner, SubprocessRunner
from controller.appliance.updates.systemd_service import TableService
from controller.appliance.updates.versions import RELEASES, InstalledVersions
from controller.base.errors import InputError
from controller.cli.arguments import Subparsers, print_line
from controller.cli.config_args import APPLIANCE_CONFIG
from hardware.clock import MonotonicClock


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "update",
        help="update an installed table, or return to the previous version",
        description=(
            "Build another version beside the current one, test it, and use it. If the table"
            " does not start with it, the previous version returns. Without --from the source is"
            " the newest signed tag of the git clone in which install.sh ran."
        ),
        epilog=(
            "Exit status: 0 done, 1 the previous version is active again, 2 the new version"
            " could not be built and the current one stays."
        ),
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--tag", type=parse_tag, help="a signed tag in place of the newest")
    which.add_argument("--commit", type=parse_commit, help="a commit, by all its 40 digits")
    which.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="DIR_OR_WHEEL",
        help="the project's folder as it is, or a wheel; hashes.txt beside it pins its libraries",
    )
    which.add_argument("--back", action="store_true", help="return to the previous version")


def run(args: argparse.Namespace) -> int:
    commands = SubprocessRunner()
    versions = _find_versions(Path(sys.prefix))
    if os.geteuid() != 0:
        raise InputError(expected="root; run: sudo dicebell update", found="another user")
    if args.back:
        release = versions.previous()
        if release is None:
            raise InputError(expected="a previous version", found="none", where=str(versions.root))
    else:
        with _find_source(args, versions, commands) as source:
            print_line(f"Building a version from {source}; the table keeps running.")
            release = build_and_test(versions, source, APPLIANCE_CONFIG, commands)
    is_used = activate(versions, release, TableService(commands, MonotonicClock()), print_line)
    print_line(f"In use: {versions.current()}.")
    return 0 if is_used else 1


def _find_versions(prefix: Path) -> InstalledVersions:
    """Return the installed versions; InputError if this program is not one of them."""
    place = prefix.resolve()
    if place.parent.name != RELEASES:
        expected = "a table that install.sh installed"
        raise InputError(expected=expected, found=f"a program in {place}")
    return InstalledVersions(place.parent.parent)


@contextlib.contextmanager
def _find_source(
    args: argparse.Namespace, versions: InstalledVersions, commands: CommandRunner
) -> Iterator[Path]:
    """Yield the folder or wheel to build from: the named one, or a checked-out signed commit."""
    if args.source:
        yield args.source.resolve()
        return
    clone = versions.source()
    if clone is None or not clone.is_dir():
        found = str(clone) if clone else "no record of it"
        raise InputError(expected="the folder in which install.sh ran, or --from", found=found)
    with (
        copy_repository(clone, versions.root / SIGNERS, commands) as repository,
        tempfile.TemporaryDirectory(prefix="dicebell-source-") as folder,
    ):
        commit = _find_commit(args, repository)
        print_line(f"The version is commit {commit}.")
        repository.check_out(commit, Path(folder))
        yield Path(folder)


def _find_commit(args: argparse.Namespace, repository: SourceRepository) -> str:
    """Return the named commit, or that of a tag that is signed and not older than this program."""
    if args.commit:
        return repository.require_commit(args.commit)
    if args.tag:
        return repository.require_signed(args.tag)
    tag, own = repository.find_newest_tag(), version("dicebell")
    if VERSION_TAG.fullmatch(f"v{own}") and version_of(tag) < version_of(f"v{own}"):
        expected = f"a version from {own} on; --tag TAG names an older one"
        raise InputError(expected=expected, found=tag)
    return repository.require_signed(tag)


def parse_commit(text: str) -> str:
    """Read the whole digest of a commit: a part of one could mean another commit later."""
    if not COMMIT.fullmatch(text):
        raise argparse.ArgumentTypeError(f"expected the 40 digits of a commit, found {text!r}")
    return text


def parse_tag(text: str) -> str:
    if not VERSION_TAG.fullmatch(text):
        raise argparse.ArgumentTypeError(f"expected a tag such as v1.2, found {text!r}")
    return text
