# SPDX-License-Identifier: MIT
"""The rules of Choice in a few lines; every figure is the one that the rules count with."""

from __future__ import annotations

from controller.games.choice.jokers import JOKER_POINTS
from controller.games.choice.sheet import FIFTH_BOXES, PAID_MARKS, PAR_MARKS, PENALTY, VALUES
from controller.games.contract import Options
from controller.games.ui import HelpPart, help_part


def build_help(options: Options) -> list[HelpPart]:
    parts = [
        help_part(
            "What it is about",
            "One roll of five dice serves everybody; each marks a sheet of their own.",
            "The highest result wins, even if it is negative. Alone, 0 or more is a win.",
        ),
        help_part(
            "A roll",
            "Make two pairs and leave one die, the fifth. Each pair's total gets a mark.",
            "When all have chosen, the next player still in the game throws.",
        ),
        help_part(
            "The fifth die",
            "The first three faces that you leave out get a row each.",
            "After that, if the roll shows one of your three, you must leave one of them.",
            "If it shows none, it is a free roll: leave any die, without a mark.",
            f"Your game ends with the {_ordinal(FIFTH_BOXES)} mark of a face; others play on.",
        ),
        help_part(
            "Points for each total",
            f"No mark 0, one to {PAR_MARKS - 1} marks −{PENALTY}, {PAR_MARKS} marks 0.",
            f"Each mark from the {_ordinal(PAR_MARKS + 1)} to the {_ordinal(PAID_MARKS)} counts "
            "the value of the total; more count nothing.",
            _value_words(),
        ),
    ]
    return [*parts, _build_joker_part()] if options["jokers"] else parts


def _build_joker_part() -> HelpPart:
    return help_part(
        "Jokers",
        f"You have one of each for the whole game; each unused one counts {JOKER_POINTS} at the "
        "end. Several may be used on one roll.",
        "Terminator: throw all five dice again, for you alone.",
        "Corrector: turn one die to any other face, for you alone.",
        "3:1: three dice and one die instead of two pairs; both totals must be from 2 to 12.",
    )


def _value_words() -> str:
    """Return what a mark on each total is worth, totals of one value together."""
    pairs = [f"{low} and {14 - low}: {VALUES[low]}" for low in range(2, 7)]
    return f"Values: {', '.join(pairs)}, 7: {VALUES[7]}."


def _ordinal(number: int) -> str:
    words = {6: "sixth", 8: "eighth", 10: "tenth"}
    return words[number]
