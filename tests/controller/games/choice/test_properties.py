# SPDX-License-Identifier: MIT
"""What holds in every game of Choice, however the dice fall and whatever is chosen."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.choice.game import CHOICE
from controller.games.choice.rules import ChoiceState
from controller.games.contract import ActionEvent, GameEvent, RollEvent
from tests.controller.games.playing import random_game

Step = tuple[ChoiceState, GameEvent, ChoiceState]


@settings(max_examples=40)
@given(st.integers(1, 5), st.integers(0, 2**32))
def test_what_holds_in_every_game(players: int, seed: int) -> None:
    steps: list[Step] = []
    for state, event, after in random_game(CHOICE, players, seed):
        assert isinstance(state, ChoiceState)
        assert isinstance(after, ChoiceState)
        steps.append((state, event, after))
    every_finished_sheet_has_a_face_with_eight_marks(steps[-1][2])
    marks_on_totals_are_twice_the_rolls_evaluated(steps)
    the_bell_passes_clockwise_over_those_who_have_finished(steps)
    a_mark_on_the_fifth_die_is_missing_only_on_a_free_roll(steps)


def every_finished_sheet_has_a_face_with_eight_marks(end: ChoiceState) -> None:
    for sheet in end.sheets:
        assert [row.marks for row in sheet.fifth].count(8) == 1
        assert all(1 <= row.marks <= 8 for row in sheet.fifth)
        assert len({row.face for row in sheet.fifth}) == len(sheet.fifth) <= 3


def marks_on_totals_are_twice_the_rolls_evaluated(steps: list[Step]) -> None:
    evaluated: Counter[str] = Counter()
    for _, event, after in steps:
        evaluated[event.by] += isinstance(event, ActionEvent)
        for name in after.players:
            assert sum(after.sheet_of(name).marks) == 2 * evaluated[name]


def the_bell_passes_clockwise_over_those_who_have_finished(steps: list[Step]) -> None:
    last = -1
    for state, event, _ in steps:
        if not isinstance(event, RollEvent):
            continue
        seat, players = state.players.index(event.by), len(state.players)
        passed = [state.players[(last + step) % players]
                  for step in range(1, (seat - last - 1) % players + 1)]  # fmt: skip
        assert all(state.is_finished(name) for name in passed)
        assert not state.is_finished(event.by)
        last = seat


def a_mark_on_the_fifth_die_is_missing_only_on_a_free_roll(steps: list[Step]) -> None:
    for state, event, after in steps:
        if isinstance(event, RollEvent):
            continue
        before = state.sheet_of(event.by).fifth
        marks = sum(row.marks for row in after.sheet_of(event.by).fifth)
        listed = {row.face for row in before}
        is_free = len(listed) == 3 and not listed & set(state.faces)
        assert marks - sum(row.marks for row in before) == (0 if is_free else 1)
