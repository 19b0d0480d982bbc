# SPDX-License-Identifier: MIT
"""What a soak must not show, and that it is told when it does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.bench.memory import MemorySample
from tests.bench.soak_result import SoakResult, list_metrics
from tests.support.server_process import ProcessUsage

WELL = SoakResult(
    minutes=30.0,
    start_s=1.5,
    start=ProcessUsage(200.0, 70, 12),
    end=ProcessUsage(203.0, 78, 12),
    memory=(MemorySample(0.0, 200.0), MemorySample(10.0, 208.0), MemorySample(30.0, 210.0)),
    throws=5,
    shown=("11234", "23456", "11234"),
    journalled=("11234", "23456", "11234"),
    invented=0,
    is_owed=False,
    doubts=1,
    faults=4,
    visits=100,
    answers_ms=(3.0, 5.0, 40.0),
    refused=0,
    exit_status=0,
)


def find_failures(soaked: SoakResult) -> list[str]:
    return list(filter(None, (metric.find_failure() for metric in list_metrics(soaked))))


def test_a_soak_that_went_well_passes_no_limit() -> None:
    assert find_failures(WELL) == []


@pytest.mark.parametrize(
    ("worse", "failure"),
    [
        (
            replace(WELL, end=ProcessUsage(220.0, 70, 12)),
            "memory grown, MB: expected at most 16, found 20",
        ),
        (
            replace(WELL, memory=(MemorySample(10.0, 208.0), MemorySample(30.0, 214.0))),
            "memory grown in the last 20 minutes, MB: expected at most 4, found 6",
        ),
        (
            replace(WELL, end=ProcessUsage(203.0, 79, 12)),
            "threads at end: expected at most 78, found 79",
        ),
        (
            replace(WELL, end=ProcessUsage(203.0, 70, 17)),
            "open files at end: expected at most 14, found 17",
        ),
        (replace(WELL, journalled=("11234", "23456")), "rolls lost: expected at most 0, found 1"),
        (replace(WELL, shown=("11234", "23456")), "rolls invented: expected at most 0, found 1"),
        (replace(WELL, invented=1), "rolls invented: expected at most 0, found 1"),
        (
            replace(WELL, journalled=("23456", "11234", "11234")),
            "journals in another order: expected at most 0, found 1",
        ),
        (
            replace(WELL, shown=(), journalled=()),
            "rolls in the journal: expected at least 1, found 0",
        ),
        (replace(WELL, is_owed=True), "throws that were never taken: expected at most 0, found 1"),
        (replace(WELL, refused=2), "answers that were not 200: expected at most 0, found 2"),
        (
            replace(WELL, answers_ms=(3.0, 6000.0)),
            "answer, slowest, ms: expected at most 5000, found 6000",
        ),
        (
            replace(WELL, attacks={"silent connections": 520}, slowest_ms=1200.0),
            "own screen, slowest answer, ms: expected at most 1000, found 1200",
        ),
        (
            replace(WELL, attacks={"silent connections": 520}, silence_s=3.5),
            "own screen, longest silence, s: expected at most 3, found 3.5",
        ),
        (replace(WELL, exit_status=70), "exit status: expected at most 0, found 70"),
        (replace(WELL, exit_status=-9), "exit status: expected at least 0, found -9"),
    ],
)
def test_each_passed_limit_is_a_failure(worse: SoakResult, failure: str) -> None:
    assert find_failures(worse) == [failure]


def test_a_short_soak_may_still_be_warming_up() -> None:
    grown = replace(WELL, minutes=0.5, end=ProcessUsage(240.0, 70, 12))
    assert find_failures(grown) == []
    assert len(find_failures(replace(grown, end=ProcessUsage(280.0, 70, 12)))) == 1


def test_a_table_that_never_answered_is_summed_up_too() -> None:
    metrics = {each.name: each.value for each in list_metrics(replace(WELL, answers_ms=()))}
    assert metrics["answer, slowest, ms"] == 0.0
    assert metrics["memory at end, MB"] == 203.0
