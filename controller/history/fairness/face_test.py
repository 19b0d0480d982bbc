# SPDX-License-Identifier: MIT
"""
Whether six faces come equally often, by evidence that may be looked at after every throw.

A usual test is right only if the number of throws was fixed before; who looks again and again finds
an alarm with any dice. The evidence here is a ratio of probabilities: of the counts if the shares
of faces lie somewhere around 1/6, to the counts if all are 1/6. With fair dice it ever reaches 20
with a probability of at most 1/20, and 1,000 with at most 1/1,000, however often one looks (Ville
1939; Ramdas, Grünwald, Vovk and Shafer 2023).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, lgamma, log
from typing import TypeAlias

FACES = 6
Bounds: TypeAlias = tuple[tuple[float, float], ...]
"""The lowest and the highest probability of each face of a fair set."""
EXACT: Bounds = ((1 / FACES, 1 / FACES),) * FACES
PRIORS = (10.0, 100.0)
"""
Dirichlet distributions around equal shares, whose mean counts: a wide one finds a bad die
soon, a narrow one a die that is nearly good.
"""
_HALF = 0.5  # The same for the share of one face against all others: Jeffreys' distribution.
_STEPS = 60
_CHANCE = 0.05  # Probability that a face's share is ever outside its bounds.


def find_evidence(counts: Sequence[int], null: Bounds = EXACT) -> float:
    """
    Return the evidence against fair dice, as its natural logarithm.

    `null` bounds the probability of each face in a fair set. The best such probabilities for
    the counts are taken, so wider bounds never give more evidence.
    """
    total = sum(counts)
    mixed = [
        lgamma(FACES * prior)
        - lgamma(total + FACES * prior)
        + sum(lgamma(count + prior) - lgamma(prior) for count in counts)
        for prior in PRIORS
    ]
    fair = _fit_shares(counts, null)
    likely = sum(count * log(share) for count, share in zip(counts, fair, strict=True) if count)
    return average_logs(mixed) - likely


def average_logs(logs: Sequence[float]) -> float:
    """Return the logarithm of the mean of numbers that are given by theirs."""
    highest = max(logs)
    return highest + log(sum(exp(each - highest) for each in logs) / len(logs))


def bound_share(count: int, total: int) -> tuple[float, float]:
    """Return bounds for a face's probability, right at all moments at once but for `_CHANCE`."""
    mixed = lgamma(count + _HALF) + lgamma(total - count + _HALF) - lgamma(total + 1)
    mixed -= 2 * lgamma(_HALF)

    def is_possible(share: float) -> bool:
        return mixed - count * log(share) - (total - count) * log(1 - share) < -log(_CHANCE)

    middle = min(max(count / total if total else 0.5, 1e-9), 1 - 1e-9)
    return _search(1e-12, middle, is_possible), _search(1 - 1e-12, middle, is_possible)


def find_chance(evidence: float) -> float:
    """Return how likely fair dice ever give such evidence at most, from 0 to 1."""
    return min(1.0, exp(-min(max(evidence, 0.0), 700.0)))


def _fit_shares(counts: Sequence[int], null: Bounds) -> list[float]:
    """Return the probabilities within the bounds under which the counts are most likely."""
    if not any(counts):
        return [1 / FACES] * FACES

    def clip(scale: float) -> list[float]:
        return [
            min(max(count * scale, low), high)
            for count, (low, high) in zip(counts, null, strict=True)
        ]

    least = min(count for count in counts if count)
    low, high = 0.0, max(highest for _, highest in null) / least
    for _ in range(_STEPS):
        scale = (low + high) / 2
        low, high = (scale, high) if sum(clip(scale)) < 1 else (low, scale)
    shares = clip(high)
    return [share / sum(shares) for share in shares]


def _search(outside: float, inside: float, is_possible: Callable[[float], bool]) -> float:
    """Return the bound between a share that is impossible and one that is possible."""
    for _ in range(_STEPS):
        middle = (outside + inside) / 2
        outside, inside = (outside, middle) if is_possible(middle) else (middle, inside)
    return inside
