# SPDX-License-Identifier: MIT
"""
How often phones may ask.

Addresses are counted where nothing else is known of a client. A whole hall may be behind one
address, so it may join at once; only what goes on for longer is slowed down.
"""

from __future__ import annotations

import math

from controller.base.errors import RefusedError
from controller.base.languages.message import message
from controller.runtime.access.request_rate import RateLimit, RequestRate
from controller.tournament.server.player_requests import MOST_PHONES
from hardware.clock import Clock, MonotonicClock

JOIN_RATE = RateLimit(burst=600, per_s=5)  # Players who join from one address: a hall at once.
PHONE_RATE = RateLimit(burst=30, per_s=2)  # Requests of one phone.
GUESS_RATE = RateLimit(burst=60, per_s=1)
"""Requests with secrets that no phone has, from one address."""
LOG_RATE = RateLimit(burst=30, per_s=0.5)  # Refusals of one address that get a line in the log.
ALL_LOG_RATE = RateLimit(burst=100, per_s=1)
"""Refusals of all addresses that do: a flood comes from many."""
MOST_CLIENTS = 2 * MOST_PHONES
"""Clients that are remembered: all phones of an event, and as many that left or are officials'."""


class RateExceededError(RefusedError):
    """A client asks too often, and should wait for these whole seconds."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(
            expected=message("fewer requests"),
            found=message("too many; try again in {count} s", count=str(wait_s)),
        )
        self.wait_s = wait_s


class PhoneLimits:
    """Counts the requests of the phones of one server."""

    def __init__(self, clock: Clock | None = None) -> None:
        clock = clock or MonotonicClock()
        self._joins = RequestRate(clock, JOIN_RATE, MOST_CLIENTS)
        self._phones = RequestRate(clock, PHONE_RATE, MOST_CLIENTS)
        self._guesses = RequestRate(clock, GUESS_RATE)
        self._logged = RequestRate(clock, LOG_RATE)
        self._all_logged = RequestRate(clock, ALL_LOG_RATE)

    def require_join(self, address: str) -> None:
        """Count somebody who joins; RateExceededError after too many from this address."""
        _require(self._joins, address)

    def require_phone(self, token: str) -> None:
        """Count a request of a player's phone; RateExceededError if it asks too often."""
        _require(self._phones, token)

    def require_guess(self, address: str) -> None:
        """Count a request with an unknown secret; RateExceededError after too many."""
        _require(self._guesses, address)

    def may_log(self, address: str) -> bool:
        """Return whether a refusal gets a line in the log."""
        return not (self._logged.wait_s(address) or self._all_logged.wait_s(""))


def _require(rate: RequestRate, client: str) -> None:
    wait_s = rate.wait_s(client)
    if wait_s:
        raise RateExceededError(math.ceil(wait_s))
