# SPDX-License-Identifier: MIT
"""How dice, points and lists are written at the table: `4 4 5`, `white 4`, `4 and 5`."""

from __future__ import annotations

from collections.abc import Sequence

_COLOURS = {"w": "white ", "b": "black "}


def die_words(die: str) -> str:
    """Write a die that is given by its text in a roll: `4`, `white 4`."""
    return f"{_COLOURS.get(die[0], '')}{die[-1]}"


def dice_words(dice: Sequence[str]) -> str:
    """Write dice one after the other, in their order: `4 4 5`."""
    return " ".join(die_words(die) for die in dice)


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Write a list: `1`, `1 and 3`, `1, 3 and 5`."""
    *others, end = words
    return f"{', '.join(others)} {last} {end}" if others else end


def format_signed(points: int) -> str:
    """Write points with their sign, as on the printed block; zero has none."""
    return f"{points:+d}".replace("-", "\u2212") if points else "0"
