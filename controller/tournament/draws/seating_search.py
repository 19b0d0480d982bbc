# SPDX-License-Identifier: MIT
"""
Search all seatings of a small field for one without a second meeting.

Tables are filled one after the other, and a player who may not sit with those at the table is
passed over. The number of steps is limited, so that a draw ends in a moment on any machine; the
limit counts steps, not time, so that every machine finds the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

MOST_STEPS = 200_000


class SeatingSearch:
    """
    One search.

    Args:
        order: All players; the first of them are tried first.
        weights: The weight of each pair that must not meet, by both players.
        fixed: The table, from 1, at which a player must sit.
    """

    def __init__(
        self,
        order: Sequence[int],
        sizes: Sequence[int],
        weights: Mapping[int, Mapping[int, int]],
        fixed: Mapping[int, int],
    ) -> None:
        self._order = order
        self._sizes = sizes
        self._weights = weights
        self._steps = 0
        self._tables: list[list[int]] = [
            [player for player in order if fixed.get(player) == number]
            for number in range(1, len(sizes) + 1)
        ]
        self._free = [player not in fixed for player in order]
        # Tables alike without fixed players may change places, so the first free player sits
        # at the first of them.
        self._is_alike = [
            not any(self._tables[number:]) and len(set(sizes[number:])) == 1
            for number in range(len(sizes))
        ]

    def find(self) -> list[list[int]] | None:
        """Return a seating without any weighted pair; None if none was found."""
        clear = all(
            self._fits(player, [other for other in table if other != player])
            for table in self._tables
            for player in table
        )
        return self._tables if clear and self._fill(0, 0) else None

    def _fill(self, number: int, start: int) -> bool:
        """Fill the tables from this one on, with players from a position of the order on."""
        if number == len(self._tables):
            return True
        table = self._tables[number]
        if len(table) == self._sizes[number]:
            return self._fill(number + 1, 0)
        is_first_alike = self._is_alike[number] and not table
        for index in range(start, len(self._order)):
            if not self._free[index] or not self._fits(self._order[index], table):
                continue
            self._steps += 1
            if self._steps > MOST_STEPS:
                return False
            table.append(self._order[index])
            self._free[index] = False
            if self._fill(number, index + 1):
                return True
            table.pop()
            self._free[index] = True
            if is_first_alike:
                return False
        return False

    def _fits(self, player: int, table: Sequence[int]) -> bool:
        row = self._weights[player]
        return not any(other in row for other in table)
