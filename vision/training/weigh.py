# SPDX-License-Identifier: MIT
"""
Fit the weights of the witnesses, and choose the limits by which a number is believed.

The weights come from logistic regression on rendered scenes. The limits come from other
scenes, by learn-then-test: limits are tried from the strictest on, each is a hypothesis "more
than so many believed numbers are wrong", and the last one is taken before a hypothesis
can't be rejected. So the rate holds with the stated confidence, on scenes like these.

Angelopoulos, Bates, Candes, Jordan, Lei: Learn then test, 2021 (arXiv 2110.01052).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from math import ceil, lgamma, log, log1p
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.nets.finder import Finder
from vision.nets.weighing import DIE_FEATURES, RIGHT_FEATURES, START, Weighing
from vision.params.reader import JudgeParams
from vision.pyramid import Pyramid
from vision.tile_verdicts import Candidate, Judge
from vision.training.labels import HIDDEN, WHOLE, Truth, truth_of
from vision.training.scenes import DieState, Plan, draw_shot

_Floats = NDArray[np.float64]

_NEAR = 0.25
"""How far off the true centre, in edges, a candidate still is that die."""

_SIZES = (0.7, 1.4)
_RIDGE = 1e-2
_STEPS = 60
LIMITS = tuple(float(limit) for limit in 1.0 - np.geomspace(0.002, 0.6, 80))
"""Limits that are tried, the strictest first."""

_CONFIDENCE = 0.95
_SIZES_WH = ((1280, 720), (640, 360), (960, 720), (1280, 960))


@dataclass(frozen=True, slots=True)
class Believed:
    """How many numbers are believed at a limit, and how many of them are wrong."""

    limit: float
    numbers: int
    wrong: int


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """
    What was said of many candidates, and what was true.

    Attributes:
        die: Features of "a die is here", (n, 6).
        right: Features of "it is read right", (n, 7).
        is_die: Whether an upper face is there, (n,).
        is_right: 1 where the likeliest number is right, 0 where not, NaN if nobody can say, (n,).
        odd: What the tile net says of cocked, stacked and hidden dice, (n,).
        is_odd: Whether the die is one, (n,).
        scene: The seed of the scene, (n,).
        expect: How many dice lie there, (n,).
    """

    die: _Floats
    right: _Floats
    is_die: NDArray[np.bool_]
    is_right: _Floats
    odd: _Floats
    is_odd: NDArray[np.bool_]
    scene: _Floats
    expect: _Floats


@dataclass(frozen=True, slots=True)
class Promise:
    """
    The largest share of believed numbers that may be wrong.

    Attributes:
        told: If the count of dice is told.
        untold: If it is not.
    """

    told: float = 3e-4
    untold: float = 1e-3


def fit_weighing(
    seeds: range, test_seeds: range, weights: Path, promise: Promise, *, cores: int
) -> Weighing:
    """
    Fit weights on some scenes, and choose limits on others.

    Args:
        seeds: Scenes for the weights.
        test_seeds: Scenes for the limits.
        weights: Folder of the nets.
        promise: How often a believed number may be wrong.
        cores: How many processes render and judge.
    """
    samples = draw_samples(seeds, weights, cores=cores)
    known = np.isfinite(samples.is_right)
    weighing = replace(
        START,
        die_weights=fit_logistic(samples.die, samples.is_die.astype(np.float64)),
        right_weights=fit_logistic(samples.right[known], samples.is_right[known]),
    )
    tests = draw_samples(test_seeds, weights, cores=cores)
    return choose_limits(weighing, tests, promise)


def choose_limits(weighing: Weighing, samples: Samples, promise: Promise) -> Weighing:
    """
    Return the same weights with limits that hold on these samples.

    If the count of dice is told, a scene is only believed where as many numbers are read.
    """
    right = _shares(samples.right, weighing.right_weights)
    die = _shares(samples.die, weighing.die_weights)
    told = least_limit(_believed(samples, right, is_told=True), promise.told)
    least = least_limit(_believed(samples, right, is_told=False), promise.untold)
    unread = samples.is_die & (right < least)
    flat = samples.is_die & ~samples.is_odd & (right >= told)
    return replace(
        weighing,
        least_right=least,
        least_right_told=told,
        least_die=_quantile(die[unread], 0.1, weighing.least_die),
        least_die_missing=_quantile(die[unread], 0.1, weighing.least_die_missing),
        most_odd=_quantile(samples.odd[flat], 0.999, weighing.most_odd),
    )


def _believed(samples: Samples, right: _Floats, *, is_told: bool) -> list[Believed]:
    """Return what would be believed at each of the tried limits, the strictest first."""
    return [_believed_at(limit, samples, right, is_told=is_told) for limit in LIMITS]


def _believed_at(limit: float, samples: Samples, right: _Floats, *, is_told: bool) -> Believed:
    known = np.isfinite(samples.is_right)
    read = right >= limit
    if is_told:
        scenes, index = np.unique(samples.scene, return_inverse=True)
        counts = np.bincount(index, weights=read, minlength=len(scenes))
        read &= counts[index] == samples.expect
    wrong = read & known & (samples.is_right < 0.5)
    return Believed(limit, int((read & known).sum()), int(wrong.sum()))


def _quantile(values: _Floats, share: float, otherwise: float) -> float:
    return float(np.quantile(values, share)) if len(values) else otherwise


def least_limit(believed: Sequence[Believed], most: float) -> float:
    """
    Return the lowest limit above which at most so many are wrong, with 95 % confidence.

    Hypotheses are tested in their given order, from the first that could be rejected at all
    up to the first that is not.

    Args:
        believed: What is believed at falling limits.
        most: The largest share that may be wrong.

    Raises:
        ValueError: There are too few samples, or too many wrong ones, for any limit.
    """
    first = ceil(log(1.0 - _CONFIDENCE) / log1p(-most))
    best = None
    for one in believed:
        if one.numbers < first:
            continue
        if _chance(one.wrong, one.numbers, most) > 1.0 - _CONFIDENCE:
            break
        best = one.limit
    if best is None:
        last = believed[-1]
        raise ValueError(
            f"expected at least {first} samples, the surest of them right; found {last.numbers}, "
            f"{last.wrong} of them wrong"
        )
    return best


def _chance(errors: int, count: int, rate: float) -> float:
    """Return the chance of so few errors in so many, if they come at this rate."""
    logs = [
        lgamma(count + 1) - lgamma(k + 1) - lgamma(count - k + 1)
        + k * np.log(rate) + (count - k) * np.log1p(-rate)
        for k in range(errors + 1)
    ]  # fmt: skip
    return float(np.exp(logs).sum())


def fit_logistic(features: _Floats, truth: _Floats) -> tuple[float, ...]:
    """Return the weights of a logistic regression, by Newton's method with a small ridge."""
    weights = np.zeros(features.shape[1])
    ridge = np.eye(len(weights)) * _RIDGE * len(truth) / 100.0
    for _ in range(_STEPS):
        shares = _shares(features, tuple(weights))
        slope = features.T @ (shares - truth) + ridge @ weights
        bend = (features * (shares * (1.0 - shares))[:, None]).T @ features + ridge
        step = np.linalg.solve(bend, slope)
        weights -= step
        if float(np.abs(step).max()) < 1e-6:
            break
    return tuple(float(weight) for weight in weights)


