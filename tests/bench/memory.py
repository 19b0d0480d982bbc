# SPDX-License-Identifier: MIT
"""
The course of a table's memory, and how much of it is growth.

Single samples rise and fall with what the table does at the moment, such as the buffer of a
throw. So the medians of the first and the last tenth of a span are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

LAST_MINUTES = 20.0
SHARE = 0.1


@dataclass(frozen=True, slots=True)
class MemorySample:
    """The resident memory of a process in MB, and the minutes of play since the start."""

    minute: float
    memory_mb: float


def measure_late_growth(
    samples: Sequence[MemorySample], last_minutes: float = LAST_MINUTES
) -> float | None:
    """Return how many MB the memory grew over the last minutes; None if there are fewer."""
    if not samples or samples[-1].minute - samples[0].minute < last_minutes:
        return None
    late = [each.memory_mb for each in samples if each.minute >= samples[-1].minute - last_minutes]
    count = max(1, round(SHARE * len(late)))
    return median(late[-count:]) - median(late[:count])
