# SPDX-License-Identifier: MIT
"""
Pairs of a Swiss round: equals meet, and no two players meet twice if that can be.

Every pair that is possible has a cost, and the pairs with the least sum are the draw. An exact
matching finds them, so a program in any language gets the same pairs from the same dice:
docs/draws.md has the costs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import rustworkx

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.tournament.draws.dice_random import DiceRandom
from controller.tournament.draws.pairings import Pairing

MOST_PAIRED = 400
"""The largest field: its costs fit into the 128 bits that the matching has, in a few seconds."""

FREE = 0  # The opponent of a player with a bye.

_DICE_LIMIT = 1 << 32
_FLOAT_COSTS = (2, 1)  # For the same float in the last round, and in the one before.


@dataclass(frozen=True, slots=True)
class SwissRound:
    """An earlier round: its pairs in the order of their seats, byes, and what it counted."""

    tables: tuple[tuple[int, int], ...]
    byes: tuple[int, ...]
    points: tuple[tuple[int, int], ...]  # Player and points.


@dataclass(frozen=True, slots=True)
class SwissConditions:
    """What a draw depends on, besides the dice."""

    players: tuple[int, ...]  # Who is drawn, in ascending order.
    earlier: tuple[SwissRound, ...] = ()
    forbidden: frozenset[frozenset[int]] = frozenset()  # Pairs that never meet.


# The draft and its check ask for the same draw, so the last one is remembered.
@lru_cache(maxsize=1)
def draw_swiss(conditions: SwissConditions, faces: str, round: int) -> Pairing:
    """Return the pairs, the best score at table 1, and the bye; InputError for a wrong number."""
    if not 2 <= len(conditions.players) <= MOST_PAIRED:
        expected = message("2 to {most} players", most=str(MOST_PAIRED))
        raise InputError(expected=expected, found=str(len(conditions.players)), where="draw")
    numbers = DiceRandom(faces, round)
    order = list(conditions.players)
    numbers.shuffle(order)
    if len(order) % 2:
        order.append(FREE)
    past = _Past(conditions)
    pairs = _match(
        [(*past.weigh(*pair), numbers.next_below(_DICE_LIMIT)) for pair in combinations(order, 2)],
        len(order),
    )
    rank = {player: (-past.scores[player], place) for place, player in enumerate(order)}
    seated = sorted(
        (sorted((order[one], order[other]), key=rank.__getitem__) for one, other in pairs),
        key=lambda pair: ([rank[player][0] for player in pair], rank[pair[0]]),
    )
    tables = tuple(past.order_seats(one, other) for one, other in seated if other != FREE)
    return Pairing(tables, tuple(one for one, other in seated if other == FREE))


def _match(costs: Sequence[tuple[int, ...]], players: int) -> set[tuple[int, int]]:
    """
    Return the perfect matching with the least sum of costs, as positions.

    A cost has levels: any sum of a level weighs less than 1 of the level before.
    """
    bases = [1 + max(level) * players // 2 for level in zip(*costs, strict=True)]
    weights = []
    for levels in costs:
        weight = 0
        for base, level in zip(bases, levels, strict=True):
            weight = weight * base + level
        weights.append(weight)
    heaviest = max(weights)
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph()
    graph.add_nodes_from([None] * players)
    graph.add_edges_from(
        [
            (*pair, heaviest - weight)
            for pair, weight in zip(combinations(range(players), 2), weights, strict=True)
        ]
    )
    return rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)


class _Past:
    """What the earlier rounds say about the players."""

    def __init__(self, conditions: SwissConditions) -> None:
        self._forbidden = conditions.forbidden
        self._met = Counter[frozenset[int]]()
        self._seats: dict[int, list[int]] = {}  # 1 for the first seat, -1 for the second.
        self._floats: dict[int, list[int]] = {}  # The newest first: 1 down, -1 up, else 0.
        self.scores = Counter[int]()
        for each in conditions.earlier:
            self._add(each)
        self.scores[FREE] = -1  # Below everybody.
        self._levels = sorted({self.scores[player] for player in conditions.players})

    def weigh(self, one: int, other: int) -> tuple[int, ...]:
        """Return the cost of a pair without the dice, the most important first."""
        pair, is_bye = frozenset((one, other)), FREE in (one, other)
        gap = self.scores[one] - self.scores[other]
        low, high = sorted((self._balance(one), self._balance(other)))
        return (
            int(pair in self._forbidden),
            self._met[pair],
            self._levels.index(self.scores[one]) if is_bye else 0,
            0 if is_bye else gap**2,
            low**2 + high**2 if is_bye else (low + 1) ** 2 + (high - 1) ** 2,
            self._count_floats(one, gap) + self._count_floats(other, -gap),
        )

    def order_seats(self, one: int, other: int) -> tuple[int, int]:
        """Return a pair in the order of its seats: who sat first less often, else less recently."""
        keys = [(self._balance(each), self._seats.get(each, [])[::-1]) for each in (one, other)]
        return (other, one) if keys[1] < keys[0] else (one, other)

    def _add(self, each: SwissRound) -> None:
        pairs = [*each.tables, *((player, FREE) for player in each.byes)]
        before = Counter(self.scores)
        before[FREE] = -1
        floats = {}
        for one, other in pairs:
            self._met[frozenset((one, other))] += 1
            gap = before[one] - before[other]
            floats[one], floats[other] = _sign(gap), _sign(-gap)
        for one, other in each.tables:
            self._seats.setdefault(one, []).append(1)
            self._seats.setdefault(other, []).append(-1)
        for player in {*floats, *self._floats}:
            self._floats.setdefault(player, []).insert(0, floats.get(player, 0))
        self.scores.update(dict(each.points))

    def _balance(self, player: int) -> int:
        """Return how much more often a player sat first than second."""
        return sum(self._seats.get(player, ()))

    def _count_floats(self, player: int, gap: int) -> int:
        newest: Sequence[int] = self._floats.get(player, ())
        return sum(
            cost
            for cost, floated in zip(_FLOAT_COSTS, newest, strict=False)
            if floated and floated == _sign(gap) and player != FREE
        )


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
