# SPDX-License-Identifier: MIT
"""How to just throw dice, in a few lines."""

from __future__ import annotations

from controller.base.languages.message import message
from controller.games.free_dice.notation import DICE_MOST
from controller.games.ui import HelpPart, help_part


def build_help() -> list[HelpPart]:
    return [
        help_part(
            message("Just dice"),
            message("Throw, and the table reads: faces, sum, equal dice. There are no rules."),
            message("Throw again at any time. You need not press anything."),
            message("With several players the turn goes round with every throw of all dice."),
        ),
        help_part(
            message("Dice that stay"),
            message("Leave some dice as they lie and throw the others: that is a new roll too."),
            message("It belongs to the same player. The screen marks the dice that stayed."),
        ),
        help_part(
            message("Number of dice"),
            message(
                "Left and right change the number before a throw, from 1 to {most}.",
                most=DICE_MOST,
            ),
            message("It never ends by itself: choose “End”, or leave it and continue later."),
        ),
    ]
