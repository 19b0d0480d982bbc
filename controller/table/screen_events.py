# SPDX-License-Identifier: MIT
"""When the box's own screen becomes idle, and what wakes it beside a press and a motion."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScreenIdled:
    """Nobody has used the table for some minutes."""


@dataclass(frozen=True, slots=True)
class ScreenTouched:
    """Somebody uses the box's own screen, in any way."""
