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
from typing import TypeVar

from controller.base.errors import InputError
from controller.base.languages.shown_text import isolate_text
from controller.cli.arguments import Subparsers
from controller.games.contract import GameOutcome
from controller.journal.records.replay import ReplayResult, build_result, replay

_Read = TypeVar("_Read")

_MOST_LINE_BYTES = 1 << 20  # No line of a record is longer; a device may never end one.


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


def run(args: argparse.Namespace) -> int:
    status = 0
    for file in args.files:
        try:
            replayed = open_record(file, replay)
        except InputError as error:
            sys.stderr.write(f"dicebell replay: {error}\n")
            status = 2
            continue
        text = json.dumps(build_result(file, replayed)) if args.json else _summary(file, replayed)
        sys.stdout.write(f"{text}\n")
    return status


def open_record(file: str, read: Callable[[Iterable[bytes]], _Read]) -> _Read:
    """Return what a function makes of the lines of a file; InputError if either is refused."""
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
    state = replayed.state
    outcome = state.outcome()
    totals = state.totals()
    shown = {name: isolate_text(name) for name in totals}
    width = max(map(len, shown.values()))
    head = "finished" if outcome else _describe_waiting(replayed)
    lines = [f"{file}: {replayed.game}, {head}"]
    for name, total in totals.items():
        outcome_text = _describe_outcome(name, outcome)
        lines.append(f"  {shown[name]:<{width}} {total:>6}  {outcome_text}".rstrip())
    return "\n".join(lines)


def _describe_waiting(replayed: ReplayResult) -> str:
    expects = replayed.state.expects()
    if expects.roll:
        return f"waits for a roll by {' or '.join(map(isolate_text, expects.roll))}"
    return f"waits for an action by {', '.join(map(isolate_text, expects.do))}"


def _describe_outcome(name: str, outcome: GameOutcome | None) -> str:
    if outcome is None:
        return ""
    if name in outcome.winners:
        return "wins" if len(outcome.winners) == 1 else "shares the win"
    return "loses"
