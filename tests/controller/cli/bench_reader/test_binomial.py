# SPDX-License-Identifier: MIT
"""The exact bound is that of the binomial distribution."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cli.bench_reader.binomial import upper_bound


def test_no_error_in_10_000_bounds_the_rate_by_3_in_10_000() -> None:
    assert upper_bound(0, 10_000) == pytest.approx(1 - 0.05 ** (1 / 10_000))
    assert f"{upper_bound(0, 10_000):.2%}" == "0.03%"


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n - 1), st.just(n))))
def test_at_the_bound_so_few_errors_have_the_chance_that_is_left(case: tuple[int, int]) -> None:
    errors, trials = case
    rate = upper_bound(errors, trials, confidence=0.95)
    chance = sum(comb(trials, k) * rate**k * (1 - rate) ** (trials - k) for k in range(errors + 1))
    assert chance == pytest.approx(0.05)


def test_no_trials_or_only_errors_rule_nothing_out() -> None:
    assert upper_bound(0, 0) == 1.0
    assert upper_bound(7, 7) == 1.0


@pytest.mark.parametrize(("errors", "trials"), [(-1, 3), (4, 3)])
def test_more_errors_than_trials_are_refused(errors: int, trials: int) -> None:
    with pytest.raises(ValueError, match="expected 0 to 3 errors"):
        upper_bound(errors, trials)
