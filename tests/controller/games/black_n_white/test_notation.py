# SPDX-License-Identifier: MIT
"""Results of Black'n'White: their texts, and all 36 of them from the highest to the lowest."""

from __future__ import annotations

from itertools import product

import pytest

from controller.base.errors import InputError
from controller.games.black_n_white.game import BLACK_N_WHITE
from controller.games.black_n_white.notation import (
    Result,
    rank,
)

ALL: list[Result] = list(product(range(1, 7), range(1, 7)))

HIGH_TO_LOW = """
    66 55 44 33 22 11
    65 64 63 62 61
    56 54 53 52 51
    46 45 43 42 41
    36 35 34 32 31
    26 25 24 23 21
    16 15 14 13 12
""".split()
"""Every result as it is said: the tens first."""


class TestRanking:
    def test_white_tens_rank_all_36_results_as_the_booklet_says(self) -> None:
        ranked = sorted(ALL, key=lambda result: rank(result, "white"), reverse=True)
        assert [f"{white}{black}" for white, black in ranked] == HIGH_TO_LOW

    def test_black_tens_rank_all_36_results_as_the_booklet_says(self) -> None:
        ranked = sorted(ALL, key=lambda result: rank(result, "black"), reverse=True)
        assert [f"{black}{white}" for white, black in ranked] == HIGH_TO_LOW

    def test_a_house_number_has_no_rank_before_the_tens_are_said(self) -> None:
        with pytest.raises(ValueError, match="w4 b6 has no rank"):
            rank((4, 6), "")


class TestNotation:
    @pytest.mark.parametrize(
        "text",
        [
            "", "46", "b6 w4", "w4  b6", "w4b6", " w4 b6", "w4 b6 ", "w4 b6\n", "W4 B6", "w4\tb6",
            "w0 b6", "w4 b7", "w4 w6", "b4 b6", "w4", "w4 b6 b6", "w04 b6", "w\u0664 b6", "4w 6b",
        ],
    )  # fmt: skip
    def test_every_other_text_is_refused(self, text: str) -> None:
        with pytest.raises(InputError, match="a white and a black die, such as w4 b6, found"):
            BLACK_N_WHITE.parse_roll(text)

    def test_a_light_die_is_white_and_a_dark_one_black(self) -> None:
        assert BLACK_N_WHITE.die_text(4, "light") == "w4"
        assert BLACK_N_WHITE.die_text(6, "dark") == "b6"

    @pytest.mark.parametrize(
        ("faces", "polarities"),
        [
            ((), ()),
            ((4,), ("light",)),
            ((4, 6), ("light", "light")),
            ((4, 6), ("dark", "dark")),
            ((4, 6), ("light", "")),
            ((4, 6, 6), ("light", "dark", "dark")),
            ((4,), ("light", "dark")),
            ((4, 6, 6), ("light", "dark")),
        ],
    )
    def test_anything_but_a_light_and_a_dark_die_is_no_roll(
        self, faces: tuple[int, ...], polarities: tuple[str, ...]
    ) -> None:
        with pytest.raises(InputError, match="expected one light and one dark die, found"):
            BLACK_N_WHITE.roll_text(faces, polarities)
