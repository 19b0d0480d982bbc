# SPDX-License-Identifier: MIT
"""A hall joins at once behind one address; who goes on for longer is slowed down."""

from __future__ import annotations

import pytest

from controller.tournament.server.phone_limits import (
    ALL_LOG_RATE,
    JOIN_RATE,
    LOG_RATE,
    PHONE_RATE,
    PhoneLimits,
    RateExceededError,
)
from controller.tournament.server.player_requests import MOST_PHONES
from hardware.clock import SteppedClock

HALL, OTHER = "192.0.2.1", "192.0.2.2"


def test_a_whole_hall_joins_at_once_and_thousands_do_not() -> None:
    clock = SteppedClock()
    limits = PhoneLimits(clock)
    for _ in range(600):
        limits.require_join(HALL)
    with pytest.raises(RateExceededError, match="too many; try again in 1 s"):
        limits.require_join(HALL)
    limits.require_join(OTHER)
    clock.wait_s(10 / JOIN_RATE.per_s)
    for _ in range(10):
        limits.require_join(HALL)
    with pytest.raises(RateExceededError):
        limits.require_join(HALL)


def test_the_log_does_not_grow_with_every_refusal() -> None:
    limits = PhoneLimits(SteppedClock())
    logged = [limits.may_log(HALL) for _ in range(1000)]
    assert sum(logged) == LOG_RATE.burst


def test_the_log_does_not_grow_with_every_address() -> None:
    limits = PhoneLimits(SteppedClock())
    logged = [limits.may_log(f"127.0.1.{number % 250}") for number in range(1000)]
    assert sum(logged) == ALL_LOG_RATE.burst


def test_no_phone_of_a_full_event_is_forgotten() -> None:
    """A phone that was forgotten could ask thirty times at once again and again."""
    limits = PhoneLimits(SteppedClock())
    for require, burst in (
        (limits.require_phone, PHONE_RATE.burst),
        (limits.require_join, JOIN_RATE.burst),
    ):
        for _ in range(burst):
            require("the first")
        for number in range(MOST_PHONES - 1):
            require(f"phone {number}")
        with pytest.raises(RateExceededError):
            require("the first")
