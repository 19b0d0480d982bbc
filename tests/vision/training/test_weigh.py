# SPDX-License-Identifier: MIT
"""Weights are those of a logistic regression; limits hold with the stated confidence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from controller.bench.binomial import upper_bound
from vision.nets.onnx_net import WEIGHTS
from vision.nets.weighing import DIE_FEATURES, RIGHT_FEATURES, START, Weighing
from vision.training.weigh import (
    Believed,
    Promise,
    Samples,
    choose_limits,
    draw_samples,
    fit_logistic,
    least_limit,
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

    def test_a_feature_that_never_changes_is_no_error(self) -> None:
        rng = np.random.default_rng(2)
        features = np.column_stack([np.ones(500), rng.normal(0, 1, 500), np.zeros(500)])
        assert fit_logistic(features, _drawn(features, (0.0, 2.0, 0.0), rng))[2] == 0.0


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
    def test_the_exact_binomial_bound_holds_at_the_limit_and_no_lower(
        self, seed: int, most: float
    ) -> None:
        shares, is_wrong = self.samples(seed, 3000)
        limit = _limit(shares, is_wrong, most)
        believed = int((shares >= limit).sum())
        assert upper_bound(int(is_wrong[shares >= limit].sum()), believed) <= most
        lower = np.sort(shares)[::-1][believed]
        errors = int(is_wrong[shares >= lower].sum())
        assert upper_bound(errors, believed + 1) > most

    def test_without_errors_all_are_believed(self) -> None:
        shares = np.linspace(0.5, 1.0, 400)
        assert _limit(shares, np.zeros(400, np.bool_), 0.01) == 0.5

    def test_a_stricter_promise_has_a_higher_limit(self) -> None:
        shares, is_wrong = self.samples(2, 3000)
        limits = [_limit(shares, is_wrong, most) for most in (0.01, 0.03, 0.1)]
        assert limits == sorted(limits, reverse=True)
        assert limits[0] > limits[-1]

    @pytest.mark.parametrize("count", [0, 10, 298])
    def test_too_few_samples_are_refused(self, count: int) -> None:
        """Even 298 samples without an error leave one in a hundred possible."""
        with pytest.raises(ValueError, match=f"expected at least 299 samples.*found {count},"):
            _limit(np.full(count, 0.99), np.zeros(count, np.bool_), 0.01)

    def test_as_few_as_possible_are_enough(self) -> None:
        assert _limit(np.full(299, 0.99), np.zeros(299, np.bool_), 0.01) == 0.99

    def test_where_most_are_wrong_no_limit_is_found(self) -> None:
        with pytest.raises(ValueError, match="expected at least"):
            _limit(np.linspace(0.0, 1.0, 500), np.ones(500, np.bool_), 0.05)

    def test_the_promise_holds_where_errors_come_at_exactly_this_rate(self) -> None:
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


class TestChooseLimits:
    def samples(self) -> Samples:
        """Dice and other places whose features tell them apart, but for some."""
        rng = np.random.default_rng(7)
        count = 4000
        is_die = rng.random(count) < 0.7
        strength = np.where(is_die, rng.normal(5.0, 2.5, count), rng.normal(-6.0, 2.0, count))
        die = np.zeros((count, len(DIE_FEATURES)))
        right = np.zeros((count, len(RIGHT_FEATURES)))
        die[:, 1], right[:, 1] = strength + 4.0, strength
        chance = np.where(is_die, 1.0 / (1.0 + np.exp(-2.0 * strength)), 0.0)
        is_right = np.asarray(rng.random(count) < chance, np.float64)
        is_right[:50] = np.nan
        is_odd = is_die & (rng.random(count) < 0.1)
        odd = np.where(is_odd, 0.95, rng.uniform(0.0, 0.3, count))
        scene = np.arange(count) // 4
        expect = np.bincount(scene, weights=is_die.astype(np.float64))[scene].astype(np.float64)
        return Samples(die, right, is_die, is_right, odd, is_odd, scene.astype(np.float64), expect)

    def weighing(self) -> Weighing:
        return replace(
            START,
            die_weights=(0.0, 1.0, *[0.0] * (len(DIE_FEATURES) - 2)),
            right_weights=(0.0, 1.0, *[0.0] * (len(RIGHT_FEATURES) - 2)),
        )

    def test_limits_keep_what_they_stand_for(self) -> None:
        samples = self.samples()
        chosen = choose_limits(self.weighing(), samples, Promise(0.02, 0.2))
        right = 1.0 / (1.0 + np.exp(-samples.right[:, 1]))
        die = 1.0 / (1.0 + np.exp(-samples.die[:, 1]))
        believed = (right >= chosen.least_right) & np.isfinite(samples.is_right)
        errors = int((samples.is_right[believed] == 0).sum())
        assert upper_bound(errors, int(believed.sum())) <= 0.2
        unread = samples.is_die & (right < chosen.least_right)
        for limit, missed in (
            (chosen.least_die, 0.1),
            (chosen.least_die_missing, 0.1),
        ):
            assert (die[unread] < limit).mean() == pytest.approx(missed, abs=0.02)
        flat = samples.is_die & ~samples.is_odd & (right >= chosen.least_right)
        assert (samples.odd[flat] > chosen.most_odd).mean() < 0.005
        assert (samples.odd[samples.is_odd] > chosen.most_odd).all()

    def test_weights_stay_as_they_are(self) -> None:
        chosen = choose_limits(self.weighing(), self.samples(), Promise(0.02, 0.2))
        assert chosen.die_weights == self.weighing().die_weights
        assert chosen.right_weights == self.weighing().right_weights


def test_what_is_written_is_what_the_reader_loads(tmp_path: Path) -> None:
    weighing = replace(START, least_right=0.987654321)
    write_weighing(weighing, tmp_path / "weighing.json")
    assert Weighing.load(tmp_path / "weighing.json") == weighing


def test_samples_of_scenes_have_features_and_truths() -> None:
    samples = draw_samples([3_900_001], WEIGHTS)
    count = len(samples.is_die)
    assert count > 0
    assert samples.die.shape == (count, len(DIE_FEATURES))
    assert samples.right.shape == (count, len(RIGHT_FEATURES))
    assert np.isfinite(samples.die).all()
    assert np.isfinite(samples.right).all()
    assert ((samples.odd >= 0.0) & (samples.odd <= 1.0)).all()
    assert set(samples.is_right[np.isfinite(samples.is_right)]) <= {0.0, 1.0}
    assert not (samples.is_odd & ~samples.is_die).any()
    assert (samples.is_right[~samples.is_die] == 0.0).all()
