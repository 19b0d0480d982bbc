# SPDX-License-Identifier: MIT
"""Ends of Choice against a count of every roll, and what must hold of any sheet."""

from __future__ import annotations

import numpy as np
import pytest

from controller.coach.chances import ROLL_CHANCES, ROLLS
from controller.coach.choice.coach import load_choice_coach
from controller.games.choice.jokers import Jokers
from controller.games.choice.notation import list_choices
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import ChoiceSheet, FifthDieRow
from controller.games.contract import ActionEvent, RollEvent
from controller.games.dice import roll_text

LATE = (5, 6, 7, 4, 8, 9, 8, 6, 0, 7, 5)


def make_state(faces: tuple[int, int, int], marks: tuple[int, int, int]) -> ChoiceState:
    rows = tuple(FifthDieRow(*row) for row in zip(faces, marks, strict=True))
    return ChoiceState(("Ada",), (ChoiceSheet(LATE, rows),))


def test_a_last_roll_is_the_mean_over_all_rolls() -> None:
    coach, state = load_choice_coach(), make_state((1, 3, 6), (7, 7, 7))
    mean = 0.0
    for roll, chance in zip(ROLLS, ROLL_CHANCES, strict=True):
        after = state.apply(RollEvent("Ada", roll_text(roll)))
        ends = [
            after.apply(ActionEvent("Ada", action)).totals()["Ada"]
            for action, choice in list_choices(roll).items()
            if choice.fifth in state.sheets[0].allowed_fifth(roll)
        ]
        if set(roll) & {1, 3, 6}:
            assert coach.expect(after, "Ada") == max(ends)
            mean += chance * max(ends)
        else:
            mean += chance * coach.expect(after, "Ada")
    assert coach.expect(state, "Ada") == pytest.approx(mean, abs=1e-9)


@pytest.mark.parametrize("roll", ["13446", "22244", "11366"])
@pytest.mark.parametrize(
    "left", [(), ("corrector",), ("terminator", "3:1"), ("terminator", "corrector", "3:1")]
)
def test_the_last_two_rolls_are_counted_out(left: tuple[str, ...], roll: str) -> None:
    """Each choice is worth the mean over the last roll, but for the net's single precision."""
    coach, plain = load_choice_coach(), make_state((2, 4, 5), (7, 6, 7))
    state = ChoiceState(("Ada",), plain.sheets, jokers=(Jokers(left),) if left else ())
    after = state.apply(RollEvent("Ada", roll))
    for action, value in coach.judge(after, "Ada").items():
        if is_free_roll(roll) and "/" in action:
            continue
        chosen = after.apply(ActionEvent("Ada", action))
        assert value == pytest.approx(coach.expect(chosen, "Ada"), abs=1e-4)


def is_free_roll(roll: str) -> bool:
    return not set(roll) & set("245")


@pytest.mark.parametrize("marks", [(1, 1, 1), (6, 6, 7), (7, 5, 7), (7, 6, 7)])
def test_luck_is_nothing_on_average(marks: tuple[int, int, int]) -> None:
    coach, state = load_choice_coach(), make_state((2, 4, 5), marks)
    after = [coach.expect(state.apply(RollEvent("Ada", roll_text(roll))), "Ada") for roll in ROLLS]
    assert coach.expect(state, "Ada") == pytest.approx(float(ROLL_CHANCES @ after), abs=1e-9)


def test_jokers_left_at_the_end_count() -> None:
    state = make_state((1, 3, 6), (8, 2, 4))
    jokers = ChoiceState(("Ada",), state.sheets, jokers=(Jokers(("corrector", "3:1")),))
    coach = load_choice_coach()
    assert coach.expect(state, "Ada") == state.totals()["Ada"]
    assert coach.expect(jokers, "Ada") == coach.expect(state, "Ada") + 200


def test_a_joker_is_never_worth_less_than_nothing() -> None:
    coach, sheet = load_choice_coach(), make_state((1, 3, 6), (5, 6, 4)).sheets
    values = [
        coach.expect(ChoiceState(("Ada",), sheet, jokers=(Jokers(left),)), "Ada")
        for left in ((), ("terminator",), ("terminator", "corrector", "3:1"))
    ]
    assert values[0] < values[1] < values[2]
    assert np.isfinite(values).all()
