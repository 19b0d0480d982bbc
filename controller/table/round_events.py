# SPDX-License-Identifier: MIT
"""The event about the result of a round, which stays on the screens for a while."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RoundSeen:
    """The result of this round was on the screens long enough."""

    number: int
