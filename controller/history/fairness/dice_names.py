# SPDX-License-Identifier: MIT
"""What dice are called: by their colour, alone or as one die, and by the set that they are of."""

from __future__ import annotations

from collections.abc import Mapping

from controller.base.languages.message import Message, message

DICE_SET = "dice_set"
"""The kind of the entries by which a set of dice, with its `name`, comes to the table."""

COLOURS: Mapping[str, Message] = {
    "": message("unknown"),
    "white": message("white"),
    "black": message("black"),
    "grey": message("grey"),
    "red": message("red"),
    "orange": message("orange"),
    "yellow": message("yellow"),
    "green": message("green"),
    "blue": message("blue"),
    "violet": message("violet"),
    "pink": message("pink"),
}
# The dice of a colour, and the only die of it.
_DICE: Mapping[str, tuple[Message, Message]] = {
    "white": (message("The white dice"), message("The white die")),
    "black": (message("The black dice"), message("The black die")),
    "grey": (message("The grey dice"), message("The grey die")),
    "red": (message("The red dice"), message("The red die")),
    "orange": (message("The orange dice"), message("The orange die")),
    "yellow": (message("The yellow dice"), message("The yellow die")),
    "green": (message("The green dice"), message("The green die")),
    "blue": (message("The blue dice"), message("The blue die")),
    "violet": (message("The violet dice"), message("The violet die")),
    "pink": (message("The pink dice"), message("The pink die")),
}

UNKNOWN = message("Dice of an unknown colour")
FIRST_DICE = message("The first dice")  # They have no name of their own.


def name_dice(colour: str, *, is_one_die: bool) -> str:
    """Return what the dice of a colour are called, or the only die of it."""
    if not colour:
        return UNKNOWN
    return _DICE[colour][is_one_die] if colour in _DICE else colour
