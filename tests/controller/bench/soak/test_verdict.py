# SPDX-License-Identifier: MIT
"""What a soak must not show, and that it is told when it does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.bench.soak.memory import MemorySample
from controller.bench.soak.process import ProcessUsage
from controller.bench.soak.verdict import SoakResult, find_failures, list_metrics

WELL = SoakResult(
    minutes=30.0,
    start_s=1.5,
    start=ProcessUsage(200.0, 70, 12),
    end=ProcessUsage(203.0, 70, 12),
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


def test_an_evening_that_went_well_has_no_complaint() -> None:
    assert find_failures(WELL) == []


@pytest.mark.parametrize(
    ("worse", "complaint"),
    [
        (replace(WELL, end=ProcessUsage(220.0, 70, 12)), "memory grew by 20.0 MB"),
        (
            replace(WELL, memory=(MemorySample(10.0, 208.0), MemorySample(30.0, 214.0))),
            "memory grew by 6.0 MB in the last 20 minutes",
        ),
        (replace(WELL, end=ProcessUsage(203.0, 73, 12)), "3 threads were left over"),
        (replace(WELL, end=ProcessUsage(203.0, 70, 17)), "5 files or connections were left open"),
        (replace(WELL, journalled=("11234", "23456")), "1 rolls were lost"),
        (replace(WELL, shown=("11234", "23456")), "1 rolls were invented"),
        (replace(WELL, invented=1), "1 rolls were invented"),
        (
            replace(WELL, journalled=("23456", "11234", "11234")),
            "rolls are in the journal in another order",
        ),
        (replace(WELL, shown=(), journalled=()), "not one roll was taken"),
        (replace(WELL, is_owed=True), "the last throw was never taken"),
        (replace(WELL, refused=2), "2 times /healthz said that something is wrong, or nothing"),
        (replace(WELL, answers_ms=(3.0, 6000.0)), "an answer of /healthz took 6000 ms"),
        (
            replace(WELL, attacks={"silent connections": 520}, slowest_ms=1200.0),
            "the table's own screen waited 1200 ms",
        ),
        (
            replace(WELL, attacks={"silent connections": 520}, silence_s=3.5),
            "the stream of the table's own screen was silent for 3.5 s",
        ),
        (replace(WELL, exit_status=70), "the table ended with status 70"),
    ],
)
def test_every_limit_that_is_passed_is_told(worse: SoakResult, complaint: str) -> None:
    assert find_failures(worse) == [complaint]


def test_a_roll_that_was_read_as_another_is_lost_and_invented() -> None:
    changed = replace(WELL, journalled=("11234", "23456", "11235"))
    assert (changed.lost, changed.added) == (1, 1)
    assert len(find_failures(changed)) == 2


def test_a_short_soak_may_still_be_warming_up() -> None:
    grown = replace(WELL, minutes=0.5, end=ProcessUsage(240.0, 70, 12))
    assert find_failures(grown) == []
    assert find_failures(replace(grown, end=ProcessUsage(280.0, 70, 12))) == [
        "memory grew by 80.0 MB"
    ]


def test_less_than_at_the_start_is_no_leak() -> None:
    assert find_failures(replace(WELL, end=ProcessUsage(150.0, 60, 5))) == []


def test_figures_tell_start_and_end() -> None:
    told = list_metrics(WELL)
    assert told["memory at start, MB"] == 200.0
    assert told["memory at end, MB"] == 203.0
    assert told["answer, median, ms"] == 5.0
    assert told["answer, slowest, ms"] == 40.0
    assert told["rolls lost"] == 0
    assert list_metrics(replace(WELL, answers_ms=()))["answer, slowest, ms"] == 0.0
