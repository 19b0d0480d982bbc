# SPDX-License-Identifier: MIT
"""
Measure draws of a large field over several rounds, and count second meetings.

A shuffle of the same players with the same dice is the least that any draw costs, so it is
measured too.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Benchmark, Metric, option
from controller.tournament.draws.dice_random import DiceRandom
from controller.tournament.draws.table_draw import (
    DrawConditions,
    Tables,
    count_repeats,
    draw_tables,
)
from tests.bench.figures import time_s

ROUNDS = 5
FACES = "13446"
TABLE_SIZE = 4


@dataclass(frozen=True, kw_only=True)
class Draw(Benchmark):
    """Draw tables of four for a large field, five rounds at random and five by standings;
    seconds of the last draw, and second meetings."""

    name: ClassVar[str] = "draw"
    players: int = option(10_000, "players of the event (%(default)s)", whole_number_type(2))

    def measure(self) -> Iterator[Metric]:
        everybody = tuple(range(1, self.players + 1))
        yield Metric("players", self.players)
        yield Metric("rounds", ROUNDS)
        for pairing in ("random", "standings"):
            earlier: list[Tables] = []
            repeats, elapsed_s = 0, 0.0
            for number in range(1, ROUNDS + 1):
                conditions = DrawConditions(
                    everybody, TABLE_SIZE, _score(pairing, earlier), tuple(earlier)
                )
                began_s = time.perf_counter()
                drawn = draw_tables(conditions, FACES, number)
                elapsed_s = time.perf_counter() - began_s
                repeats += count_repeats(drawn, earlier)
                earlier.append(drawn)
            yield Metric(f"{pairing}, round {ROUNDS}, s", round(elapsed_s, 3))
            yield Metric(f"{pairing}, second meetings", repeats)
        shuffled_s = time_s(lambda: DiceRandom(FACES, ROUNDS).shuffle(list(everybody)))
        yield Metric("shuffle alone, s", round(shuffled_s, 3))


def _score(pairing: str, earlier: list[Tables]) -> dict[int, tuple[int, ...]]:
    """Return scores as if the first seat of each table had won; empty for random draws."""
    if pairing == "random" or not earlier:
        return {}
    scores: dict[int, int] = {}
    for tables in earlier:
        for table in tables:
            for seat, player in enumerate(table):
                scores[player] = scores.get(player, 0) + len(table) - seat
    return {player: (score,) for player, score in scores.items()}
