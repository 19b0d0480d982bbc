# SPDX-License-Identifier: MIT
"""Programs through kills of a real table; and what they lose, get twice or invent is counted."""

from __future__ import annotations

from dataclasses import replace

from controller.bench.followers.programs import (
    ProgramsResult,
    compare_events,
    find_program_failures,
    follow_through_kills,
    list_program_metrics,
)

JOURNAL = ("0.aa", "2.bb", "3.cc", "5.dd")
CALM = ProgramsResult(20, 3, 60.0, 80, 0, 0, 0, 0, 5.0, (1.0, 2.0), 3, (1.0, 3.0), 0.01)


def test_events_are_compared_with_the_journal() -> None:
    assert compare_events(JOURNAL, "1.ff", ("2.bb", "3.cc", "5.dd")) == (3, 0, 0, 0)
    assert compare_events(JOURNAL, "0.aa", ("2.bb", "5.dd")) == (3, 1, 0, 0)
    assert compare_events(JOURNAL, "2.bb", ("3.cc", "3.cc", "5.dd")) == (2, 0, 1, 0)
    assert compare_events(JOURNAL, "2.bb", ("3.cc", "5.dd", "6.ee")) == (2, 0, 0, 1)
    assert compare_events(JOURNAL, "2.bb", ("3.ff", "5.dd")) == (2, 1, 0, 1), "another journal"


def test_what_must_not_happen_is_told() -> None:
    assert find_program_failures(CALM) == []
    bad = replace(CALM, lost=2, doubled=1, invented=3, resets=1)
    assert find_program_failures(bad) == [
        "2 events were lost",
        "1 events came twice",
        "3 events are not in the journal",
        "1 streams did not continue where they ended",
    ]
    assert list_program_metrics(CALM)["requests for the state, a second"] == 200.0


def test_programs_lose_nothing_through_kills_of_a_table() -> None:
    followed = follow_through_kills(9, 0.3, seed=1, report=lambda line: None, kills=1, asking=1)
    assert find_program_failures(followed) == []
    assert followed.events >= 9, "each start is an event"
    assert followed.gap_s > 0, "they were cut off"
    assert len(followed.answers_ms) > 50
