# SPDX-License-Identifier: MIT
"""What holds in every game of Choice, however the dice fall and whatever is chosen."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.choice.game import CHOICE
from controller.games.choice.rules import ChoiceState
from controller.games.contract import ActionEvent, RollEvent
from tests.controller.games.playing import random_game

seeds = st.integers(0, 2**32)
tables = st.integers(1, 5)

some_games = settings(max_examples=40)


def position(state: object) -> ChoiceState:
    assert isinstance(state, ChoiceState)
    return state


@some_games
@given(tables, seeds)
def test_every_finished_sheet_has_a_face_with_eight_marks(players: int, seed: int) -> None:
    end = position([after for _, _, after in random_game(CHOICE, players, seed)][-1])
    for sheet in end.sheets:
        assert [row.marks for row in sheet.fifth].count(8) == 1
        assert all(1 <= row.marks <= 8 for row in sheet.fifth)
        assert len({row.face for row in sheet.fifth}) == len(sheet.fifth) <= 3


@some_games
@given(tables, seeds)
def test_marks_on_totals_are_twice_the_rolls_evaluated(players: int, seed: int) -> None:
    evaluated: Counter[str] = Counter()
    for _, event, after in random_game(CHOICE, players, seed):
        evaluated[event.by] += isinstance(event, ActionEvent)
        for name in after.players:
            assert sum(position(after).sheet_of(name).marks) == 2 * evaluated[name]


@some_games
@given(tables, seeds)
def test_the_bell_passes_clockwise_over_those_who_have_finished(players: int, seed: int) -> None:
    last = -1
    for state, event, _ in random_game(CHOICE, players, seed):
        if not isinstance(event, RollEvent):
            continue
        seat = state.players.index(event.by)
        steps = (seat - last - 1) % players
        passed = [state.players[(last + 1 + step) % players] for step in range(steps)]
        assert all(state.is_finished(name) for name in passed)
        assert not state.is_finished(event.by)
        last = seat


@some_games
@given(tables, seeds)
def test_a_mark_on_the_fifth_die_is_missing_only_on_a_free_roll(players: int, seed: int) -> None:
    for state, event, after in random_game(CHOICE, players, seed):
        if isinstance(event, RollEvent):
            continue
        before = position(state).sheet_of(event.by).fifth
        marks = sum(row.marks for row in position(after).sheet_of(event.by).fifth)
        listed = {row.face for row in before}
        is_free = len(listed) == 3 and not listed & set(state.faces)
        assert marks - sum(row.marks for row in before) == (0 if is_free else 1)
