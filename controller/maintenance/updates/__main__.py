# SPDX-License-Identifier: MIT
"""
What the installer asks of this room, before there is a `dicebell` to ask.

`make SOURCE` makes and tries a version and prints its folder; `use RELEASE` uses it from
then on. Exit status: 0 done, 1 the version before is in use again, 2 it could not be made.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from controller.errors import InputError
from controller.maintenance.updates.install import activate, build_and_test
from controller.maintenance.updates.subprocesses import SubprocessRunner
from controller.maintenance.updates.systemd_service import TableService
from controller.maintenance.updates.versions import InstalledVersions
from hardware.clock import MonotonicClock


def main() -> int:
    """Do what is asked; return the exit status."""
    parser = argparse.ArgumentParser(description="Versions of the program on this machine.")
    parser.add_argument("root", type=Path, help="the folder that holds them")
    parser.add_argument("config", type=Path, help="the settings")
    parser.add_argument("what", choices=("make", "use"))
    parser.add_argument("place", type=Path, help="the source to make one of, or the one to use")
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
