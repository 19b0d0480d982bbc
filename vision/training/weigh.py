# SPDX-License-Identifier: MIT
"""
Fit the weights of the witnesses, and choose the limits by which a number is believed.

The weights come from logistic regression on rendered scenes. The limits come from other
scenes, by learn-then-test: limits are tried from the strictest on, each is a hypothesis "more
than that share of the believed numbers is wrong", and the last one is taken before a hypothesis
can't be rejected. So the rate holds with the stated confidence, on scenes like these.

Angelopoulos, Bates, Candes, Jordan, Lei: Learn then test, 2021 (arXiv 2110.01052).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from math import ceil, lgamma, log, log1p
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face import Face
from vision.nets.finder import Finder
from vision.nets.weighing import DIE_FEATURES, NUMBER_FEATURES, RIGHT_FEATURES, START, Weighing
from vision.pipeline import is_open
from vision.pyramid import Pyramid
from vision.resolve import Decision, decide
from vision.tile_verdicts import Candidate, Judge
from vision.tiles import TILE_PX
from vision.training.labels import HIDDEN, WHOLE, SceneLabels, label_scene
from vision.training.processes import open_pool
from vision.training.scenes import DieState, SceneSpec, render_scene

_Floats = NDArray[np.float64]

_NEAR = 0.25  # How far off the true centre, in edges, a candidate still is that die.

_SIZES = (0.7, 1.4)
_RIDGE = 1e-2
_STEPS = 60
LIMITS = tuple(float(limit) for limit in 1.0 - np.geomspace(0.02, 0.6, 50))
"""Limits that are tried, the strictest first."""

_CONFIDENCE = 0.95

_READ = 0.95  # Probability from which on a number counts as read before the limits are known.

_PASSED_OVER, _PASSED_OVER_MET = 0.03, 0.1
"""Shares of dice that are not read and make no doubt: otherwise, and if the count is met."""

_CALLED_ODD = 0.001  # Share of flat dice that are taken for odd ones.

_NO_TILE = np.zeros((TILE_PX, TILE_PX, 3), np.uint8)
_SIZES_WH = ((1280, 720), (640, 360), (960, 720), (1280, 960))


@dataclass(frozen=True, slots=True)
class Believed:
    """How many numbers are believed at a limit, and how many of them are wrong."""

    limit: float
    numbers: int
    wrong: int


@dataclass(frozen=True, slots=True, eq=False)
class JudgedScene:
    """What was found in one scene, and what is true of its dice."""

    looks: tuple[tuple[Candidate, ...], ...]  # Those after one look, and after more.
    scale: float  # Pixels of the first copy that was looked at per pixel of the picture.
    truth: SceneLabels

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        return self.looks[-1]

    def weighed_by(self, weighing: Weighing) -> JudgedScene:
        """Return the scene with verdicts by these weights."""
        looks = tuple(
            tuple(replace(one, verdict=weighing.weigh(one.evidence)) for one in look)
            for look in self.looks
        )
        return replace(self, looks=looks)

    @property
    def is_fair(self) -> bool:
        """Whether every die lies flat and can be seen as a whole."""
        return bool(self.truth.proper.all())


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """What was said of many candidates, and what was true."""

    die: _Floats  # Features of "a die is here", (n, 8).
    right: _Floats  # Features of "it is read right", (n, 9).
    is_die: NDArray[np.bool_]  # Whether an upper face is there, (n,).
    is_right: _Floats  # 1 if the likeliest number is right, 0 if not, NaN if it is open, (n,).
    odd: _Floats  # What the tile net says of cocked, stacked and hidden dice, (n,).


@dataclass(frozen=True, slots=True)
class Promise:
    """The largest share of believed numbers that may be wrong."""

    told: float = 6e-4  # If the count of dice is known.
    untold: float = 1e-2  # If it is not.


def fit_weighing(
    seeds: range, test_seeds: range, weights: Path, promise: Promise, *, cores: int
) -> Weighing:
    """Fit weights on the scenes of some seeds, and choose limits on those of others."""
    weighing = fit_weights(draw_scenes(seeds, weights, cores=cores))
    return choose_limits(weighing, draw_scenes(test_seeds, weights, cores=cores), promise)


def fit_weights(scenes: Iterable[JudgedScene]) -> Weighing:
    """Return the weights that explain these scenes best, with the limits of the start."""
    samples = samples_of(scenes)
    known = np.isfinite(samples.is_right)
    dice = known & samples.is_die
    numbers = samples.right[dice][:, [RIGHT_FEATURES.index(name) for name in NUMBER_FEATURES]]
    return replace(
        START,
        die_weights=fit_logistic(samples.die, samples.is_die.astype(np.float64)),
        right_weights=fit_logistic(samples.right[known], samples.is_right[known]),
        number_weights=fit_logistic(numbers, samples.is_right[dice]),
    )


def choose_limits(weighing: Weighing, scenes: Sequence[JudgedScene], promise: Promise) -> Weighing:
    """
    Return the same weights with limits that hold on these scenes.

    A scene is believed as the reader believes it: without a doubt, and with as many dice as
    are expected. Scenes with dice that must not be read are left out.
    """
    fair = [scene.weighed_by(weighing) for scene in scenes if scene.is_fair]
    samples = samples_of(fair)
    right = np.array([one.verdict.right for scene in fair for one in scene.candidates])
    die = np.array([one.verdict.die for scene in fair for one in scene.candidates])
    unread = samples.is_die & (right < _READ)
    read = samples.is_die & (right >= _READ)
    weighing = replace(
        weighing,
        least_die=_quantile(die[unread], _PASSED_OVER, weighing.least_die),
        least_die_missing=_quantile(die[unread], _PASSED_OVER, weighing.least_die_missing),
        least_die_met=_quantile(die[unread], _PASSED_OVER_MET, weighing.least_die_met),
        most_odd=_quantile(samples.odd[read], 1.0 - _CALLED_ODD, weighing.most_odd),
    )
    numbers = count_numbers(fair, weighing)
    return replace(
        weighing,
        least_number=least_limit(numbers, promise.told),
        least_right=least_limit(count_believed(fair, weighing, is_told=False), promise.untold),
        least_right_told=least_limit(count_believed(fair, weighing, is_told=True), promise.told),
    )


def count_numbers(scenes: Sequence[JudgedScene], weighing: Weighing) -> Iterator[Believed]:
    """Yield what would be believed of the dice if a table knew all of them, as above."""
    found = [
        (weighing.weigh_number(one.evidence), _is_true(one.face, scene.truth))
        for scene in scenes
        for one in scene.candidates
        if _die_at(one.face, scene.truth) is not None
    ]
    for limit in LIMITS:
        believed = [is_true for share, is_true in found if share >= limit]
        yield Believed(limit, len(believed), believed.count(False))


def count_believed(
    scenes: Sequence[JudgedScene], weighing: Weighing, *, is_told: bool
) -> Iterator[Believed]:
    """Yield what would be believed at each of the tried limits, the strictest first."""
    for limit in LIMITS:
        tried = replace(weighing, least_right=limit, least_right_told=limit)
        numbers = wrong = 0
        for scene in scenes:
            count = len(scene.truth.centers)
            expect = count if is_told else None
            decision = _decide_scene(scene, tried, expect)
            read = len(decision.faces)
            if not decision.doubts and expect in (None, read):
                right = sum(_is_true(face, scene.truth) for face in decision.faces)
                numbers += max(read, count)
                wrong += max(read, count) - right
        yield Believed(limit, numbers, wrong)


def _decide_scene(scene: JudgedScene, weighing: Weighing, expect: int | None) -> Decision:
    """Return what the reader would decide, which looks again only if something is open."""
    for candidates in scene.looks:
        decision = decide(candidates, weighing, expect=expect)
        if not is_open(decision, scene.scale, expect=expect):
            break
    return decision


def _is_true(face: Face, truth: SceneLabels) -> bool:
    die = _die_at(face, truth)
    return die is not None and int(truth.faces[die]) == face.number


def _quantile(values: _Floats, share: float, otherwise: float) -> float:
    return float(np.quantile(values, share)) if len(values) else otherwise


def least_limit(tried: Iterable[Believed], most: float) -> float:
    """
    Return the lowest limit above which at most that share is wrong, with 95 % confidence.

    Hypotheses are tested at falling limits, from the first that could be rejected at all up to the
    first that is not.

    Raises:
        ValueError: There are too few samples, or too many wrong ones, for any limit.
    """
    first = ceil(log(1.0 - _CONFIDENCE) / log1p(-most))
    best = last = None
    for last in tried:
        if last.numbers < first:
            continue
        if _chance(last.wrong, last.numbers, most) > 1.0 - _CONFIDENCE:
            break
        best = last.limit
    if best is None:
        found = f"{last.numbers}, {last.wrong} of them wrong" if last else "none"
        raise ValueError(
            f"expected at least {first} samples, the surest of them right; found {found}"
        )
    return best


def _chance(errors: int, count: int, rate: float) -> float:
    """Return the chance of at most this number of errors at this rate."""
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
        shares = 0.5 * (1.0 + np.tanh(0.5 * (features @ weights)))
        slope = features.T @ (shares - truth) + ridge @ weights
        bend = (features * (shares * (1.0 - shares))[:, None]).T @ features + ridge
        step = np.linalg.solve(bend, slope)
        weights -= step
        if float(np.abs(step).max()) < 1e-6:
            break
    return tuple(float(weight) for weight in weights)


def draw_scenes(seeds: Iterable[int], weights: Path, *, cores: int = 1) -> list[JudgedScene]:
    """Render scenes of these seeds, and collect what the nets in a folder find in them."""
    work = partial(_draw_scene, weights=weights)
    if cores == 1:
        return [work(seed) for seed in seeds]
    with open_pool(cores) as pool:
        return list(pool.map(work, seeds, chunksize=8))


def _draw_scene(seed: int, *, weights: Path) -> JudgedScene:
    cv2.setNumThreads(1)
    spec = SceneSpec(clear=True, clutter=seed % 4 == 1) if seed % 2 else None
    shot = render_scene(seed, _SIZES_WH[seed % len(_SIZES_WH)], spec=spec)
    finder, judge = _readers(weights)
    pyramid = Pyramid(shot.image_bgr)
    first = finder.find(pyramid)
    sightings = [first, finder.find_more(pyramid, first)]
    looks = tuple(
        # Thousands of scenes stay in memory, and no limit needs a tile.
        tuple(replace(one, tile=_NO_TILE) for one in judge.judge(pyramid, sighting.proposals))
        for sighting in sightings
    )
    return JudgedScene(looks, first.passes[-1].scale, label_scene(shot))


def samples_of(scenes: Iterable[JudgedScene]) -> Samples:
    """Return what was said of all candidates, and what was true."""
    table = np.array(
        [_row(one, scene.truth) for scene in scenes for one in scene.candidates]
    ).reshape(-1, len(DIE_FEATURES) + len(RIGHT_FEATURES) + 3)
    die, right, rest = np.split(table, np.cumsum([len(DIE_FEATURES), len(RIGHT_FEATURES)]), axis=1)
    return Samples(die, right, rest[:, 0] > 0.5, rest[:, 1], rest[:, 2])


@cache
def _readers(weights: Path) -> tuple[Finder, Judge]:
    return Finder(weights / "finder.onnx"), Judge(weights, weighing=START)


def _row(candidate: Candidate, truth: SceneLabels) -> _Floats:
    evidence, face = candidate.evidence, candidate.face
    die = _die_at(face, truth)
    is_right = 0.0
    if die is not None:
        seen = float(truth.visible[die])
        is_right = float(face.number == truth.faces[die])
        if HIDDEN < seen < WHOLE or (seen <= HIDDEN and is_right):
            is_right = float("nan")
        if seen >= WHOLE and not truth.has_state(DieState.FLAT, DieState.STACKED)[die]:
            is_right = float("nan")
    rest = [float(die is not None), is_right, face.odd]
    return np.concatenate([evidence.die_features(), evidence.right_features(), rest])


def _die_at(face: Face, truth: SceneLabels) -> int | None:
    for index, (center, edge) in enumerate(zip(truth.centers, truth.edges_px, strict=True)):
        size = face.edge_px / float(edge)
        near = float(np.linalg.norm(face.center - center)) < _NEAR * float(edge)
        if near and _SIZES[0] < size < _SIZES[1]:
            return index
    return None


def write_weighing(weighing: Weighing, path: Path) -> None:
    path.write_text(json.dumps(asdict(weighing), indent=1) + "\n")
