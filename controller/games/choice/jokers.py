# SPDX-License-Identifier: MIT
"""
The jokers of Choice: what each may do to a roll, and its text form.

Every player has each joker once a game. Terminator and corrector change only that player's
dice. These dice are real, so the joker begins a wait, and the player's next roll ends it. The
3:1 reads the same dice as a triple and a single instead of two pairs: `3:1 11+4/3`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.games.choice.notation import DICE_COUNT, TOTALS, PairChoice
from controller.games.dice import FACES, Roll, make_roll
from controller.games.wording import dice_words

TERMINATOR = "terminator"
CORRECTOR = "corrector"
THREE = "3:1"

JOKERS = (TERMINATOR, CORRECTOR, THREE)
"""Every joker, in the order in which sheets list those that are left."""

JOKER_TITLES: Mapping[str, str] = {
    TERMINATOR: message("Terminator"),
    CORRECTOR: message("Corrector"),
    THREE: message("3:1"),
}
"""The jokers as people call them."""

JOKER_POINTS = 100  # The points of each unused joker.

_THREE_TEXT = re.compile(r"3:1 ([1-9][0-9]?)\+([1-6])/([1-6])", re.ASCII)
_CORRECTOR_TEXT = re.compile(r"corrector ([1-6])>([1-6])", re.ASCII)

# The smallest total is 2, so neither three dice nor a single 1 can make every total.
_TRIPLES = range(3, TOTALS[-1] + 1)
_SINGLES = range(TOTALS[0], FACES[-1] + 1)


@dataclass(frozen=True, slots=True, order=True)
class TripleChoice:
    """The total of a triple, a single die, and the face of the fifth die."""

    triple: int
    single: int
    fifth: int

    @property
    def totals(self) -> tuple[int, int]:
        """The two totals that get a mark."""
        return self.triple, self.single

    @property
    def is_on_sheet(self) -> bool:
        """Whether the sheet has both totals; they go from 2 to 12."""
        return self.triple in _TRIPLES and self.single in _SINGLES


@dataclass(frozen=True, slots=True)
class TripleGroups:
    """Which dice of a roll, by index, form the triple, the single and the fifth of a 3:1."""

    triple: tuple[int, int, int]
    single: int
    fifth: int


@dataclass(frozen=True, slots=True)
class Jokers:
    """One player's jokers, and what they have done to this player's dice on the roll."""

    unused: tuple[str, ...] = ()  # Those left for the rest of the game, in the order of `JOKERS`.
    dice: Roll = ()  # The player's own dice; empty if the roll on the table is still theirs.
    is_waiting: bool = False  # Whether the player has to bring other dice before anything else.
    required_dice: Roll = ()  # The only dice that may come then; empty if any five will do.

    def changes(self, dice: Roll) -> tuple[str, ...]:
        """Return the actions that would change these dice: terminator, then correctors."""
        terminator = (TERMINATOR,) if TERMINATOR in self.unused else ()
        return (*terminator, *(list_correctors(dice) if CORRECTOR in self.unused else ()))

    def after_change(self, action: str, dice: Roll) -> Jokers | None:
        """Return the wait for other dice that this action begins; None if it is not legal."""
        if action == TERMINATOR and TERMINATOR in self.unused:
            return Jokers(self._without(TERMINATOR), is_waiting=True)
        wanted = list_correctors(dice).get(action)
        if wanted is None or CORRECTOR not in self.unused:
            return None
        return Jokers(self._without(CORRECTOR), self.dice, is_waiting=True, required_dice=wanted)

    def after_roll(self, roll: Roll) -> Jokers:
        """Return the jokers after the awaited dice have come: they belong to this player."""
        return Jokers(self.unused, dice=roll)

    def after_choice(self, choice: PairChoice | TripleChoice) -> Jokers:
        """Return what is left for the next roll; a 3:1 costs its joker."""
        return Jokers(self._without(THREE) if isinstance(choice, TripleChoice) else self.unused)

    def _without(self, joker: str) -> tuple[str, ...]:
        return tuple(left for left in self.unused if left != joker)


def triple_text(three: TripleChoice) -> str:
    """Write a 3:1 in the notation of records, such as `3:1 11+4/3`: the triple first."""
    return f"3:1 {three.triple}+{three.single}/{three.fifth}"


def parse_triple(text: str) -> TripleChoice:
    """Read a 3:1 from its notation, in its one form; otherwise InputError."""
    match = _THREE_TEXT.fullmatch(text)
    three = (
        TripleChoice(*(int(part) for part in match.groups())) if match else TripleChoice(0, 0, 0)
    )
    if not three.is_on_sheet:
        raise InputError(
            expected=message("a 3:1 such as 3:1 11+4/3, both sums from 2 to 12"), found=repr(text)
        )
    return three


@cache
def list_triples(roll: Roll) -> Mapping[str, TripleChoice]:
    """
    Return every 3:1 of five dice by its text, smallest first; cached, so do not change it.

    It ignores the fifth-die table.
    """
    threes = {_group_triple(roll, groups) for groups in _all_groups()}
    return {triple_text(three): three for three in sorted(threes) if three.is_on_sheet}


def find_triple_groups(faces: Sequence[int], action: str) -> TripleGroups:
    """Return which dice form a 3:1, the first of equal ones; InputError if they offer none."""
    wanted = parse_triple(action)
    for groups in _all_groups():
        if _group_triple(faces, groups) == wanted:
            return groups
    wanted_dice = dice_words([str(face) for face in faces])
    raise InputError(
        expected=message("a 3:1 of the dice {dice}", dice=wanted_dice), found=repr(action)
    )


def corrector_text(old: int, new: int) -> str:
    """Write that a die is turned from one face to another, such as `corrector 2>6`."""
    return f"{CORRECTOR} {old}>{new}"


def parse_corrector(text: str) -> tuple[int, int]:
    """Read the face that goes, and the one that comes; InputError if they are no corrector."""
    match = _CORRECTOR_TEXT.fullmatch(text)
    old, new = (int(part) for part in match.groups()) if match else (0, 0)
    if old == new:
        raise InputError(
            expected=message("a corrector such as corrector 2>6, to another face"), found=repr(text)
        )
    return old, new


@cache
def list_correctors(roll: Roll) -> Mapping[str, Roll]:
    """Return each corrector's text with its dice; cached, so do not change the result."""
    found = {}
    for old in dict.fromkeys(roll):
        rest = list(roll)
        rest.remove(old)
        for new in FACES:
            if new != old:
                found[corrector_text(old, new)] = make_roll((*rest, new))
    return found


@cache
def _all_groups() -> tuple[TripleGroups, ...]:
    """Return all twenty ways to group five dice as a triple, a single and a fifth."""
    found = []
    for a, b, c in combinations(range(DICE_COUNT), 3):
        one, other = sorted(set(range(DICE_COUNT)) - {a, b, c})
        found += [TripleGroups((a, b, c), one, other), TripleGroups((a, b, c), other, one)]
    return tuple(found)


def _group_triple(faces: Sequence[int], groups: TripleGroups) -> TripleChoice:
    triple = sum(faces[index] for index in groups.triple)
    return TripleChoice(triple, faces[groups.single], faces[groups.fifth])


def classify_action(action: str) -> str:
    if action.startswith(THREE):
        return "three"
    return "joker" if action.startswith((TERMINATOR, CORRECTOR)) else "pairs"
