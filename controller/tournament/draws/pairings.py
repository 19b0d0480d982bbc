# SPDX-License-Identifier: MIT
"""Knock-out and round robin: pairs that follow from one order of the players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controller.tournament.draws.dice_random import DiceRandom


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs of a round, table 1 first, and who has a bye."""

    tables: tuple[tuple[int, int], ...]
    byes: tuple[int, ...] = ()


def order_players(players: Sequence[int], faces: str, round: int) -> tuple[int, ...]:
    """Return the players in the order that the dice give them; the first is the first seed."""
    order = sorted(players)
    DiceRandom(faces, round).shuffle(order)
    return tuple(order)


def build_bracket(order: Sequence[int]) -> tuple[int, ...]:
    """
    Return the bracket of a knock-out: neighbours meet, 0 is a bye.

    The first seeds have the byes, and meet each other as late as possible.
    """
    seeds = [1]
    while len(seeds) < len(order):
        size = 2 * len(seeds)
        seeds = [each for seed in seeds for each in (seed, size + 1 - seed)]
    return tuple(order[seed - 1] if seed <= len(order) else 0 for seed in seeds)


def pair_bracket(bracket: Sequence[int]) -> Pairing:
    """Return the pairs of a bracket's round; who meets a bye is through."""
    tables, byes = [], []
    for one, other in zip(bracket[::2], bracket[1::2], strict=True):
        if one and other:
            tables.append((one, other))
        elif one or other:
            byes.append(one or other)
    return Pairing(tuple(tables), tuple(byes))


def advance_bracket(bracket: Sequence[int], losers: Sequence[int]) -> tuple[int, ...]:
    """Return the bracket of the next round: who is left of each pair, in the same order."""
    out = set(losers)
    following = []
    for one, other in zip(bracket[::2], bracket[1::2], strict=True):
        left = [player for player in (one, other) if player and player not in out]
        following.append(left[0] if left else 0)
    return tuple(following)


def count_rounds(players: int) -> int:
    """Return the rounds of a round robin: everybody meets everybody once."""
    return players - 1 + players % 2


def pair_round_robin(order: Sequence[int], round: int) -> Pairing:
    """
    Return the pairs of a round, by the circle method.

    The first player stays, all others move on by one each round. With an odd number a bye
    takes part like a player. The first player starts in every other round; `round` is from 1.
    """
    circle = [*order, *([0] if len(order) % 2 else [])]
    turned = circle[1:]
    steps = (round - 1) % len(turned)
    turned = turned[len(turned) - steps :] + turned[: len(turned) - steps]
    ring = [circle[0], *turned]
    pairs = [(ring[index], ring[-1 - index]) for index in range(len(ring) // 2)]
    if round % 2 == 0:
        pairs[0] = pairs[0][::-1]
    tables = tuple(pair for pair in pairs if 0 not in pair)
    return Pairing(tables, tuple(max(pair) for pair in pairs if 0 in pair))
