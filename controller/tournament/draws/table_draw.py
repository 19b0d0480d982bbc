# SPDX-License-Identifier: MIT
"""
Seat a field at tables of three and four.

Shuffle by the dice, cut the order into tables, then swap players until no two sit together again.
In small fields a complete search has the last word; so a second meeting stands in a draw only
if there is no draw without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.tournament.draws.dice_random import DiceRandom
from controller.tournament.draws.seating_search import SeatingSearch
from controller.tournament.draws.seating_swaps import FORBIDDEN, Seating, swap_until_clear

Tables = tuple[tuple[int, ...], ...]

MOST_SEARCHED = 24
"""The largest field for which all seatings are searched, if swaps leave a second meeting."""


@dataclass(frozen=True, slots=True)
class DrawConditions:
    """What a draw of tables depends on, besides the dice."""

    players: tuple[int, ...]  # Who is seated, in ascending order.
    table_size: int = 4  # What most tables have: 4 or 3.
    # By which equals meet equals, higher is better; empty for a random draw.
    scores: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    earlier: Sequence[Tables] = ()
    # The table, from 1, at which a player always sits.
    fixed: Mapping[int, int] = field(default_factory=dict)
    forbidden: frozenset[frozenset[int]] = frozenset()  # Pairs that never sit at one table.


def draw_tables(conditions: DrawConditions, faces: str, round: int) -> Tables:
    """Return the players of each table by their seats; InputError if they cannot be seated."""
    sizes = list_table_sizes(len(conditions.players), conditions.table_size)
    numbers = DiceRandom(faces, round)
    order = list(conditions.players)
    numbers.shuffle(order)
    if conditions.scores:
        order.sort(key=lambda player: conditions.scores.get(player, ()), reverse=True)
    seating = Seating(
        _fill_tables(order, sizes, conditions.fixed),
        _weigh_pairs(conditions),
        frozenset(conditions.fixed),
    )
    tables = swap_until_clear(seating, numbers)
    if seating.count_cost(tables) and len(order) <= MOST_SEARCHED:
        tables = SeatingSearch(order, sizes, seating.weights, conditions.fixed).find() or tables
    return tuple(tuple(table) for table in tables)


def list_table_sizes(players: int, table_size: int) -> tuple[int, ...]:
    """
    Return the size of each table: tables of the wished size first, then the others.

    Five players sit at one table, because they cannot be seated in threes and fours; so do two.

    Raises:
        InputError: There are fewer than two players.
    """
    if players < 2:
        expected = message("two or more players")
        raise InputError(expected=expected, found=str(players), where="draw")
    if players in (2, 5):
        return (players,)
    if table_size == 4:
        threes = -players % 4
        return (*[4] * ((players - 3 * threes) // 4), *[3] * threes)
    fours = players % 3
    return (*[3] * ((players - 4 * fours) // 3), *[4] * fours)


def count_repeats(tables: Tables, earlier: Iterable[Tables]) -> int:
    """Return how many pairs of a draw have met before, in any earlier round."""
    met = {pair for tables in earlier for table in tables for pair in _pairs(table)}
    return sum(pair in met for table in tables for pair in _pairs(table))


def _fill_tables(
    order: Sequence[int], sizes: Sequence[int], fixed: Mapping[int, int]
) -> list[list[int]]:
    """Return the tables, filled in order; who has a fixed table sits there first."""
    tables: list[list[int]] = [[] for _ in sizes]
    for player in order:
        if (number := fixed.get(player)) is None:
            continue
        if not 1 <= number <= len(sizes):
            expected = message("a table from 1 to {most}", most=str(len(sizes)))
            where = message("fixed table of player {player}", player=str(player))
            raise InputError(expected=expected, found=str(number), where=where)
        tables[number - 1].append(player)
        if len(tables[number - 1]) > sizes[number - 1]:
            expected = message("{count} players at a table", count=str(sizes[number - 1]))
            where = message("fixed table {number}", number=str(number))
            raise InputError(expected=expected, found=str(len(tables[number - 1])), where=where)
    others = iter([player for player in order if player not in fixed])
    for table, size in zip(tables, sizes, strict=True):
        table += [next(others) for _ in range(size - len(table))]
    return tables


def _weigh_pairs(conditions: DrawConditions) -> dict[int, dict[int, int]]:
    """Return the weight of each pair that should not meet: how often it met, or far more."""
    weights: dict[int, dict[int, int]] = {player: {} for player in conditions.players}
    for tables in conditions.earlier:
        for table in tables:
            for one in table:
                if (row := weights.get(one)) is not None:
                    for other in table:
                        row[other] = row.get(other, 0) + 1
    for pair in conditions.forbidden:
        one, other = pair
        for first, second in ((one, other), (other, one)):
            if first in weights:
                weights[first][second] = FORBIDDEN
    return weights


def _pairs(table: Sequence[int]) -> Iterable[frozenset[int]]:
    return (frozenset(pair) for pair in combinations(table, 2))
