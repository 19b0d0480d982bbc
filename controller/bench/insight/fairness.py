# SPDX-License-Identifier: MIT
"""
Measure the tests of fair dice: false alarms of somebody who looks after every throw, and power.

Beside it the chi-square test, looked at every hundred throws, which shows why it is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.fairness.face_test import FACES, PRIORS, find_evidence
from controller.fairness.verdict import ALARM, SLACK

CHI_SQUARE_5 = 11.0705
"""Exceeded in 5 of 100 cases with five degrees of freedom."""
CHI_SQUARE_LOOKS = 100


@dataclass(frozen=True, slots=True)
class FairnessRun:
    """
    Sets of dice that were looked at after every throw.

    Attributes:
        highest: The natural logarithm of the highest evidence against each set, with tolerance.
        exact: The same without tolerance.
        first: The throw of each set's first alarm with tolerance; infinite without one.
        chi_square: Whether the chi-square test ever alarmed.
    """

    highest: NDArray[np.float64]
    exact: NDArray[np.float64]
    first: NDArray[np.float64]
    chi_square: NDArray[np.bool_]

    def count_alarms(self, evidence: float, *, is_exact: bool = False) -> int:
        """Return how many sets ever reached this evidence."""
        found = self.exact if is_exact else self.highest
        return int((found >= np.log(evidence)).sum())

    @property
    def median_throws(self) -> float:
        """After how many throws half of the sets were spoken against."""
        return float(np.median(self.first))


def simulate_looks(shares: Sequence[float], *, runs: int, throws: int, seed: int) -> FairnessRun:
    """
    Throw sets of dice and look after every throw.

    Args:
        shares: The probabilities of the six faces.
        runs: How many sets.
        throws: Of each set; a run ends early once all sets are spoken against.
        seed: Of the throws.
    """
    rng, every = np.random.default_rng(seed), np.arange(runs)
    bounds, priors = np.cumsum(shares)[:-1], np.array(PRIORS)
    counts = np.zeros((runs, FACES))
    logs = np.zeros((runs, len(priors)))
    exact = np.zeros(runs)
    highest = np.full(runs, -np.inf)
    first = np.full(runs, np.inf)
    chi_square = np.zeros(runs, bool)
    for thrown in range(1, throws + 1):
        faces = np.searchsorted(bounds, rng.random(runs))
        own = counts[every, faces]
        logs += np.log(FACES * (own[:, None] + priors) / (thrown - 1 + FACES * priors))
        counts[every, faces] += 1
        evidence = np.logaddexp.reduce(logs, axis=1) - np.log(len(priors))
        exact = np.maximum(exact, evidence)
        # With tolerance there is never more evidence, so few sets have to be looked at closely.
        for number in np.flatnonzero(evidence >= np.maximum(np.log(ALARM), highest)):
            found = find_evidence(counts[number].astype(int).tolist(), SLACK)
            highest[number] = max(highest[number], found)
            if found >= np.log(ALARM):
                first[number] = min(first[number], thrown)
        if thrown % CHI_SQUARE_LOOKS == 0:
            spread = ((counts - thrown / FACES) ** 2).sum(axis=1) * FACES / thrown
            chi_square |= spread > CHI_SQUARE_5
        if np.isfinite(first).all():
            break
    return FairnessRun(highest, exact, first, chi_square)


def measure_fairness(runs: int, throws: int) -> dict[str, float]:
    """Return false alarms under constant looking, and the throws until bad dice are found."""
    fair = simulate_looks((1 / FACES,) * FACES, runs=runs, throws=throws, seed=1)
    figures: dict[str, float] = {
        "sets of fair dice": runs,
        "throws of each, looked at after every one": throws,
        "alarms at 1/20": fair.count_alarms(ALARM),
        "alarms at 1/1,000": fair.count_alarms(1000),
        "exact test, reported only: at 1/20": fair.count_alarms(ALARM, is_exact=True),
        "exact test, reported only: at 1/1,000": fair.count_alarms(1000, is_exact=True),
        "chi-square every 100 throws, alarms at 5 %": int(fair.chi_square.sum()),
    }
    for share in (0.25, 0.22, 0.20, 0.19):
        shares = ((1 - share) / (FACES - 1),) * (FACES - 1)
        run = simulate_looks((*shares, share), runs=200, throws=50_000, seed=2)
        figures[f"a six at {share:.2f}: throws until an alarm, median"] = run.median_throws
    return figures
