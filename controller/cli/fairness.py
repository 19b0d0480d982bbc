# SPDX-License-Identifier: MIT
"""`dicebell fairness`: whether the dice of a table are fair."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from controller.cli.arguments import parse_folder
from controller.cli.history import find_folder, open_history
from controller.fairness.face_test import bound_share
from controller.fairness.verdict import describe_verdict, judge_dice
from controller.history.statistics_views import DiceStatistics

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "fairness",
        help="say whether the dice of a table are fair",
        description=(
            "Judge the dice of a table, and those of each colour, by the faces that were thrown"
            " and read without a doubt. It may be asked after every throw. The table may be"
            " running meanwhile; nothing in its folder is changed."
        ),
        epilog=(
            "Exit status: 0 done, 1 when there is something against dice or the journal does not"
            " verify, 2 when there is no such journal."
        ),
    )
    parser.add_argument(
        "data",
        nargs="?",
        type=parse_folder,
        metavar="DATA",
        help="the data folder of a table (from the settings)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """
    Print whether the dice are fair; return the exit status.

    Raises:
        InputError: There is no such journal.
    """
    folder = args.data or find_folder()
    history = open_history(folder)
    if problem := history.read_progress().problem:
        sys.stderr.write(f"dicebell fairness: {folder} is not counted. {problem}\n")
        return 1
    dice = history.read_table().dice
    groups = [_judge("all", dice.faces, dice)]
    if len(dice.by_colour) > 1:
        groups += [_judge(name or "unknown", faces) for name, faces in dice.by_colour.items()]
    if args.json:
        answer = {"data": str(folder), "unsure": dice.unsure, "groups": groups}
        sys.stdout.write(json.dumps(answer) + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in _describe(groups, dice.unsure)))
    return 1 if any(group["is_suspect"] for group in groups) else 0


def _judge(
    name: str, faces: Sequence[int], dice: DiceStatistics | None = None
) -> dict[str, object]:
    """Return what is known of dice, as JSON has it; the bond of dice only with the statistics."""
    verdict = dice.verdict if dice else judge_dice(faces)
    said = dice.said if dice else describe_verdict(verdict, faces)
    total = sum(faces)
    bounds = [bound_share(count, total) for count in faces] if total else []
    known = asdict(verdict)
    if dice is None:
        del known["bond_chance"]
    return {"name": name, "dice": total, "faces": list(faces), "bounds": bounds, **known} | {
        "said": [str(one) for one in said]
    }


def _describe(groups: Sequence[dict[str, object]], unsure: int) -> Iterator[str]:
    for group in groups:
        said, faces, bounds = group["said"], group["faces"], group["bounds"]
        assert isinstance(said, list)
        assert isinstance(faces, list)
        assert isinstance(bounds, list)
        yield f"{group['name']}: {' '.join(said) or 'No die was thrown yet.'}"
        for face, (count, (low, high)) in enumerate(zip(faces, bounds, strict=False), start=1):
            share = 100 * count / sum(faces)
            yield f"  {face} {count:>8} {share:>6.1f} %  {100 * low:.1f} to {100 * high:.1f} %"
    yield f"Doubted or entered by hand, and not counted: {unsure} dice."
