# SPDX-License-Identifier: MIT
"""The parts of a running table that the interface for other programs uses."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.games import GAMES
from controller.history.history import TableHistory
from controller.integrations.api.entry_queries import ApiEvent, EntryQueries, EventFeed
from controller.integrations.api.entry_views import EVENT_TYPES
from controller.integrations.api.table_view import view_table
from controller.runtime.access.api_tokens import ApiToken, ApiTokens, Scope
from controller.runtime.access.request_rate import RateLimit, RequestRate
from hardware.clock import Clock, MonotonicClock

__all__ = [
    "EVENT_TYPES",
    "GAME_KEYS",
    "ApiEvent",
    "ApiParts",
    "ApiRates",
    "ApiToken",
    "EventFeed",
    "Scope",
    "view_table",
]

GAME_KEYS = tuple(GAMES)
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
    # The games and players; None while the table has no history.
    history: TableHistory | None = None
    # The addresses of foreign pages that may use it, such as `http://a.example:3000`.
    origins: frozenset[str] = frozenset()

    rates: ApiRates = field(default_factory=lambda: ApiRates(MonotonicClock()))


def parse_origins(origins: str) -> frozenset[str]:
    """Return the addresses in a comma-separated setting, as browsers spell them."""
    parts = (part.strip().lower().rstrip("/") for part in origins.split(","))
    return frozenset(part for part in parts if part)
