# SPDX-License-Identifier: MIT
"""A throw that depends on how its dice lay is found, and fair throws are left alone."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise, product
from math import exp
from pathlib import Path

import numpy as np
import pytest

from controller.history.fairness.face_test import EXACT
from controller.history.fairness.repeat_test import Repeats, count_repeats, find_repeat_evidence
from controller.history.fairness.verdict import ALARM, TOLERANT
from tests.bench.fairness import simulate_repeats
from tests.controller.history.fairness.kept_dice import KeepingTable
from tests.controller.history.written_games import (
    add_action,
    add_game,
    add_roll,
    begin_journal,
    open_history,
)

SHAKEN_LONGER = "Too often dice show the same faces as before the throw, or the opposite ones."


def collect(throws: Sequence[Sequence[int]]) -> dict[tuple[int, ...], Repeats]:
    """Return what throws of all dice after one another say."""
    found: dict[tuple[int, ...], Repeats] = defaultdict(lambda: Repeats(0, 0, 0))
    for before, after in pairwise(throws):
        lay, more = tuple(sorted(before)), count_repeats(tuple(before), tuple(after))
        old = found[lay]
        found[lay] = Repeats(
            old.dice + more.dice, old.equal + more.equal, old.opposite + more.opposite
        )
    return found


def test_the_mean_of_the_evidence_is_1_under_fair_throws() -> None:
    """Over all throws of two dice from each of some positions, as a martingale's must be."""
    for before in ((1, 1), (1, 6), (2, 3)):
        mean = sum(
            exp(find_repeat_evidence({before: count_repeats(before, after)}))
            for after in product(range(1, 7), repeat=2)
        )
        assert mean / 36 == pytest.approx(1.0, abs=1e-12)


def test_a_tolerant_null_gives_less_evidence_for_repeats() -> None:
    chance = random.Random(1)
    for _ in range(50):
        throws = [[chance.randint(1, 6) for _ in range(5)] for _ in range(chance.randint(2, 200))]
        repeats = collect(throws)
        assert find_repeat_evidence(repeats, TOLERANT) <= find_repeat_evidence(repeats, EXACT)
    assert find_repeat_evidence({}, TOLERANT) == pytest.approx(0.0)


def test_slightly_uneven_dice_are_no_repeats() -> None:
    """Their faces repeat a little more often, which the throws are not to blame for."""
    chance = random.Random(2)
    shares = (0.162, 0.162, 0.165, 0.168, 0.1715, 0.1715)
    throws = [chance.choices(range(1, 7), shares, k=5) for _ in range(40_000)]
    assert find_repeat_evidence(collect(throws), TOLERANT) < 0


def test_fair_throws_alarm_seldom_however_often_one_looks() -> None:
    run = simulate_repeats(lazy=0.0, sets=200, throws=400, seed=3)
    assert run.count_alarms(ALARM) <= 10
    assert run.count_alarms(1000) == 0


@pytest.mark.parametrize("is_opposite", [False, True])
def test_hardly_turned_dice_are_found(*, is_opposite: bool) -> None:
    run = simulate_repeats(lazy=0.2, sets=40, throws=500, seed=4, is_opposite=is_opposite)
    assert run.count_alarms(ALARM) == 40
    assert 20 < run.median_throws < 100


def test_the_simulation_looks_as_the_table_does() -> None:
    """The evidence after the last throw is that of the counted throws."""
    throws = 30
    rng = np.random.default_rng(7)
    lie = rng.integers(0, 6, (1, 5))
    thrown = [lie[0]]
    for _ in range(throws):
        rng.random((1, 5))
        thrown.append(rng.integers(0, 6, (1, 5))[0])
    faces = [[int(face) + 1 for face in one] for one in thrown]
    looks = [
        find_repeat_evidence(collect(faces[: end + 1]), TOLERANT) for end in range(1, throws + 1)
    ]
    run = simulate_repeats(lazy=0.0, sets=1, throws=throws, seed=7)
    assert float(run.highest[0]) == pytest.approx(max(looks))


def test_dice_that_stayed_are_left_out(tmp_path: Path) -> None:
    """Kept sixes show the same face again, and nobody threw them."""
    chance = random.Random(5)
    table = KeepingTable(lambda number: chance.randint(1, 6))
    table.play(games=6)
    verdict = open_history(table.journal, tmp_path).read_table().dice.verdict
    assert verdict.repeat_chance > 0.05


def test_lazy_throws_of_a_journal_are_named(tmp_path: Path) -> None:
    chance = random.Random(6)
    last: dict[int, int] = {}

    def throw(number: int) -> int:
        is_turned = chance.random() > 0.4 or number not in last
        last[number] = chance.randint(1, 6) if is_turned else last[number]
        return last[number]

    table = KeepingTable(throw)
    table.play(games=12)
    dice = open_history(table.journal, tmp_path).read_table().dice
    assert dice.verdict.repeat_chance < 0.05
    assert SHAKEN_LONGER in " ".join(dice.said)


def test_other_dice_are_not_compared_with_those_before(tmp_path: Path) -> None:
    journal = begin_journal()
    add_game(journal, "Ada", game="dice", options={"dice": 5})
    for number in range(30):
        add_roll(journal, "Ada", "12346")
        journal.add("dice_set", {"name": f"Set {number % 2}"})
        add_action(journal, "Ada", "throw")
    for one in open_history(journal, tmp_path).read_table().dice.sets:
        assert one.verdict.repeat_chance == pytest.approx(1.0)


def test_nothing_is_compared_across_a_doubt_or_a_game(tmp_path: Path) -> None:
    journal = begin_journal()
    for _ in range(30):
        add_game(journal, "Ada", game="dice", options={"dice": 5})
        add_roll(journal, "Ada", "12346")
        add_action(journal, "Ada", "throw")
        add_roll(journal, "Ada", "55555", by_hand="Eva")
        add_action(journal, "Ada", "throw")
        add_roll(journal, "Ada", "12346")
        journal.add("closed")
    dice = open_history(journal, tmp_path).read_table().dice
    assert dice.verdict.repeat_chance == pytest.approx(1.0)
