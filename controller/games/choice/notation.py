# SPDX-License-Identifier: MIT
"""
A choice in the game of Choice: two pairs and a fifth die, and its one text form.

`4+10/4` means pairs with the totals 4 and 10, and a 4 that is left out. The sheet needs only
the totals. A screen needs the dice, so this module also maps dice to choices and back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.games.dice import Roll
from controller.games.wording import dice_words

TOTALS = tuple(range(2, 13))

DICE_COUNT = 5

Pair = tuple[int, int]

# Places of the two pairs among four dice: three ways to split them.
_SPLITS: tuple[tuple[Pair, Pair], ...] = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))

_TEXT = re.compile(r"([1-9][0-9]?)\+([1-9][0-9]?)/([1-6])", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class PairChoice:
    """Two totals, the smaller first, and the face of the fifth die."""

    low: int
    high: int
    fifth: int

    @property
    def totals(self) -> tuple[int, int]:
        """The two totals that get a mark."""
        return self.low, self.high


@dataclass(frozen=True, slots=True)
class PairGroups:
    """Which dice of a roll, by index, form the pairs of a choice; `a` has the smaller total."""

    a: Pair
    b: Pair
    fifth: int


def choice_text(choice: PairChoice) -> str:
    """Write a choice in the notation of records, such as `4+10/4`."""
    return f"{choice.low}+{choice.high}/{choice.fifth}"


def parse_choice(text: str) -> PairChoice:
    """Read a choice; InputError unless it is in its one notation, by which records compare."""
    match = _TEXT.fullmatch(text)
    low, high, fifth = (int(part) for part in match.groups()) if match else (0, 0, 0)
    if not (low in TOTALS and high in TOTALS and low <= high):
        raise InputError(
            expected=message("a choice such as 4+10/4, the smaller sum first"), found=repr(text)
        )
    return PairChoice(low, high, fifth)


@cache
def list_choices(roll: Roll) -> Mapping[str, PairChoice]:
    """
    Return every choice that these five dice offer, by its text, smallest totals first.

    It ignores the fifth-die table. Equal choices are one, so there are 1 to 15. The result is
    cached: do not change it.
    """
    choices = {_group_choice(roll, groups) for groups in _all_groups(roll)}
    return {choice_text(choice): choice for choice in sorted(choices)}


def find_pair_groups(faces: Sequence[int], action: str) -> PairGroups:
    """Return which dice form a choice's pairs, the first of equal ones; InputError without."""
    wanted = parse_choice(action)
    for groups in _all_groups(faces):
        if _group_choice(faces, groups) == wanted:
            return groups
    dice = dice_words([str(face) for face in faces])
    raise InputError(expected=message("a choice of the dice {dice}", dice=dice), found=repr(action))


def choice_from_pairs(faces: Sequence[int], first: Pair, second: Pair) -> str:
    """Return the choice of two tapped pairs; InputError unless they are four different dice."""
    left = set(range(DICE_COUNT)) - {*first, *second}
    if len(left) != 1 or len(faces) != DICE_COUNT:
        expected = message("two pairs of five dice")
        raise InputError(expected=expected, found=f"{first} and {second}")
    return choice_text(_group_choice(faces, PairGroups(first, second, left.pop())))


def _all_groups(faces: Sequence[int]) -> list[PairGroups]:
    """Return all fifteen ways to group five dice; the pair with the smaller total is `a`."""
    found = []
    for fifth in range(len(faces)):
        rest = [index for index in range(len(faces)) if index != fifth]
        for one, other in _SPLITS:
            pairs = [(rest[i], rest[j]) for i, j in (one, other)]
            pairs.sort(key=lambda pair: faces[pair[0]] + faces[pair[1]])
            found.append(PairGroups(pairs[0], pairs[1], fifth))
    return found


def _group_choice(faces: Sequence[int], groups: PairGroups) -> PairChoice:
    low, high = sorted(faces[i] + faces[j] for i, j in (groups.a, groups.b))
    return PairChoice(low, high, faces[groups.fifth])
