# SPDX-License-Identifier: MIT
"""The ends of Würfelspiel are counted out: known values, and a solver that takes every way."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from controller.coach.chances import ROLLS
from controller.coach.net_weights import load_weights
from controller.coach.wuerfelspiel.sheet_key import SheetKey
from controller.coach.wuerfelspiel.sheet_net import SheetNet
from controller.coach.wuerfelspiel.sheet_values import SheetValues
from controller.coach.wuerfelspiel.turn import KEPT, KEPT_NUMBERS, find_throw_chances
from controller.games.wuerfelspiel.sheet import FACTORS, ROWS, score_row

ALLOWED = [
    [KEPT_NUMBERS[kept] for count in range(6) for kept in combinations(roll, count)]
    for roll in ROLLS
]
"""By roll, the numbers of the dice that it allows to keep."""


def with_empty(*cells: tuple[str, int], upper: tuple[int, int, int] = (0, 0, 0)) -> SheetKey:
    filled = [True] * (len(FACTORS) * len(ROWS))
    for row, column in cells:
        filled[(column - 1) * len(ROWS) + ROWS.index(row)] = False
    return SheetKey(tuple(filled), upper)


def all_of_column(column: int) -> list[tuple[str, int]]:
    return [(row, column) for row in ROWS]


@pytest.fixture(scope="module")
def values() -> SheetValues:
    return SheetValues(SheetNet(load_weights("wuerfelspiel")))


@pytest.mark.parametrize(
    ("row", "column", "expected"),
    [
        # Three throws for a face: each die shows it with 1 - (5/6)^3.
        ("ones", 1, 5 * (1 - (5 / 6) ** 3)),
        ("sixes", 3, 3 * 30 * (1 - (5 / 6) ** 3)),
        # Five equal dice within three throws: 347,897 of 7,558,272.
        ("five", 1, 50 * 347_897 / 7_558_272),
        # Throw again up to 4 at first, then up to 3: 14/3 for each die.
        ("chance", 2, 2 * 5 * 14 / 3),
    ],
)
def test_a_last_cell_has_its_known_value(
    values: SheetValues, row: str, column: int, expected: float
) -> None:
    assert values.expect(with_empty((row, column))) == pytest.approx(expected, abs=1e-9)


def test_the_bonus_counts_from_63(values: SheetValues) -> None:
    near = with_empty(("sixes", 2), upper=(0, 62, 0))
    hit = 1 - (5 / 6) ** 15
    assert values.expect(near) == pytest.approx(2 * 30 * (1 - (5 / 6) ** 3) + 70 * hit, abs=1e-9)
    has_it = with_empty(("sixes", 2), upper=(0, 63, 0))
    assert values.expect(has_it) == pytest.approx(2 * 30 * (1 - (5 / 6) ** 3), abs=1e-9)


@pytest.mark.parametrize(
    "key",
    [
        with_empty(("fives", 3), ("sixes", 3), ("large", 1), upper=(0, 0, 40)),
        with_empty(("twos", 1), ("fours", 2), ("sixes", 3), upper=(58, 50, 45)),
        with_empty(("ones", 2), ("threes", 2), ("chance", 2), upper=(0, 57, 0)),
    ],
)
def test_an_end_is_what_a_plain_solver_finds(values: SheetValues, key: SheetKey) -> None:
    """Without nets, columns apart, needs in place of totals, or levels."""
    assert values.is_exact(key)
    assert values.expect(key) == pytest.approx(solve_plainly(key), abs=1e-9)


def test_seven_cells_of_a_game_are_counted_out_once(values: SheetValues) -> None:
    cells = [("sixes", 3), ("five", 1), ("five", 2), ("four", 3), ("large", 3), ("ones", 1)]
    six = with_empty(*cells, upper=(60, 63, 52))
    seven = with_empty(*cells, ("fullhouse", 2), upper=(60, 63, 52))
    assert values.is_exact(six)
    assert values.is_exact(seven)
    assert values.expect(seven) > values.expect(six) + 20
    assert not values.is_exact(with_empty(*(("sixes", n) for n in (1, 2, 3)), *all_of_column(1)))


@cache
def solve_plainly(key: SheetKey) -> float:
    if not key.empty:
        return 0.0
    best = np.array([max(fill_plainly(key, cell, roll) for cell in key.empty) for roll in ROLLS])
    chances = find_throw_chances()
    for _ in range(2):
        kept = np.array([chances[number] @ best for number in range(len(KEPT))])
        best = np.array([kept[allowed].max() for allowed in ALLOWED])
    return float(chances[0] @ best)


def fill_plainly(key: SheetKey, cell: int, roll: tuple[int, ...]) -> float:
    column, row = divmod(cell, len(ROWS))
    points = score_row(ROWS[row], roll)
    upper = list(key.upper)
    if row < 6:
        upper[column] += points
        points += 35 if upper[column] >= 63 > key.upper[column] else 0
    filled = tuple(each or number == cell for number, each in enumerate(key.filled))
    after = SheetKey(filled, tuple(min(each, 63) for each in upper))
    return FACTORS[column] * points + solve_plainly(after)
