# SPDX-License-Identifier: MIT
"""How an opponent chooses, and what counts as the same choice on another machine."""

from __future__ import annotations

import random
from collections import Counter
from hashlib import sha256

import pytest

from controller.coach.contract import Unit
from controller.coach.opponent import (
    GRADES,
    TOLERANCE_STEPS,
    create_opponent,
    draw_number,
    may_pick,
    pick_action,
    round_values,
)
from tests.controller.coach.greedy_coach import GreedyCoach

VALUES = {"a": 100_000, "b": 97_000, "c": 100_000, "d": 0}


def numbers(count: int) -> list[int]:
    return [
        draw_number(sha256(str(index).encode()).hexdigest(), "Ada", 0) for index in range(count)
    ]


def test_the_chance_of_an_action_grows_with_its_value() -> None:
    found = Counter(pick_action(VALUES, 3_000, number) for number in numbers(6000))
    assert found["d"] == 0
    # exp(-1) of the weight of each of the two best ones; 4.5 standard errors around that.
    assert found["b"] / 6000 == pytest.approx(0.3679 / 2.3679, abs=0.021)
    assert found["a"] / 6000 == pytest.approx(1 / 2.3679, abs=0.029)


def test_a_weak_player_errs_more_often_than_a_strong_one() -> None:
    lost = []
    for grade in GRADES:
        t_steps = create_opponent("Ada", grade, GreedyCoach("choice")).t_steps
        picked = (pick_action(VALUES, t_steps, one) for one in numbers(500))
        lost.append(sum(100_000 - VALUES[action] for action in picked))
    assert lost == sorted(lost, reverse=True)
    assert len(set(lost)) == len(GRADES)


def test_two_equal_players_do_not_draw_the_same_number() -> None:
    link = sha256(b"roll").hexdigest()
    drawn = {draw_number(link, name, index) for name in ("Ada", "Ben") for index in (0, 1)}
    assert len(drawn) == 4
    assert draw_number(link, "Ada", 0) == int(
        sha256(f"{link}\n0\nAda".encode()).hexdigest()[:16], 16
    )


def test_values_that_differ_in_the_last_digits_explain_a_choice() -> None:
    """Whatever another machine picks by values within the tolerance, it counts as the same."""
    chance = random.Random(5)
    differ = 0
    for number in numbers(4000):
        values = {name: chance.randrange(600) for name in "abcde"}
        near = {
            name: value + chance.randint(-TOLERANCE_STEPS, TOLERANCE_STEPS)
            for name, value in values.items()
        }
        picked = pick_action(near, 150, number)
        differ += picked != pick_action(values, 150, number)
        assert may_pick(values, 150, number, picked)
    assert differ > 5, "no number lay at a border, so nothing was tested"


def test_another_choice_does_not_count_as_the_same() -> None:
    wrong = right = 0
    for number in numbers(1000):
        picked = pick_action(VALUES, 3_000, number)
        right += may_pick(VALUES, 3_000, number, picked)
        wrong += sum(may_pick(VALUES, 3_000, number, other) for other in set(VALUES) - {picked})
    assert right == 1000
    assert wrong < 60
    assert not may_pick(VALUES, 3_000, 0, "unknown")


def test_values_are_rounded_to_whole_steps_of_their_unit() -> None:
    assert round_values({"a": 1.23449}, Unit.POINTS) == {"a": 1234}
    assert round_values({"a": 0.5000004}, Unit.CHANCE) == {"a": 500_000}


def test_an_opponent_knows_its_grade_and_its_weights() -> None:
    opponent = create_opponent("Ada", "strong", GreedyCoach("choice"))
    assert (opponent.t_steps, opponent.weights) == (6_000, "0" * 64)
    finer = create_opponent("Ada", "strong", GreedyCoach("wuerfelspiel"))
    assert finer.t_steps == 300
