# SPDX-License-Identifier: MIT
"""
The upper bound of a rate after some errors in some trials.

No error in a thousand trials does not mean that there is none. The exact bound of Clopper and
Pearson is the largest rate that the trials do not rule out at this confidence.
"""

from __future__ import annotations

import math

_HALVINGS = 60


def upper_bound(errors: int, trials: int, *, confidence: float = 0.95) -> float:
    """
    Return the rate that is not exceeded with this confidence, one-sided; 1 without a trial.

    Raises:
        ValueError: More errors than trials, or fewer than none.
    """
    if not 0 <= errors <= trials:
        raise ValueError(f"expected 0 to {trials} errors, found {errors}")
    if errors == trials:
        return 1.0
    low, high = errors / trials, 1.0
    for _ in range(_HALVINGS):
        rate = (low + high) / 2.0
        if _chance_of_at_most(errors, trials, rate) > 1.0 - confidence:
            low = rate
        else:
            high = rate
    return high


def _chance_of_at_most(errors: int, trials: int, rate: float) -> float:
    """Return the probability of at most this many errors; `rate` is above 0 and not above 1."""
    if rate == 1.0:
        return 0.0
    log_rate, log_rest = math.log(rate), math.log1p(-rate)
    return math.fsum(
        math.exp(_log_ways(trials, count) + count * log_rate + (trials - count) * log_rest)
        for count in range(errors + 1)
    )


def _log_ways(trials: int, count: int) -> float:
    return math.lgamma(trials + 1) - math.lgamma(count + 1) - math.lgamma(trials - count + 1)
