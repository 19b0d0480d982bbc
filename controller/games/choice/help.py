# SPDX-License-Identifier: MIT
"""The rules of Choice in a few lines; every figure is the one that the rules count with."""

from __future__ import annotations

from controller.base.languages.message import Message, chain_messages, message
from controller.games.choice.jokers import JOKER_POINTS
from controller.games.choice.notation import TOTALS
from controller.games.choice.sheet import FIFTH_BOXES, PAID_MARKS, PAR_MARKS, PENALTY, VALUES
from controller.games.contract import Options
from controller.games.ui import HelpPart, help_part
from controller.games.wording import format_signed


def build_help(options: Options) -> list[HelpPart]:
    parts = [_build_aim(), _build_roll(), _build_fifth_die(), _build_points()]
    return [*parts, _build_jokers()] if options["jokers"] else parts


def _build_aim() -> HelpPart:
    return help_part(
        message("The aim"),
        message("One roll of five dice counts for everybody. You all mark sheets of your own."),
        message("The highest result wins, even if it is negative; equal results share the win."),
        message("If you play alone, a negative result is a defeat."),
    )


def _build_roll() -> HelpPart:
    return help_part(
        message("A roll"),
        message(
            "Make two pairs and leave one die, the fifth die. Cross off the sum of each pair on "
            "your sheet. Each die is used once."
        ),
        message("When all have chosen, the next player clockwise who is still in the game throws."),
    )


def _build_fifth_die() -> HelpPart:
    return help_part(
        message("The fifth die"),
        message(
            "The first three different faces that you leave get a row each. Until you have "
            "three, you may leave any die. Each fifth die crosses off a box in its row."
        ),
        message(
            "Once you have three: if the roll shows one of them, you must leave that die. If it "
            "shows several, you choose one of them."
        ),
        message("If it shows none of them, it is a free roll: leave any die, without a cross."),
        message(
            "Your game ends when one of your three has {boxes} crosses. The others play on.",
            boxes=FIFTH_BOXES,
        ),
    )


def _build_points() -> HelpPart:
    return help_part(
        message("Points for each sum"),
        message(
            "No cross: 0. 1 to {few} crosses: {penalty}. {par} crosses: 0.",
            few=PAR_MARKS - 1,
            penalty=format_signed(-PENALTY),
            par=PAR_MARKS,
        ),
        message(
            "Cross number {first} to {last}: each counts the points of its sum. More crosses "
            "are allowed, but count nothing.",
            first=PAR_MARKS + 1,
            last=PAID_MARKS,
        ),
        message("Points: {list}.", list=_list_values()),
    )


def _build_jokers() -> HelpPart:
    return help_part(
        message("Jokers"),
        message(
            "You have each joker once in the game. Each unused one counts {points} points at the "
            "end. You may use several on one roll.",
            points=JOKER_POINTS,
        ),
        message("Terminator: you throw all five dice again, for yourself alone."),
        message("Corrector: you turn one die to any other face, for yourself alone."),
        message(
            "3:1: three dice and one die instead of two pairs. Both sums must be from {low} to "
            "{high}.",
            low=TOTALS[0],
            high=TOTALS[-1],
        ),
    )


def _list_values() -> Message:
    """Return what a cross on each sum is worth, sums of one value together."""
    first, last = TOTALS[0], TOTALS[-1]
    pairs = [
        message("{low} and {high}: {points}", low=low, high=first + last - low, points=VALUES[low])
        for low in range(first, (first + last) // 2)
    ]
    middle = message("{sum}: {points}", sum=(first + last) // 2, points=VALUES[(first + last) // 2])
    return chain_messages([*pairs, middle], ", ")
