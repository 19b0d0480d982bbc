# SPDX-License-Identifier: MIT
"""
Rolls of dice: sorted faces, and their one text form.

A roll is a sorted tuple, because the order of dice means nothing to any game. Two rolls are
equal if they show the same faces.
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.base.errors import InputError
from controller.base.languages.message import message

FACES = (1, 2, 3, 4, 5, 6)

Roll = tuple[int, ...]


def make_roll(faces: Iterable[int]) -> Roll:
    """Return the roll that shows these faces; InputError for a face that is not 1 to 6."""
    roll = tuple(sorted(faces))
    for face in roll:
        if face not in FACES:
            raise InputError(expected=message("faces from 1 to 6"), found=str(face))
    return roll


def roll_text(roll: Iterable[int]) -> str:
    """Write a roll as its digits, smallest first: `13446`."""
    return "".join(str(face) for face in sorted(roll))


def parse_roll(text: str, *, count: int) -> Roll:
    """Read a roll of exactly `count` digits from 1 to 6, in any order; otherwise InputError."""
    if len(text) != count or any(sign not in "123456" for sign in text):
        expected = message("{count} digits from 1 to 6, such as 13446", count=count)
        raise InputError(expected=expected, found=repr(text))
    return make_roll(int(sign) for sign in text)
