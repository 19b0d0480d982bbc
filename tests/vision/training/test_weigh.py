# SPDX-License-Identifier: MIT
"""Weights are those of a logistic regression; limits hold with the stated confidence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from controller.cli.bench_reader.binomial import upper_bound
from tests.vision.faces import make_candidate, make_face, make_proposal
from tests.vision.training.drawn_dice import dice
from vision.nets.onnx_net import WEIGHTS
from vision.nets.weighing import DIE_FEATURES, RIGHT_FEATURES, START, Evidence, Weighing
from vision.training.weigh import (
    Believed,
    JudgedScene,
    Promise,
    choose_limits,
    count_believed,
    count_numbers,
    draw_scenes,
    fit_logistic,
    fit_weights,
    least_limit,
    samples_of,
    write_weighing,
)

_Floats = NDArray[np.float64]


def _drawn(features: _Floats, weights: tuple[float, ...], rng: np.random.Generator) -> _Floats:
    shares = 1.0 / (1.0 + np.exp(-(features @ np.array(weights))))
    return np.asarray(rng.random(len(features)) < shares, np.float64)


class TestFitLogistic:
    @pytest.mark.parametrize("weights", [(0.4, 1.2, -0.7), (-2.0, 0.0, 1.5)])
    def test_known_weights_are_recovered(self, weights: tuple[float, ...]) -> None:
        rng = np.random.default_rng(1)
        features = np.column_stack([np.ones(30_000), rng.normal(0.0, 1.0, (30_000, 2))])
        found = fit_logistic(features, _drawn(features, weights, rng))
        np.testing.assert_allclose(found, weights, atol=0.08)

    def test_features_that_separate_all_keep_the_weights_finite(self) -> None:
        features = np.column_stack([np.ones(200), np.repeat([-4.0, 4.0], 100)])
        found = fit_logistic(features, np.repeat([0.0, 1.0], 100))
        assert np.isfinite(found).all()
        assert found[1] > 0.5


def _limit(shares: _Floats, is_wrong: NDArray[np.bool_], most: float) -> float:
    """Return the least limit where each probability is tried once."""
    tried = [
        Believed(float(one), int((shares >= one).sum()), int(is_wrong[shares >= one].sum()))
        for one in np.unique(shares)[::-1]
    ]
    return least_limit(tried or [Believed(1.0, 0, 0)], most)


class TestLeastLimit:
    def samples(self, seed: int, count: int) -> tuple[_Floats, NDArray[np.bool_]]:
        """Probabilities, and errors that get more frequent as these fall."""
        rng = np.random.default_rng(seed)
        shares = rng.random(count)
        return shares, rng.random(count) < 0.3 * (1.0 - shares) ** 2

    @pytest.mark.parametrize("most", [0.01, 0.03])
    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_the_exact_binomial_bound_holds_at_the_limit_not_below(
        self, seed: int, most: float
    ) -> None:
        shares, is_wrong = self.samples(seed, 3000)
        limit = _limit(shares, is_wrong, most)
        believed = int((shares >= limit).sum())
        assert upper_bound(int(is_wrong[shares >= limit].sum()), believed) <= most
        lower = np.sort(shares)[::-1][believed]
        errors = int(is_wrong[shares >= lower].sum())
        assert upper_bound(errors, believed + 1) > most

    @pytest.mark.parametrize("count", [0, 10, 298])
    def test_too_few_samples_are_refused(self, count: int) -> None:
        """Even 298 samples without an error leave one in a hundred possible."""
        with pytest.raises(ValueError, match=f"expected at least 299 samples.*found {count},"):
            _limit(np.full(count, 0.99), np.zeros(count, np.bool_), 0.01)

    def test_the_promise_holds_for_errors_at_exactly_this_rate(self) -> None:
        """Then each limit is one too many; 5 of 100 runs may give one, 13 hardly ever."""
        rng = np.random.default_rng(1)
        given = 0
        for _ in range(100):
            try:
                _limit(rng.random(400), rng.random(400) < 0.05, 0.05)
            except ValueError:
                continue
            given += 1
        assert given <= 12

    def test_samples_of_equal_probability_are_believed_together(self) -> None:
        is_wrong = np.repeat([False, True], [400, 100])
        with pytest.raises(ValueError, match="expected"):
            _limit(np.full(500, 0.999), is_wrong, 0.01)


def _scene(rng: np.random.Generator) -> JudgedScene:
    """Four places in a row; what the nets say of a die is mostly stronger, but not always."""
    is_die = rng.random(4) < 0.8
    is_die[0] = True
    places = [(100.0 * (k + 1), 100.0) for k in np.flatnonzero(is_die)]
    truth = dice(*places, half_px=30.0, faces=(5,) * len(places))
    candidates = []
    for k, there in enumerate(is_die):
        strength = rng.normal(5.0, 2.0) if there else rng.normal(-6.0, 1.5)
        right = there and rng.random() < 1.0 / (1.0 + np.exp(-2.0 * strength))
        face = make_face(100.0 * (k + 1), 100.0, number=5 if right else 2)
        shares = np.full(7, 1e-6)
        shares[face.number] = 1.0
        proposal = make_proposal(face.center, likeness=float(1.0 / (1.0 + np.exp(-strength))))
        evidence = Evidence(proposal, shares, shares, shares)
        candidates.append(replace(make_candidate(face, die=0.0, right=0.0), evidence=evidence))
    return JudgedScene((tuple(candidates),), 1.0, truth)


@pytest.mark.long
class TestChooseLimits:
    @pytest.fixture(scope="class")
    @staticmethod
    def scenes() -> list[JudgedScene]:
        rng = np.random.default_rng(7)
        return [_scene(rng) for _ in range(400)]

    def weighing(self) -> Weighing:
        """Only what the finder says counts."""
        die, right = np.zeros(len(DIE_FEATURES)), np.zeros(len(RIGHT_FEATURES))
        die[DIE_FEATURES.index("finder")] = 1.0
        right[RIGHT_FEATURES.index("finder")] = 1.0
        return replace(START, die_weights=tuple(die), right_weights=tuple(right))

    @pytest.mark.parametrize("is_told", [True, False])
    def test_believed_numbers_keep_the_promise(
        self, scenes: list[JudgedScene], is_told: bool
    ) -> None:
        promise = Promise(told=0.02, untold=0.04)
        chosen = choose_limits(self.weighing(), scenes, promise)
        limit = chosen.least_right_told if is_told else chosen.least_right
        weighed = [scene.weighed_by(chosen) for scene in scenes]
        held = {one.limit: one for one in count_believed(weighed, chosen, is_told=is_told)}[limit]
        most = promise.told if is_told else promise.untold
        assert held.numbers > 300
        assert upper_bound(held.wrong, held.numbers) <= most

    def test_few_unread_dice_make_no_doubt(self, scenes: list[JudgedScene]) -> None:
        chosen = choose_limits(self.weighing(), scenes, Promise(0.02, 0.04))
        weighed = [one for scene in scenes for one in scene.weighed_by(chosen).candidates]
        unread = samples_of(scenes).is_die & (
            np.array([one.verdict.right for one in weighed]) < 0.95
        )
        die = np.array([one.verdict.die for one in weighed])
        assert (die[unread] < chosen.least_die).mean() == pytest.approx(0.03, abs=0.015)

    def test_a_die_that_is_passed_over_is_wrong(self) -> None:
        scene = _scene(np.random.default_rng(1))
        empty = replace(scene, looks=((),))
        (one, *_) = count_believed([empty], self.weighing(), is_told=False)
        assert (one.numbers, one.wrong) == (len(scene.truth.centers),) * 2

    def test_weights_are_fitted_on_what_is_true(self, scenes: list[JudgedScene]) -> None:
        fitted = fit_weights(scenes)
        assert fitted.die_weights[DIE_FEATURES.index("finder")] > 0.5
        assert fitted.right_weights[RIGHT_FEATURES.index("finder")] > 0.2


def test_only_numbers_of_dice_count_where_all_are_known() -> None:
    """A stray is no number of a die that a table knows to be there."""
    rng = np.random.default_rng(3)
    scenes = [_scene(rng) for _ in range(40)]
    last = list(count_numbers(scenes, START))[-1]
    assert last.numbers == sum(len(scene.truth.centers) for scene in scenes)
    assert 0 < last.wrong < last.numbers / 2


def test_what_is_written_is_what_the_reader_loads(tmp_path: Path) -> None:
    weighing = replace(START, least_right=0.987654321)
    write_weighing(weighing, tmp_path / "weighing.json")
    assert Weighing.load(tmp_path / "weighing.json") == weighing


def test_samples_of_scenes_have_features_and_truths() -> None:
    (scene,) = draw_scenes([3_900_001], WEIGHTS)
    samples = samples_of([scene])
    count = len(samples.is_die)
    assert count == len(scene.candidates) > 0
    assert samples.die.shape == (count, len(DIE_FEATURES))
    assert samples.right.shape == (count, len(RIGHT_FEATURES))
    assert np.isfinite(samples.die).all()
    assert np.isfinite(samples.right).all()
    assert ((samples.odd >= 0.0) & (samples.odd <= 1.0)).all()
    assert set(samples.is_right[np.isfinite(samples.is_right)]) <= {0.0, 1.0}
    assert (samples.is_right[~samples.is_die] == 0.0).all()
