# SPDX-License-Identifier: MIT
"""
`dicebell bench`: how fast this machine reads dice, or replays games.

Figures alone say little about another machine. So each stands beside something that is
measured in the same run, and the ratio of the two is what can be compared.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from controller.app.commands.arguments import whole_number
from controller.app.commands.bench import reading, rules

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_parser(subparsers: Subparsers) -> None:
    """Add the command to the command line."""
    parser = subparsers.add_parser(
        "bench",
        help="how fast this machine reads, by stage, or replays games by the rules",
        description=(
            "reading: read simulated frames of 1280x720 with five dice on one thread, and the"
            " same frames by blobs and clustering in between; medians in milliseconds."
            " rules: replay records of random games on one core, and parse the same lines as"
            " JSON alone; events a second."
        ),
        epilog="Exit status: 0.",
    )
    parser.add_argument(
        "subject",
        nargs="?",
        choices=("reading", "rules"),
        default="reading",
        help="what is measured (%(default)s)",
    )
    parser.add_argument(
        "--frames", type=whole_number(1), default=40, help="reading: how many rests (%(default)s)"
    )
    parser.add_argument(
        "--games", type=whole_number(1), default=50, help="rules: how many of a kind (%(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure, and print what was measured; return the exit status."""
    is_rules = args.subject == "rules"
    figures = rules.measured(args.games) if is_rules else reading.measured(args.frames)
    if args.json:
        sys.stdout.write(json.dumps(figures) + "\n")
    else:
        sys.stdout.write("".join(_line(name, value) for name, value in figures.items()))
    return 0


def _line(name: str, value: float) -> str:
    """Write a figure for people; counts and events a second have nothing after the point."""
    return f"{name:40}{value:12.3f}\n" if isinstance(value, float) else f"{name:40}{value:12,}\n"
