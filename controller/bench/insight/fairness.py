# SPDX-License-Identifier: MIT
"""
Measure the tests of fair dice: false alarms of somebody who looks after every throw, and power.

Beside it the chi-square test, looked at every hundred throws, which shows why it is not used. Then
the same for throws that depend on how the dice lay before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.bench.insight.looks import Looks, count_reached
from controller.bench.insight.repeats import measure_repeats
from controller.history.fairness.face_test import FACES, PRIORS
from controller.history.fairness.verdict import ALARM, SLACK

CHI_SQUARE_5 = 11.0705
"""Exceeded in 5 of 100 cases with five degrees of freedom."""
CHI_SQUARE_LOOKS = 100


@dataclass(frozen=True, slots=True)
class FairnessRun(Looks):
    """
    The tolerant test's evidence against sets of dice, and what other tests say of them.

    Attributes:
        exact: The highest evidence without tolerance, as a logarithm.
        chi_square: Whether the chi-square test ever alarmed.
    """

    exact: NDArray[np.float64]
    chi_square: NDArray[np.bool_]


def simulate_looks(shares: Sequence[float], *, runs: int, throws: int, seed: int) -> FairnessRun:
    """
    Throw sets of dice and look after every throw.

    Args:
        shares: The probabilities of the six faces.
        runs: How many sets.
        throws: Of each set.
        seed: Of the throws.
    """
    rng, bounds = np.random.default_rng(seed), np.cumsum(shares)[:-1]
    tables = [(_sum_logs(one, throws), _sum_logs(FACES * one, throws)) for one in PRIORS]
    thrown = np.arange(1, throws + 1)
    highest, exact = np.full(runs, -np.inf), np.zeros(runs)
    first, chi_square = np.full(runs, np.inf), np.zeros(runs, bool)
    for number in range(runs):
        faces = np.searchsorted(bounds, rng.random(throws), side="right")
        counts = (faces[:, None] == np.arange(FACES)).cumsum(axis=0)
        logs = [of_faces[counts].sum(axis=1) - whole[thrown] for of_faces, whole in tables]
        mixed = np.logaddexp.reduce(logs) - np.log(len(tables))
        evidence = mixed + thrown * np.log(FACES)
        exact[number] = max(0.0, evidence.max())
        looks = counts[CHI_SQUARE_LOOKS - 1 :: CHI_SQUARE_LOOKS]
        expected = looks.sum(axis=1, keepdims=True) / FACES
        chi_square[number] = (((looks - expected) ** 2 / expected).sum(axis=1) > CHI_SQUARE_5).any()
        # With tolerance there is never more evidence, so few looks have to be taken closely.
        near = np.flatnonzero(evidence >= np.log(ALARM))
        if near.size:
            likely = (counts[near] * np.log(_fit_rows(counts[near]))).sum(axis=1)
            tolerant = mixed[near] - likely
            highest[number] = tolerant.max()
            alarms = near[tolerant >= np.log(ALARM)]
            first[number] = alarms[0] + 1 if alarms.size else np.inf
    return FairnessRun(highest, first, exact, chi_square)


def _sum_logs(prior: float, throws: int) -> NDArray[np.float64]:
    """Return the logarithm of gamma(n + prior) / gamma(prior) for every n up to the throws."""
    return np.concatenate(([0.0], np.cumsum(np.log(np.arange(throws) + prior))))


def _fit_rows(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return for rows of counts what `face_test` fits to one: the likeliest fair shares."""
    lowest, highest = 1 / FACES - SLACK, 1 / FACES + SLACK
    shares = (counts + 1e-9) / counts.sum(axis=1, keepdims=True)
    low, high = np.full(len(counts), -30.0), np.full(len(counts), 30.0)
    for _ in range(50):
        middle = (low + high) / 2
        is_less = np.clip(shares * np.exp(middle)[:, None], lowest, highest).sum(axis=1) < 1
        low, high = np.where(is_less, middle, low), np.where(is_less, high, middle)
    fitted: NDArray[np.float64] = np.clip(shares * np.exp(high)[:, None], lowest, highest)
    return fitted


def measure_fairness(runs: int, throws: int) -> dict[str, float]:
    """Return false alarms under constant looking, and the throws until bad dice are found."""
    fair = simulate_looks((1 / FACES,) * FACES, runs=runs, throws=throws, seed=1)
    figures: dict[str, float] = {
        "sets of fair dice": runs,
        "throws of each, looked at after every one": throws,
        "alarms at 1/20": fair.count_alarms(ALARM),
        "alarms at 1/1,000": fair.count_alarms(1000),
        "exact test, reported only: at 1/20": count_reached(fair.exact, ALARM),
        "exact test, reported only: at 1/1,000": count_reached(fair.exact, 1000),
        "chi-square every 100 throws, alarms at 5 %": int(fair.chi_square.sum()),
    }
    for share in (0.25, 0.22, 0.20, 0.19):
        shares = ((1 - share) / (FACES - 1),) * (FACES - 1)
        run = simulate_looks((*shares, share), runs=200, throws=20_000, seed=2)
        figures[f"a six at {share:.2f}: throws until an alarm, median"] = run.median_throws
    return {**figures, **measure_repeats(runs)}
