# SPDX-License-Identifier: MIT
"""The bench plays whole games by the coaches; few games show that its figures are of one piece."""

from __future__ import annotations

import numpy as np
import pytest

from controller.coach.net_weights import load_weights
from controller.coach.opponent import GRADES
from controller.coach.wuerfelspiel.sheet_key import SheetKey
from controller.coach.wuerfelspiel.sheet_net import SheetNet
from controller.coach.wuerfelspiel.sheet_values import SheetValues
from controller.coach.wuerfelspiel.turn import SCORES
from controller.games.wuerfelspiel.sheet import COLUMNS, ROWS
from tests.bench import coach
from tests.bench.one_column import ColumnSolver
from tests.bench.played_games import Mean


@pytest.mark.parametrize("name", coach.ALONE)
def test_sums_hold_and_the_coach_beats_random_play(name: str) -> None:
    figures = {each.name: each.value for each in coach.measure_game(name, 2)}
    assert figures[f"{name}, largest error of a sum"] < 0.01
    poor = figures[f"{name}, at random, without luck"]
    assert figures[f"{name}, points without luck"] > poor + 300
    assert 0 < figures[f"{name}, a choice, median, ms"] <= figures[f"{name}, a choice, slowest, ms"]


def test_exact_play_loses_black_n_white_far_less_often() -> None:
    losses = coach.count_losses(60, coach.DUEL_SEED)
    assert set(losses) <= {0.0, 1.0}
    assert Mean.of(losses).value > 0.7


def test_better_opponents_play_better() -> None:
    figures = coach.measure_opponents("choice", 8)
    means = [each.value for each in figures if each.name.endswith("without luck")]
    assert len(means) == len(GRADES)
    assert means[0] < means[2] - 100
    assert means[2] < means[4]
    poor, good = (
        Mean.of(coach.count_losses(60, coach.DUEL_SEED, grade)).value
        for grade in ("beginner", "master")
    )
    assert good < poor


def test_the_end_of_a_column_is_worth_what_the_coach_says() -> None:
    """The other two columns are full, so all that follows is counted out there too."""
    solver = ColumnSolver(SCORES.astype(np.intp))
    empty = [ROWS.index(row) for row in ("fives", "sixes", "large")]
    rest = (1 << len(ROWS)) - 1
    for rows in ([], [0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]):
        solver.solve(rest & ~sum(1 << empty[row] for row in rows))
    filled = rest & ~sum(1 << row for row in empty)
    bits = [bool(filled >> row & 1) for row in range(len(ROWS))]
    values = SheetValues(SheetNet(load_weights("wuerfelspiel")))
    for upper in (0, 20, 30):
        key = SheetKey((*bits, *(True,) * ((COLUMNS - 1) * len(ROWS))), (upper, 0, 0))
        assert values.is_exact(key)
        assert solver.values[filled, upper] == pytest.approx(values.expect(key), abs=1e-9)
