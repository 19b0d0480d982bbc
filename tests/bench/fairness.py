# SPDX-License-Identifier: MIT
"""
Measure the tests of fair dice: false alarms of somebody who looks after every throw, and power.

Beside it the chi-square test, looked at every hundred throws, which shows why it is not used. Then
the same for throws that depend on how the dice lay before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Benchmark, Metric, option
from controller.history.fairness.face_test import FACES, PRIORS
from controller.history.fairness.repeat_test import STRENGTHS
from controller.history.fairness.verdict import ALARM, SLACK, TOLERANT

CHI_SQUARE_5 = 11.0705
"""Exceeded in 5 of 100 cases with five degrees of freedom."""
CHI_SQUARE_LOOKS = 100
DICE = 5
REPEATS = 2000


@dataclass(frozen=True, kw_only=True)
class Fairness(Benchmark):
    """Look at fair dice after every throw, and at bad ones; false alarms, and throws until an
    alarm."""

    name: ClassVar[str] = "fairness"
    sets: int = option(1000, "sets of fair dice (%(default)s)", whole_number_type(1))
    throws: int = option(100_000, "of each set (%(default)s)", whole_number_type(1))

    def measure(self) -> Iterator[Metric]:
        fair = simulate_looks((1 / FACES,) * FACES, runs=self.sets, throws=self.throws, seed=1)
        yield Metric("sets of fair dice", self.sets)
        yield Metric("throws of each, looked at after every one", self.throws)
        yield Metric("alarms at 1/20", fair.count_alarms(ALARM))
        yield Metric("alarms at 1/1,000", fair.count_alarms(1000))
        exact = "exact test, reported only: at"
        yield Metric(f"{exact} 1/20", count_reached(fair.exact, ALARM))
        yield Metric(f"{exact} 1/1,000", count_reached(fair.exact, 1000))
        yield Metric("chi-square every 100 throws, alarms at 5 %", int(fair.chi_square.sum()))
        for share in (0.25, 0.22, 0.20, 0.19):
            shares = ((1 - share) / (FACES - 1),) * (FACES - 1)
            run = simulate_looks((*shares, share), runs=200, throws=20_000, seed=2)
            name = f"a six at {share:.2f}: throws until an alarm, median"
            yield Metric(name, run.median_throws)
        fair_again = simulate_repeats(lazy=0.0, sets=self.sets, throws=REPEATS, seed=3)
        yield Metric("throws of five dice, compared with the throw before", REPEATS)
        yield Metric("compared throws: alarms at 1/20", fair_again.count_alarms(ALARM))
        yield Metric("compared throws: alarms at 1/1,000", fair_again.count_alarms(1000))
        for lazy in (0.2, 0.1, 0.05):
            repeats = simulate_repeats(lazy=lazy, sets=200, throws=4000, seed=4)
            name = f"{lazy:.0%} of dice not turned: throws until an alarm, median"
            yield Metric(name, repeats.median_throws)


@dataclass(frozen=True, slots=True)
class Looks:
    """
    The evidence against sets of throws.

    Attributes:
        highest: The natural logarithm of the highest evidence against each set.
        first: The throw of each set's first alarm; infinite without one.
    """

    highest: NDArray[np.float64]
    first: NDArray[np.float64]

    def count_alarms(self, evidence: float) -> int:
        """Return how many sets ever reached this evidence."""
        return count_reached(self.highest, evidence)

    @property
    def median_throws(self) -> float:
        """After how many throws half of the sets were spoken against."""
        return float(np.median(self.first))


def count_reached(highest: NDArray[np.float64], evidence: float) -> int:
    """Return in how many sets the highest evidence, as logarithms, reached this evidence."""
    return int((highest >= np.log(evidence)).sum())


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
    """Throw sets of dice and look after every throw."""
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
