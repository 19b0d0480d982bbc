# SPDX-License-Identifier: MIT
"""
Positions of Black'n'White between two rounds, solved exactly.

Every round moves one chip, so no position comes again, and each is solved from those that follow.
Players are numbered clockwise from the one who starts the round, those without chips in phase 2
left out: so few positions differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from controller.coach.black_n_white.round_solver import Losses, RoundSolver


@dataclass(frozen=True, slots=True)
class Position:
    """A position before the first throw of a round whose starter is known."""

    middle: int  # Chips in the middle; 0 in phase 2.
    chips: tuple[int, ...]  # Those of each player, the starter first, clockwise.


class Positions:
    """The chances to lose in every position, solved when they are asked for."""

    def __init__(self) -> None:
        self.known: dict[Position, tuple[float, ...]] = {}

    def find(self, position: Position) -> tuple[float, ...]:
        """Return everybody's chance to lose, in the order of `Position.chips`."""
        found = self.known.get(position)
        if found is None:
            found = tuple(float(loss) for loss in self.solve(position).start)
            self.known[position] = found
        return found

    def solve(self, position: Position) -> RoundSolver:
        """Return the round that begins in a position, with all of its moments."""
        seats = range(len(position.chips))
        losses = np.array([self._find_after(position, seat) for seat in seats])
        return RoundSolver(losses, takes_lowest=position.middle > 0)

    def find_started(self, middle: int, chips: Sequence[int], starter: int) -> Losses:
        """Return everybody's chance to lose if this player starts, in the order of `chips`."""
        order = list_order(middle, chips, starter)
        losses = np.zeros(len(chips))
        losses[list(order)] = self.find(Position(middle, tuple(chips[each] for each in order)))
        return losses

    def _find_after(self, position: Position, seat: int) -> Losses:
        """Return what everybody may expect after a seat's chip has moved."""
        chips = list(position.chips)
        middle = position.middle
        if middle:
            middle -= 1
            chips[seat] += 1
        else:
            chips[seat] -= 1
        return self.expect(middle, chips, seat)

    def expect(self, middle: int, chips: Sequence[int], last: int) -> Losses:
        """Return everybody's chance to lose after a round; `last` starts the next of phase 1."""
        if middle:
            return self.find_started(middle, chips, last)
        most = max(chips)
        if sum(chips) == most:
            return np.array([float(held > 0) for held in chips])
        # Each of those who have most may start, with the same chance.
        started = [self.find_started(0, chips, n) for n, held in enumerate(chips) if held == most]
        mean: Losses = np.mean(started, axis=0)
        return mean


def list_order(middle: int, chips: Sequence[int], starter: int) -> tuple[int, ...]:
    """Return who throws in a round, clockwise from its starter, by their place in `chips`."""
    count = len(chips)
    around = ((starter + step) % count for step in range(count))
    return tuple(place for place in around if middle or chips[place])
