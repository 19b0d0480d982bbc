# SPDX-License-Identifier: MIT
"""What several commands share: types of arguments, and how a line is printed."""

from __future__ import annotations

import argparse
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from controller.base.errors import InputError

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""What a command adds its parser to; argparse has no public name for it."""


def whole_number_type(least: int, most: int | None = None) -> Callable[[str], int]:
    """Return an argparse type for a whole number within a range."""
    span = f"from {least} to {most}" if most is not None else f"of {least} or more"

    def parse(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least or (most is not None and number > most):
            raise argparse.ArgumentTypeError(f"expected a whole number {span}, found {text!r}")
        return number

    return parse


def parse_folder(text: str) -> Path:
    """Parse the path of a folder; an empty one would mean the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("expected a folder, found nothing")
    return Path(text)


def require_data_folder(path: Path) -> None:
    """Check that a table's data folder exists; otherwise InputError."""
    try:
        is_folder = stat.S_ISDIR(path.stat().st_mode)
        found = "a file"
    except FileNotFoundError:
        is_folder, found = False, "no such folder"
    except OSError as error:
        is_folder, found = False, error.strerror or str(error)
    if not is_folder:
        raise InputError(expected="the data folder of a table", found=found, where=str(path))


def parse_players(text: str) -> tuple[str, ...]:
    """Read names that are separated by commas, in clockwise order."""
    return tuple(name.strip() for name in text.split(","))


def print_line(line: str) -> None:
    """Print a line at once, also without a terminal."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
