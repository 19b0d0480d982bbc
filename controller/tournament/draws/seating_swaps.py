# SPDX-License-Identifier: MIT
"""
Swap players between tables until no two of a table should not meet.

Every step is fixed: tables and seats are tried in a documented order, the nearest table first, so
that a draw by standings keeps equals together. Dice decide only when no swap helps any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from controller.tournament.draws.dice_random import DiceRandom

FORBIDDEN = 1_000_000  # The weight of a forbidden pair: more than any number of second meetings.

SHAKES = 60  # How often a seating that no swap improves is shaken before the best one is taken.

SHAKEN_PAIRS = 4


@dataclass(frozen=True, slots=True)
class Seating:
    """Where a search begins."""

    tables: Sequence[Sequence[int]]
    # The weight of each pair that should not meet, by both players.
    weights: Mapping[int, Mapping[int, int]]
    fixed: frozenset[int]  # Players who never change their table.

    def count_cost(self, tables: Sequence[Sequence[int]]) -> int:
        """Return the weight of all pairs that sit together."""
        return sum(self.weigh(player, table, player) for table in tables for player in table) // 2

    def weigh(self, player: int, table: Sequence[int], leaving: int) -> int:
        """Return the weight of a player at a table that another player leaves."""
        row = self.weights[player]
        return sum(row.get(other, 0) for other in table if other != leaving and other != player)


def swap_until_clear(seating: Seating, numbers: DiceRandom) -> list[list[int]]:
    """Return the best seating that was found; of equal ones the first."""
    tables = [list(table) for table in seating.tables]
    _improve(tables, seating)
    best, least = [list(table) for table in tables], seating.count_cost(tables)
    for _ in range(SHAKES if len(tables) > 1 else 0):
        if not least:
            break
        _shake(tables, seating, numbers)
        _improve(tables, seating)
        if (cost := seating.count_cost(tables)) < least:
            best, least = [list(table) for table in tables], cost
    return best


def _improve(tables: list[list[int]], seating: Seating) -> None:
    has_improved = True
    while has_improved:
        has_improved = False
        for index in range(len(tables)):
            while _improve_table(tables, index, seating):
                has_improved = True


def _improve_table(tables: list[list[int]], index: int, seating: Seating) -> bool:
    """Make the first swap that lowers the weight of a table's worst pairs; return if there is."""
    table = tables[index]
    for seat, player in enumerate(table):
        own = seating.weigh(player, table, player)
        if not own or player in seating.fixed:
            continue
        for other_index in _nearest(index, len(tables)):
            for other_seat, other in enumerate(tables[other_index]):
                if other not in seating.fixed and _gain(
                    seating, own, player, table, other, tables[other_index]
                ):
                    table[seat], tables[other_index][other_seat] = other, player
                    return True
    return False


def _gain(
    seating: Seating,
    own: int,
    player: int,
    table: Sequence[int],
    other: int,
    other_table: Sequence[int],
) -> bool:
    after = seating.weigh(player, other_table, other)
    if after >= own + (before := seating.weigh(other, other_table, other)):
        return False
    return after + seating.weigh(other, table, player) < own + before


def _nearest(index: int, count: int) -> Iterator[int]:
    """Yield the other tables by their distance, the later one first."""
    for distance in range(1, count):
        if index + distance < count:
            yield index + distance
        if index >= distance:
            yield index - distance


def _shake(tables: list[list[int]], seating: Seating, numbers: DiceRandom) -> None:
    """Swap a few pairs of seats, whatever that costs."""
    for _ in range(SHAKEN_PAIRS):
        seats = []
        for _ in range(2):
            table = numbers.next_below(len(tables))
            seats.append((table, numbers.next_below(len(tables[table]))))
        (one, seat), (other, other_seat) = seats
        if not {tables[one][seat], tables[other][other_seat]} & seating.fixed:
            first, second = tables[one][seat], tables[other][other_seat]
            tables[one][seat], tables[other][other_seat] = second, first
