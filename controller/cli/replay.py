# SPDX-License-Identifier: MIT
"""
`dicebell replay`: replay records and print their results.

A broken or illegal file is reported on standard error and prints no result; the others are
still replayed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from controller.errors import InputError
from controller.games.contract import GameOutcome
from controller.records.replay import ReplayResult, build_result, replay

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


_Read = TypeVar("_Read")

_MOST_LINE_BYTES = 1 << 20
"""No line of a record is longer; a device may never end one."""


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "replay",
        help="replay game records by the rules",
        description=(
            "Replay game records by the rules, and print what each leads to. The first event"
            " that is not legal stops its file; the others are still replayed."
        ),
        epilog="Exit status: 0 when every record is legal, 2 when a file is not.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a game record (JSON Lines)")
    parser.add_argument("--json", action="store_true", help="print one JSON object a file")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """
    Replay the files in the order given.

    Returns:
        The exit status: 0, or 2 if a file could not be replayed to its end.
    """
    status = 0
    for file in args.files:
        try:
            replayed = open_record(file, replay)
        except InputError as error:
            sys.stderr.write(escape_unprintable(f"dicebell replay: {error}\n", sys.stderr.encoding))
            status = 2
            continue
        text = json.dumps(build_result(file, replayed)) if args.json else _summary(file, replayed)
        sys.stdout.write(escape_unprintable(f"{text}\n", sys.stdout.encoding))
    return status


def open_record(file: str, read: Callable[[Iterable[bytes]], _Read]) -> _Read:
    """
    Return what a function makes of the lines of a file.

    Raises:
        InputError: The file cannot be read, or the function refuses a line of it.
    """
    try:
        with open(file, "rb") as record:
            # A line beyond the limit arrives in pieces, and the first one is refused.
            return read(iter(lambda: record.readline(_MOST_LINE_BYTES), b""))
    except InputError as error:
        raise error.at(f"{file}, {error.where}") from error
    except OSError as error:
        raise InputError(
            expected="a readable file", found=error.strerror or "none", where=file
        ) from error


def _summary(file: str, replayed: ReplayResult) -> str:
    """Return the result for people: the state of the game, then a line for each player."""
    state = replayed.state
    outcome = state.outcome()
    totals = state.totals()
    width = max(len(name) for name in totals)
    head = "finished" if outcome else _describe_waiting(replayed)
    lines = [f"{file}: {replayed.game}, {head}"]
    for name, total in totals.items():
        lines.append(f"  {name:<{width}} {total:>6}  {_describe_outcome(name, outcome)}".rstrip())
    return "\n".join(lines)


def _describe_waiting(replayed: ReplayResult) -> str:
    expects = replayed.state.expects()
    if expects.roll:
        return f"waits for a roll by {' or '.join(expects.roll)}"
    return f"waits for an action by {', '.join(expects.do)}"


def _describe_outcome(name: str, outcome: GameOutcome | None) -> str:
    if outcome is None:
        return ""
    if name in outcome.winners:
        return "wins" if len(outcome.winners) == 1 else "shares the win"
    return "loses"


def escape_unprintable(text: str, encoding: str) -> str:
    """Escape what the terminal cannot show: a name or a path may contain any character."""
    return text.encode(encoding, "backslashreplace").decode(encoding)
