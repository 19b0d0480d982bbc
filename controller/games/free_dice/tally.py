# SPDX-License-Identifier: MIT
"""What is counted while people just throw dice: faces, equal dice, and the last rolls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from controller.games.dice import FACES, Roll

REMEMBERED_ROLLS = 24  # How many rolls of a player a sheet lists; the journal has all of them.


@dataclass(frozen=True, slots=True)
class PastRoll:
    number: int  # Its number, counted over all players from 1.
    faces: Roll  # The faces of all dice, those that stayed among them.
    is_again: bool  # Whether some of the dice stayed as they lay.


@dataclass(frozen=True, slots=True)
class FaceTally:
    """What one player has thrown."""

    rolls: int = 0  # How many rolls.
    # How often each face lay in one of them, from 1 to 6.
    counts: tuple[int, ...] = (0,) * len(FACES)
    recent: tuple[PastRoll, ...] = ()  # The last rolls, the latest first.

    @property
    def last(self) -> Roll:
        """The faces of the latest roll; empty before the first."""
        return self.recent[0].faces if self.recent else ()

    def with_roll(self, roll: PastRoll) -> FaceTally:
        found = Counter(roll.faces)
        counts = tuple(count + found[face] for face, count in zip(FACES, self.counts, strict=True))
        return FaceTally(self.rolls + 1, counts, (roll, *self.recent[: REMEMBERED_ROLLS - 1]))


def find_sets(faces: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return each face that two or more dice show, with their number: most dice first."""
    found = ((face, count) for face, count in Counter(faces).items() if count > 1)
    return tuple(sorted(found, key=lambda one: (-one[1], -one[0])))
