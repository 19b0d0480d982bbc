# SPDX-License-Identifier: MIT
"""What dice count in each row of Würfelspiel, and what a sheet makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, combinations_with_replacement, permutations

import pytest

from controller.games.wuerfelspiel.sheet import (
    COLUMNS,
    FACTORS,
    ROWS,
    UPPER_ROWS,
    WuerfelspielSheet,
    score_row,
)

ALL_ROLLS = tuple(combinations_with_replacement(range(1, 7), 5))

# The two sheets that the rules' own page shows in the middle of a game.
PAGE_918 = {
    "ones": (2, 3, None), "twos": (2, None, None), "threes": (6, 12, 12),
    "fours": (None, None, 12), "fives": (None, 15, 15), "sixes": (12, None, 24),
    "three": (None, None, 25), "fullhouse": (None, 25, 25), "small": (None, 30, 30),
    "large": (None, None, 40), "chance": (None, None, 24),
}  # fmt: skip
PAGE_1009 = {
    "ones": (2, 3, 3), "twos": (6, 6, None), "fours": (None, 16, 16), "fives": (None, None, 25),
    "sixes": (None, 18, None), "three": (None, None, 27), "four": (None, None, 29),
    "fullhouse": (25, None, 25), "small": (None, 30, 30), "large": (None, None, 40),
    "five": (None, None, 50), "chance": (23, None, 24),
}  # fmt: skip


def sheet_of(rows: Mapping[str, Sequence[int | None]]) -> WuerfelspielSheet:
    sheet = WuerfelspielSheet()
    for row, cells in rows.items():
        for column, points in enumerate(cells, start=1):
            if points is not None:
                sheet = sheet.fill(row, column, points)
    return sheet


def twin_score(row: str, faces: Sequence[int]) -> int:
    """The same rows told in another way: by looking at the dice in every order."""
    orders = set(permutations(faces))
    fours = ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6))
    if row in UPPER_ROWS:
        return sum(face for face in faces if ROWS[face - 1] == row)
    fits = {
        "three": any(a == b == c for a, b, c in combinations(faces, 3)),
        "four": any(a == b == c == d for a, b, c, d in combinations(faces, 4)),
        "fullhouse": any(a == b == c != d == e for a, b, c, d, e in orders),
        "small": any(order[:4] in fours for order in orders),
        "large": any(b - a == c - b == d - c == e - d == 1 for a, b, c, d, e in orders),
        "five": len(orders) == 1,
        "chance": True,
    }
    fixed = {"fullhouse": 25, "small": 30, "large": 40, "five": 50}
    return fixed.get(row, sum(faces)) if fits[row] else 0


class TestRows:
    @pytest.mark.parametrize("row", ROWS)
    def test_every_roll_counts_in_the_row_what_its_twin_says(self, row: str) -> None:
        for roll in ALL_ROLLS:
            assert score_row(row, roll) == twin_score(row, roll), roll

    @pytest.mark.parametrize(
        ("row", "rolls"),
        [
            # By hand: 252 rolls, C(9, 5) = 126 of them without a certain face.
            *((row, 252 - 126) for row in UPPER_ROWS),
            # 6 faces with 15 other pairs of dice, and those of "four".
            ("three", 6 * 15 + 36),
            ("four", 6 * 5 + 6),
            ("fullhouse", 6 * 5),
            # Each four with any fifth die; both long ones were counted twice.
            ("small", 3 * 6 - 2),
            ("large", 2),
            ("five", 6),
            ("chance", 252),
        ],
    )
    def test_so_many_of_the_252_rolls_fit_the_row(self, row: str, rolls: int) -> None:
        assert sum(score_row(row, roll) > 0 for roll in ALL_ROLLS) == rolls

    def test_the_order_of_the_dice_means_nothing(self) -> None:
        for row in ROWS:
            assert len({score_row(row, order) for order in permutations((2, 3, 4, 5, 3))}) == 1

    def test_four_fives_count_20_in_fives(self) -> None:
        assert score_row("fives", (5, 5, 2, 5, 5)) == 20

    def test_three_and_four_equal_count_all_dice(self) -> None:
        assert score_row("three", (4, 4, 4, 1, 6)) == 19
        assert score_row("four", (6, 6, 6, 6, 5)) == 29

    @pytest.mark.parametrize("face", range(1, 7))
    def test_five_of_a_kind_is_no_full_house(self, face: int) -> None:
        faces = (face,) * 5
        assert score_row("fullhouse", faces) == 0
        assert score_row("five", faces) == 50
        assert score_row("three", faces) == score_row("four", faces) == 5 * face

    def test_a_gap_breaks_a_straight(self) -> None:
        assert score_row("small", (1, 2, 3, 5, 6)) == 0
        assert score_row("large", (1, 3, 4, 5, 6)) == 0
        assert score_row("small", (1, 3, 4, 5, 6)) == 30

    def test_a_row_that_is_not_there_is_a_slip(self) -> None:
        with pytest.raises(ValueError, match="no row 'sevens'"):
            score_row("sevens", (1, 2, 3, 4, 5))


class TestPagePositions:
    """The sheets filled cell by cell; the golden record plays the same position in turns."""

    def test_first_sheet_counts_918(self) -> None:
        sheet = sheet_of(PAGE_918)
        assert [sheet.column_total(column) for column in (1, 2, 3)] == [22, 85, 242]
        assert [sheet.bonus(column) for column in (1, 2, 3)] == [0, 0, 35]
        assert sheet.upper(3) == 63
        assert sheet.total == 918

    def test_second_sheet_counts_1009(self) -> None:
        sheet = sheet_of(PAGE_1009)
        assert [sheet.column_total(column) for column in (1, 2, 3)] == [56, 73, 269]
        assert [sheet.bonus(column) for column in (1, 2, 3)] == [0, 0, 0]
        assert sheet.total == 1009


class TestSheet:
    @pytest.mark.parametrize("column", range(1, COLUMNS + 1))
    def test_62_in_the_upper_rows_earn_nothing_and_63_earn_35(self, column: int) -> None:
        sheet = WuerfelspielSheet().fill("chance", column, 30)
        for row, points in zip(UPPER_ROWS[1:], (6, 9, 8, 20, 18), strict=True):
            sheet = sheet.fill(row, column, points)
        short, enough = (sheet.fill("ones", column, points) for points in (1, 2))
        assert (short.upper(column), short.bonus(column)) == (62, 0)
        assert short.column_total(column) == 62 + 30
        assert (enough.upper(column), enough.bonus(column)) == (63, 35)
        assert enough.column_total(column) == 63 + 35 + 30
        assert enough.total == FACTORS[column - 1] * (63 + 35 + 30)

    def test_the_bonus_comes_before_all_upper_rows_are_filled(self) -> None:
        sheet = sheet_of({"fours": (None, 20, None), "fives": (None, 25, None)})
        assert sheet.bonus(2) == 0
        assert sheet.fill("sixes", 2, 18).bonus(2) == 35

    def test_upper_rows_of_other_columns_do_not_help(self) -> None:
        sheet = sheet_of({"fives": (25, 25, 25), "sixes": (30, 30, 30)})
        assert [sheet.bonus(column) for column in (1, 2, 3)] == [0, 0, 0]

    def test_every_cell_stands_alone(self) -> None:
        for row in ROWS:
            for column in range(1, COLUMNS + 1):
                sheet = WuerfelspielSheet().fill(row, column, 5)
                assert sheet.points(row, column) == 5
                assert sheet.empty_cells == 38
                assert sheet.total == 5 * column

    def test_a_zero_is_an_entry(self) -> None:
        sheet = WuerfelspielSheet().fill("five", 1, 0)
        assert sheet.points("five", 1) == 0
        assert sheet.points("five", 2) is None
        assert sheet.total == 0

    def test_a_sheet_is_finished_with_its_last_cell(self) -> None:
        nearly = sheet_of({row: (0, 0, 0 if row != "small" else None) for row in ROWS})
        assert not nearly.is_finished
        assert nearly.fill("small", 3, 0).is_finished

    def test_the_best_sheet_there_can_be(self) -> None:
        best = {row: max(score_row(row, roll) for roll in ALL_ROLLS) for row in ROWS}
        # 5 x 21 above, the bonus, 30 + 30 + 25 + 30 + 40 + 50 + 30 below; six times.
        column = 105 + 35 + 235
        assert sheet_of({row: (most,) * 3 for row, most in best.items()}).total == 6 * column

    def test_a_filled_cell_stays_as_it_is(self) -> None:
        with pytest.raises(ValueError, match="chance in column 3 is filled already"):
            WuerfelspielSheet().fill("chance", 3, 0).fill("chance", 3, 20)

    @pytest.mark.parametrize("column", [-1, 0, 4])
    def test_a_column_that_is_not_there_is_a_slip(self, column: int) -> None:
        for ask in (
            WuerfelspielSheet().upper,
            WuerfelspielSheet().bonus,
            WuerfelspielSheet().column_total,
        ):
            with pytest.raises(ValueError, match=f"no column {column}"):
                ask(column)
        with pytest.raises(ValueError, match=f"no column {column}"):
            WuerfelspielSheet().points("chance", column)
