# SPDX-License-Identifier: MIT
"""
Measure draws of a large field over several rounds, and count second meetings.

A shuffle of the same players with the same dice is the least that any draw costs, so it is
measured too.
"""

from __future__ import annotations

import time

from controller.tournament.draws.dice_random import DiceRandom
from controller.tournament.draws.table_draw import (
    DrawConditions,
    Tables,
    count_repeats,
    draw_tables,
)

ROUNDS = 5
FACES = "13446"
TABLE_SIZE = 4


def measure_draw(players: int) -> dict[str, float]:
    """Return the seconds of the draw of the last round, and the second meetings in all rounds."""
    everybody = tuple(range(1, players + 1))
    figures: dict[str, float] = {"players": players, "rounds": ROUNDS}
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
        figures[f"{pairing}, round {ROUNDS}, s"] = round(elapsed_s, 3)
        figures[f"{pairing}, second meetings"] = repeats
    figures["shuffle alone, s"] = round(_time_shuffle(everybody), 3)
    return figures


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


def _time_shuffle(players: tuple[int, ...]) -> float:
    began_s = time.perf_counter()
    DiceRandom(FACES, ROUNDS).shuffle(list(players))
    return time.perf_counter() - began_s
