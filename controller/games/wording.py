# SPDX-License-Identifier: MIT
"""How dice, points and lists are written at the table: `4 4 5`, `white 4`, `4 and 5`."""

from __future__ import annotations

from collections.abc import Sequence

from controller.base.languages.message import Message, chain_messages, join_words, message


def die_words(die: str) -> str:
    """Write a die that is given by its text in a roll: `4`, `white 4`."""
    match die[0]:
        case "w":
            return message("white {face}", face=die[-1])
        case "b":
            return message("black {face}", face=die[-1])
        case _:
            return die


def dice_words(dice: Sequence[str]) -> str:
    """Write dice one after the other, in their order: `4 4 5`."""
    return chain_messages([die_words(die) for die in dice])


def winner_words(winners: Sequence[str], points: int | str) -> Message:
    """Write who has won with how many points; several share the win."""
    if len(winners) == 1:
        return message("{player} wins with {points} points.", player=winners[0], points=points)
    names = join_words(winners)
    return message("{players} share the win with {points} points.", players=names, points=points)


def format_signed(points: int) -> str:
    """Write points with their sign, as on the printed block; zero has none."""
    return f"{points:+d}".replace("-", "\u2212") if points else "0"


def describe_option(label: str, value: bool | int) -> Message:
    """Write an option of a game with its value: `Fives: yes`."""
    shown = str(value)
    if isinstance(value, bool):
        shown = message("yes") if value else message("no")
    return message("{option}: {value}", option=label, value=shown)
