# SPDX-License-Identifier: MIT
"""
Results of Black'n'White: their one text form, and their rank.

A result is a white and a black face. Doubles beat everything. Other results are read as a
number: one colour gives the tens, the other one the units. The round decides which, so a
result alone has no rank.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Literal, TypeAlias

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.games.dice import FACES

Result: TypeAlias = tuple[int, int]  # A white face and a black one.

Colour: TypeAlias = Literal["white", "black"]

Tens: TypeAlias = Colour | Literal[""]
"""The colour that gives the tens; empty before a player has chosen it."""

_LETTERS = {"light": "w", "dark": "b"}

# Above 65, the highest house number.
_DOUBLE = 100


def die_text(face: int, polarity: str) -> str:
    """Write one die, such as `w4` for a light one and `b6` for a dark one."""
    return f"{_LETTERS[polarity]}{face}"


def dice_texts(result: Result) -> tuple[str, str]:
    """Write both dice of a result, the white one first."""
    white, black = result
    return die_text(white, "light"), die_text(black, "dark")


def result_text(result: Result) -> str:
    """Write a result as a roll of the record, such as `w4 b6`."""
    return " ".join(dice_texts(result))


# All 36 of them: a text has exactly one form, so looking it up is reading it.
_RESULTS: Mapping[str, Result] = {
    result_text((white, black)): (white, black) for white, black in product(FACES, repeat=2)
}


def parse_result(text: str) -> Result:
    """Read a result, a white and a black die with one space; InputError for anything else."""
    result = _RESULTS.get(text)
    if result is None:
        expected = message("a white and a black die, such as w4 b6")
        raise InputError(expected=expected, found=repr(text))
    return result


def is_double(result: Result) -> bool:
    """Return whether both dice show the same face."""
    white, black = result
    return white == black


def rank(result: Result, tens: Tens) -> int:
    """Return a number that is higher for the higher result; ValueError before tens are chosen."""
    white, black = result
    if white == black:
        return _DOUBLE + white
    if not tens:
        raise ValueError(f"{result_text(result)} has no rank before the tens are said")
    return 10 * white + black if tens == "white" else 10 * black + white
