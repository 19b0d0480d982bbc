# SPDX-License-Identifier: MIT
"""
The commands of this package for the installer, before `dicebell` is installed.

`make SOURCE` builds and tests a version and prints its folder; `use RELEASE` activates it.
Exit status: 0 done, 1 the previous version is active again, 2 it could not be built.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from controller.appliance.updates.install import activate, build_and_test
from controller.appliance.updates.subprocesses import SubprocessRunner
from controller.appliance.updates.systemd_service import TableService
from controller.appliance.updates.versions import InstalledVersions
from controller.base.errors import InputError
from hardware.clock import MonotonicClock


def main() -> int:
    """Run a command; return the exit status."""
    parser = argparse.ArgumentParser(
        description="Build and activate versions of the program on this machine."
    )
    parser.add_argument("root", type=Path, help="the folder of the versions")
    parser.add_argument("config", type=Path, help="the settings")
    parser.add_argument("what", choices=("make", "use"))
    parser.add_argument(
        "place", type=Path, help="the source to build from, or the version to activate"
    )
    args = parser.parse_args()
    versions, commands = InstalledVersions(args.root), SubprocessRunner()
    try:
        if args.what == "make":
            release = build_and_test(versions, args.place, args.config, commands)
            sys.stdout.write(f"{release}\n")
            return 0
        is_used = activate(
            versions, args.place, TableService(commands, MonotonicClock()), _print_error
        )
    except InputError as error:
        _print_error(str(error))
        return 2
    except OSError as error:
        _print_error(f"expected free space for the new version, found {error}")
        return 2
    return 0 if is_used else 1


def _print_error(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
