# SPDX-License-Identifier: MIT
"""What happens to the screens by time, and what wakes the box's own beside a press."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScreenIdled:
    """Nobody has used the table for some minutes."""


@dataclass(frozen=True, slots=True)
class ScreenTouched:
    """Somebody uses the box's own screen, in any way."""


@dataclass(frozen=True, slots=True)
class RoundSeen:
    """The result of this round was on the screens long enough."""

    number: int