def draw_samples(seeds: Iterable[int], weights: Path, *, cores: int = 1) -> Samples:
    """Render scenes of these seeds and collect what the nets in a folder say of them."""
    work = partial(_samples_of, weights=weights)
    if cores == 1:
        rows = [work(seed) for seed in seeds]
    else:
        # A process that is forked off one with threads may hang; a new one may not.
        with get_context("spawn").Pool(cores) as pool:
            rows = pool.map(work, seeds, chunksize=8)
    table = np.concatenate(rows)
    split = len(DIE_FEATURES)
    ends = split + len(RIGHT_FEATURES)
    return Samples(
        die=table[:, :split],
        right=table[:, split:ends],
        is_die=table[:, ends] > 0.5,
        is_right=table[:, ends + 1],
        odd=table[:, ends + 2],
        is_odd=table[:, ends + 3] > 0.5,
        scene=table[:, ends + 4],
        expect=table[:, ends + 5],
    )


def _samples_of(seed: int, *, weights: Path) -> _Floats:
    cv2.setNumThreads(1)
    finder, judge = _readers(weights)
    plan = Plan(clear=True, clutter=seed % 4 == 1) if seed % 2 else None
    shot = draw_shot(seed, _SIZES_WH[seed % len(_SIZES_WH)], plan=plan)
    truth = truth_of(shot)
    pyramid = Pyramid(shot.image_bgr)
    candidates = judge.judge(pyramid, finder.find(pyramid).proposals)
    rows = [_row(candidate, truth, seed) for candidate in candidates]
    return np.array(rows).reshape(-1, len(DIE_FEATURES) + len(RIGHT_FEATURES) + 6)


_CACHE: dict[Path, tuple[Finder, Judge]] = {}


def _readers(weights: Path) -> tuple[Finder, Judge]:
    if weights not in _CACHE:
        judge = Judge(JudgeParams(), weights=weights, weighing=START)
        _CACHE[weights] = Finder(weights / "finder.onnx"), judge
    return _CACHE[weights]


def _row(candidate: Candidate, truth: Truth, seed: int) -> _Floats:
    evidence, face = candidate.evidence, candidate.face
    die = _die_at(candidate, truth)
    is_right, is_odd = 0.0, False
    if die is not None:
        is_odd = bool(truth.doubtful[die])
        seen = float(truth.visible[die])
        is_right = float(face.number == truth.faces[die])
        if HIDDEN < seen < WHOLE or (seen <= HIDDEN and is_right):
            is_right = float("nan")
        if seen >= WHOLE and not truth.lies(DieState.FLAT, DieState.STACKED)[die]:
            is_right = float("nan")
    return np.concatenate(
        [
            evidence.die_features(),
            evidence.right_features(),
            [float(die is not None), is_right, face.odd, float(is_odd), seed, len(truth.centers)],
        ]
    )


def _die_at(candidate: Candidate, truth: Truth) -> int | None:
    """Return the index of the die whose upper face a candidate is."""
    face = candidate.face
    for index, (center, edge) in enumerate(zip(truth.centers, truth.edges_px, strict=True)):
        size = face.edge_px / float(edge)
        near = float(np.linalg.norm(face.center - center)) < _NEAR * float(edge)
        if near and _SIZES[0] < size < _SIZES[1]:
            return index
    return None


def _shares(features: _Floats, weights: tuple[float, ...]) -> _Floats:
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * (features @ np.array(weights)))))


def write_weighing(weighing: Weighing, path: Path) -> None:
    """Write weights and limits."""
    path.write_text(json.dumps(asdict(weighing), indent=1) + "\n")
