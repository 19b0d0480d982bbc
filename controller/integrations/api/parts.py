# SPDX-License-Identifier: MIT
"""The parts of a running table that the interface for other programs uses."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.history.history import TableHistory
from controller.integrations.api.entry_queries import EntryQueries
from controller.runtime.access.api_tokens import ApiTokens
from controller.runtime.access.request_rate import RateLimit, RequestRate
from hardware.clock import Clock, MonotonicClock

REQUESTS = RateLimit(burst=60, per_s=10.0)
ASKED_DICE = RateLimit(burst=6, per_s=0.2)
WRONG_TOKENS = RateLimit(burst=20, per_s=0.5)


class ApiRates:
    """How often programs may ask."""

    def __init__(self, clock: Clock) -> None:
        self.requests = RequestRate(clock, REQUESTS)  # All requests of a token.
        self.asked_dice = RequestRate(clock, ASKED_DICE)  # A token's requests for dice.
        # Requests of an address without a valid token.
        self.wrong_tokens = RequestRate(clock, WRONG_TOKENS)


@dataclass(frozen=True, slots=True)
class ApiParts:
    """What the interface shows and drives; every part may be used from any thread."""

    tokens: ApiTokens
    entries: EntryQueries
    history: TableHistory  # The games and players.
    # The addresses of foreign pages that may use it, such as `http://a.example:3000`.
    origins: frozenset[str] = frozenset()
    rates: ApiRates = field(default_factory=lambda: ApiRates(MonotonicClock()))


def parse_origins(origins: str) -> frozenset[str]:
    """Return the addresses in a comma-separated setting, as browsers spell them."""
    parts = (part.strip().lower().rstrip("/") for part in origins.split(","))
    return frozenset(part for part in parts if part)
