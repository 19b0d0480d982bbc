# SPDX-License-Identifier: MIT
"""The event as a value: what a store drops leaves no trace, and is built again."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.tournament.state.event_fold import EventFold
from controller.tournament.state.state import EventState
from tests.controller.tournament.event_tables import PlayedEvent, duplicate_event


@pytest.fixture(scope="module")
def played() -> PlayedEvent:
    event = PlayedEvent(duplicate_event(), players=3)
    event.open_game()
    event.play_game(random.Random(4), 0.7)
    return event


def describe(state: EventState) -> object:
    game = state.data.games[-1] if state.data.games else None
    sheets = (
        {player: sheet.sheet("player") for player, sheet in game.sheets.items()} if game else {}
    )
    return (len(state.data.people), sheets, state.list_due(10**13))


@settings(max_examples=15, deadline=None)
@given(drops=st.lists(st.tuples(st.integers(1, 20), st.integers(1, 15)), max_size=8))
def test_dropped_values_leave_no_trace(played: PlayedEvent, drops: list[tuple[int, int]]) -> None:
    """Apply a number of entries, then go back by some of them, and so on to the end."""
    fold, expected = EventFold(most_behind=15), EventState()
    for box, line in played.lines:
        fold = fold.apply_table_line(box, line)
        expected.apply_table_line(box, line)
    values = [fold]
    for forward, back in drops:
        for entry in played.entries[len(values) - 1 :][:forward]:
            values.append(values[-1].apply(entry))
        for _ in range(min(back, forward, len(values) - 1)):
            values.pop()
    expected.apply_all(played.entries[: len(values) - 1])
    assert describe(values[-1].state) == describe(expected)


def test_a_refused_entry_changes_nothing(played: PlayedEvent) -> None:
    fold = EventFold()
    for entry in played.entries[:4]:
        fold = fold.apply(entry)
    with pytest.raises(InputError, match="expected 3, found 2"):
        fold.apply(played.entries[3])
    assert len(fold.apply(played.entries[4]).state.data.people) == 3


def test_a_value_of_long_ago_is_refused(played: PlayedEvent) -> None:
    first = EventFold(most_behind=3)
    fold = first
    for entry in played.entries[:5]:
        fold = fold.apply(entry)
    with pytest.raises(InputError, match="one of the last 3 versions of the event, found one 5"):
        first.apply(played.entries[0])


def test_a_line_that_comes_again_is_read_once(played: PlayedEvent) -> None:
    event = PlayedEvent(duplicate_event(), players=1)
    event.open_game()
    thrown = event.throw("13446", by_hand="Olga")
    event.send(thrown)
    assert len(event.state.list_reviews()) == 1
