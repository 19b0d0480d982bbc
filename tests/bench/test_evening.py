# SPDX-License-Identifier: MIT
"""The memory of hours of play, and when it grows too much."""

from __future__ import annotations

from tests.bench.evening import GROWTH, Evening, list_memory
from tests.bench.memory import MemorySample


def grow(*memory_mb: float) -> str:
    """Return the failure of eight hours of play with the memory of each hour."""
    samples = [MemorySample(60.0 * hour, each) for hour, each in enumerate(memory_mb, start=1)]
    *others, growth = list_memory(samples)
    assert not any(each.find_failure() for each in others)
    return growth.find_failure()


def test_memory_that_stops_growing_passes() -> None:
    assert grow(150, 200, 204, 205, 205, 205, 206, 206) == ""


def test_memory_that_grows_on_is_a_failure() -> None:
    failure = grow(150, 200, 202, 204, 206, 208, 210, 212)
    assert failure == f"{GROWTH}: expected at most 8, found 10"


def test_a_table_plays_by_itself_for_some_rolls() -> None:
    metrics = {each.name: each.value for each in Evening(hours=0.005, seed=1).measure()}
    assert metrics["rolls"] >= 1
    assert metrics["memory at its highest, MB"] > 0
