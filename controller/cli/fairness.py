# SPDX-License-Identifier: MIT
"""`dicebell fairness`: whether the dice of a table are fair."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from controller.base.moments import format_moment
from controller.cli.arguments import Subparsers
from controller.cli.history import add_history_arguments, open_history
from controller.history.fairness.face_test import bound_share
from controller.history.fairness.verdict import DiceVerdict
from controller.history.views import DiceStatistics, Faces, SetVerdict


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "fairness",
        help="say whether the dice of a table are fair",
        description=(
            "Judge each set of dice of a table, and those of each colour, by the faces that were"
            " thrown and read without a doubt. It may be asked after every throw. The table may be"
            " running meanwhile; nothing in its folder is changed."
        ),
        epilog=(
            "Exit status: 0 done, 1 when there is something against dice or the journal does not"
            " verify, 2 when there is no such journal."
        ),
    )
    add_history_arguments(parser)


def run(args: argparse.Namespace) -> int:
    history = open_history(args)
    if history is None:
        return 1
    dice = history.read_table().dice
    if args.json:
        answer = {
            "data": str(args.data),
            "unsure": dice.unsure,
            "untold": dice.untold,
            "all": _view_group(dice.faces, dice.verdict, dice.said),
            "sets": [_view_set(one) for one in dice.sets],
        }
        sys.stdout.write(json.dumps(answer) + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in _describe(dice)))
    return int(any(_is_suspect(one) for one in dice.sets))


def _is_suspect(dice_set: SetVerdict) -> bool:
    verdicts = (dice_set.verdict, *(one.verdict for one in dice_set.colours))
    return any(verdict.is_suspect for verdict in verdicts)


def _view_set(dice_set: SetVerdict) -> dict[str, object]:
    """Return a set for JSON; the bond of dice is known of all its colours together."""
    return {
        "name": dice_set.name,
        "since_ms": dice_set.since_ms,
        "is_current": dice_set.is_current,
        "unsure": dice_set.unsure,
        "untold": dice_set.untold,
        **_view_group(dice_set.faces, dice_set.verdict, dice_set.said),
        "colours": [
            {
                "colour": one.colour,
                "is_one_die": one.is_one_die,
                **_view_group(one.faces, one.verdict, one.said),
            }
            for one in dice_set.colours
        ],
    }


def _view_group(faces: Faces, verdict: DiceVerdict, sentences: Sequence[str]) -> dict[str, object]:
    total = sum(faces)
    bounds = [bound_share(count, total) for count in faces] if total else []
    known = {"dice": total, "faces": list(faces), "bounds": bounds, **asdict(verdict)}
    return {**known, "said": [str(one) for one in sentences]}


def _describe(dice: DiceStatistics) -> Iterator[str]:
    has_names = any(one.name for one in dice.sets)
    for one in dice.sets:
        if has_names:
            came = f", since {format_moment(one.since_ms, '%Y-%m-%d')}"
            now = ", on the table now" if one.is_current else ""
            yield f"{one.label}{came if one.since_ms else ''}{now}"
        yield from _describe_group("all", one.faces, one.said)
        for colour in one.colours:
            yield from _describe_group(colour.label, colour.faces, colour.said)
    yield f"Doubted or entered by hand, and not counted: {dice.unsure} dice."
    if dice.untold:
        why = "they stayed, or a hand set them"
        yield f"Nobody knows whether {dice.untold} more were thrown: {why}."


def _describe_group(name: str, faces: Faces, sentences: Sequence[str]) -> Iterator[str]:
    yield f"{name}: {' '.join(sentences) or 'No die was thrown yet.'}"
    total = sum(faces)
    for face, count in enumerate(faces, start=1) if total else ():
        low, high = bound_share(count, total)
        share = f"{100 * count / total:>6.1f} %"
        yield f"  {face} {count:>8} {share}  {100 * low:.1f} to {100 * high:.1f} %"
