# SPDX-License-Identifier: MIT
"""Measure the test of throws that depend on how the dice lay: false alarms, and power."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from controller.bench.insight.looks import Looks
from controller.history.fairness.face_test import FACES
from controller.history.fairness.repeat_test import STRENGTHS
from controller.history.fairness.verdict import ALARM, TOLERANT

DICE = 5


def simulate_repeats(
    *, lazy: float, sets: int, throws: int, seed: int, is_opposite: bool = False
) -> Looks:
    """
    Throw five dice again and again, and look after every throw.

    Args:
        lazy: The probability that a die is not turned.
        sets: How many players throw.
        throws: Of each.
        seed: Of the throws.
        is_opposite: Whether a die that is not turned shows the opposite face.
    """
    rng = np.random.default_rng(seed)
    lie = rng.integers(0, FACES, (sets, DICE))
    kinds = len(STRENGTHS) * 2
    pairs, expected = np.zeros((sets, kinds)), np.zeros((sets, kinds))
    slope = np.zeros((sets, kinds, FACES))
    highest, first = np.full(sets, -np.inf), np.full(sets, np.inf)
    for number in range(1, throws + 1):
        stays = rng.random((sets, DICE)) < lazy
        again = FACES - 1 - lie if is_opposite else lie
        after = np.where(stays, again, rng.integers(0, FACES, (sets, DICE)))
        counts = (lie[:, :, None] == np.arange(FACES)).sum(axis=1)
        for kind in range(kinds):
            strength, before = STRENGTHS[kind // 2], counts[:, :: 1 - 2 * (kind % 2)]
            weights = np.exp(strength * before)
            mean = weights.mean(axis=1)
            pairs[:, kind] += strength * np.take_along_axis(before, after, axis=1).sum(axis=1)
            expected[:, kind] += DICE * np.log(mean)
            slope[:, kind] += DICE * weights / mean[:, None]
        logs = pairs - expected - _find_highest(slope)
        evidence = np.logaddexp.reduce(logs, axis=1) - np.log(kinds)
        highest = np.maximum(highest, evidence)
        first = np.where(np.isinf(first) & (evidence >= np.log(ALARM)), number, first)
        lie = after
    return Looks(highest, first)


def _find_highest(slope: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for many slopes what `repeat_test` finds for one, with equal bounds of all faces."""
    ordered = np.sort(slope, axis=-1)
    slack = TOLERANT[0][1] - 1 / FACES
    highest, lowest = ordered[..., FACES // 2 :], ordered[..., : FACES // 2]
    change: NDArray[np.float64] = slack * (highest.sum(axis=-1) - lowest.sum(axis=-1))
    return change


def measure_repeats(sets: int) -> dict[str, float]:
    """Return false alarms of the test under constant looking, and throws until it alarms."""
    throws = 2000
    fair = simulate_repeats(lazy=0.0, sets=sets, throws=throws, seed=3)
    figures: dict[str, float] = {
        "throws of five dice, compared with the throw before": throws,
        "compared throws: alarms at 1/20": fair.count_alarms(ALARM),
        "compared throws: alarms at 1/1,000": fair.count_alarms(1000),
    }
    for lazy in (0.2, 0.1, 0.05):
        run = simulate_repeats(lazy=lazy, sets=200, throws=4000, seed=4)
        name = f"{lazy:.0%} of dice not turned: throws until an alarm, median"
        figures[name] = run.median_throws
    return figures
