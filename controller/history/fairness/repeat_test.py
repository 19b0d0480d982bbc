# SPDX-License-Identifier: MIT
"""
Whether a throw depends on how its dice lay before.

A die that is hardly turned shows its last face again, or the opposite one, more often than others
do. Single dice cannot be followed through a throw, so all pairs of a die before and a die after it
are compared. For each strength of such a bond the evidence is the ratio of the probabilities of the
equal pairs, given the faces before; the mean may be looked at after every throw, as in `face_test`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from controller.history.fairness.face_test import EXACT, FACES, Bounds, average_logs

STRENGTHS = (0.05, 0.1, 0.2, 0.4)


@dataclass(frozen=True, slots=True)
class Repeats:
    """Throws of dice that showed the same faces before."""

    dice: int  # How many dice were thrown, over all these throws.
    equal: int  # Pairs of a die before and a die after the throw that show the same face.
    opposite: int  # The same of opposite faces, such as 1 and 6.


def count_repeats(before: tuple[int, ...], after: tuple[int, ...]) -> Repeats:
    """Return what a throw adds: faces of the same dice before and after it."""
    equal = sum(before.count(face) for face in after)
    opposite = sum(before.count(7 - face) for face in after)
    return Repeats(len(after), equal, opposite)


def find_repeat_evidence(repeats: Mapping[tuple[int, ...], Repeats], null: Bounds = EXACT) -> float:
    """
    Return the evidence, as its logarithm, against throws that depend on the faces before.

    `repeats` are by the faces before. `null` bounds the probability of each face, which need
    not be exactly 1/6; the best such probabilities are bounded, so they never make it larger.
    """
    equal = sum(found.equal for found in repeats.values())
    opposite = sum(found.opposite for found in repeats.values())
    rows = [
        ([before.count(face) for face in range(1, FACES + 1)], found.dice)
        for before, found in repeats.items()
    ]
    logs = []
    for strength in STRENGTHS:
        expected, slope = _expect(rows, strength)
        # Opposite faces are equal ones of a mirrored position.
        for pairs, of_faces in ((equal, slope), (opposite, slope[::-1])):
            logs.append(strength * pairs - expected - _find_highest(of_faces, null))
    return average_logs(logs)


def _expect(rows: Sequence[tuple[list[int], int]], strength: float) -> tuple[float, list[float]]:
    """
    Return the logarithm of what fair throws give on average, and its slope at 1/6.

    It is concave in the probabilities of the faces, so its tangent is never below it.
    """
    expected, slope = 0.0, [0.0] * FACES
    most = max((sum(counts) for counts, _ in rows), default=0)
    powers = [exp(strength * count) for count in range(most + 1)]
    for counts, dice in rows:
        weights = [powers[count] for count in counts]
        mean = sum(weights) / FACES
        expected += dice * log(mean)
        each = dice / mean
        slope = [old + each * weight for old, weight in zip(slope, weights, strict=True)]
    return expected, slope


def _find_highest(slope: list[float], null: Bounds) -> float:
    """Return the highest change along a slope, from 1/6 to probabilities within bounds."""
    shares = [low for low, _ in null]
    left = 1 - sum(shares)
    for place in sorted(range(FACES), key=lambda place: -slope[place]):
        more = min(left, null[place][1] - null[place][0])
        shares[place] += more
        left -= more
    return sum(each * (share - 1 / FACES) for each, share in zip(slope, shares, strict=True))
