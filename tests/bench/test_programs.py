# SPDX-License-Identifier: MIT
"""Programs through kills of a real table; and what they lose, get twice or invent is counted."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.bench.clients.program_reader import ReceivedEvent
from tests.bench.programs import Programs, compare_events, list_events

JOURNAL = ("0.aa", "2.bb", "3.cc", "5.dd")


def read(*ids: str, resets: int = 0) -> Any:
    """Return a program that got these events."""
    events = [ReceivedEvent(each, 2.0, is_live=True) for each in ids]
    return SimpleNamespace(events=events, first_id="1.ff", resets=resets, longest_gap_s=5.0)


def test_events_are_compared_with_the_journal() -> None:
    assert compare_events(JOURNAL, "1.ff", ("2.bb", "3.cc", "5.dd")) == (3, 0, 0, 0)
    assert compare_events(JOURNAL, "0.aa", ("2.bb", "5.dd")) == (3, 1, 0, 0)
    assert compare_events(JOURNAL, "2.bb", ("3.cc", "3.cc", "5.dd")) == (2, 0, 1, 0)
    assert compare_events(JOURNAL, "2.bb", ("3.cc", "5.dd", "6.ee")) == (2, 0, 0, 1)
    assert compare_events(JOURNAL, "2.bb", ("3.ff", "5.dd")) == (2, 1, 0, 1), "another journal"


def test_what_must_not_happen_is_a_failure() -> None:
    calm = list_events(JOURNAL, [read("2.bb", "3.cc", "5.dd")])
    assert not any(each.find_failure() for each in calm)
    bad = list_events(JOURNAL, [read("3.cc", "3.cc", "6.ee", resets=1), read("2.bb", "5.dd")])
    assert list(filter(None, (each.find_failure() for each in bad))) == [
        "events lost: expected at most 0, found 3",
        "events doubled: expected at most 0, found 1",
        "events that are not in the journal: expected at most 0, found 1",
        "streams that began anew: expected at most 0, found 1",
    ]


def test_programs_lose_nothing_through_kills_of_a_table() -> None:
    followed = Programs(programs=9, seconds=0.3, kills=1, asking=1, seed=1)
    metrics = {each.name: each for each in followed.measure()}
    assert not any(each.find_failure() for each in metrics.values())
    assert metrics["events, all programs"].value >= 9, "each start is an event"
    assert metrics["longest time without a stream, s"].value > 0, "they were cut off"
    assert metrics["requests for the state"].value > 50
