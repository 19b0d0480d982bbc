# SPDX-License-Identifier: MIT
"""The memory of hours of play, and when it is told to grow."""

from __future__ import annotations

from controller.bench.soak.evening import (
    EveningResult,
    find_evening_failures,
    list_steps,
    play_evening,
)
from controller.bench.soak.memory import MemorySample


def play_of(*memory_mb: float) -> EveningResult:
    """Return eight hours of play with the memory of each hour."""
    samples = [MemorySample(60.0 * hour, each) for hour, each in enumerate(memory_mb, start=1)]
    return EveningResult(8.0, 100.0, 1440, tuple(samples))


def test_memory_that_stops_growing_passes() -> None:
    played = play_of(150, 200, 204, 205, 205, 205, 206, 206)
    assert find_evening_failures(played) == []
    assert list_steps(played)["memory grown in the last three quarters, MB"] == 2.0


def test_memory_that_grows_on_is_told() -> None:
    played = play_of(150, 200, 202, 204, 206, 208, 210, 212)
    assert find_evening_failures(played) == ["memory grew by 10.0 MB in the last three quarters"]


def test_a_table_plays_by_itself_for_some_rolls() -> None:
    played = play_evening(0.005, seed=1, report=lambda line: None)
    assert played.rolls >= 1
    assert played.memory[-1].memory_mb > 0
    assert list_steps(played)["rolls"] == played.rolls
