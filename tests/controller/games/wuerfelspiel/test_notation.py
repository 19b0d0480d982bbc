# SPDX-License-Identifier: MIT
"""Cells and holds of Würfelspiel as text, and how many ways there are to keep dice."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.games.wuerfelspiel.notation import (
    CELLS,
    Cell,
    cell_text,
    hold_text,
    list_holds,
    parse_cell,
    parse_hold,
)
from controller.games.wuerfelspiel.sheet import ROWS

ALL_ROLLS = tuple(combinations_with_replacement(range(1, 7), 5))


def test_every_cell_is_read_back_from_its_text() -> None:
    assert len(CELLS) == 39
    for text, cell in CELLS.items():
        assert parse_cell(text) == cell
        assert cell_text(cell) == text


def test_cells_come_by_row_then_column() -> None:
    assert list(CELLS)[:4] == ["ones*1", "ones*2", "ones*3", "twos*1"]
    assert list(CELLS.values()) == [Cell(row, column) for row in ROWS for column in (1, 2, 3)]


@pytest.mark.parametrize(
    "text", ["", "chance", "chance*", "chance*0", "chance*4", "chance*03", "chance*3 ", "Chance*3",
             "3*chance", "bonus*1", "chance *3", "chance×3", "chance*٣"],
)  # fmt: skip
def test_other_ways_of_writing_a_cell_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected a cell such as"):
        parse_cell(text)


@given(st.lists(st.integers(1, 6), max_size=4))
def test_every_hold_is_read_back_from_its_text(kept: list[int]) -> None:
    assert parse_hold(hold_text(kept)) == tuple(sorted(kept))


@given(st.text("hold 1234567", max_size=10) | st.from_regex(r"hold [0-7]{0,6}\n?", fullmatch=True))
def test_what_is_read_is_written_the_same_way_again(text: str) -> None:
    try:
        kept = parse_hold(text)
    except InputError:
        return
    assert hold_text(kept) == text


@pytest.mark.parametrize(
    "text", ["", "hold ", "hold 544", "hold  4", "hold4", "Hold 4", "hold 4 ", "hold 4\n", "hold 7",
             "hold 0", "hold 4 4 5", "hold 44556", "hold ٤", " hold"],
)  # fmt: skip
def test_other_ways_of_writing_a_hold_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected a hold such as"):
        parse_hold(text)


def test_all_252_rolls_can_be_kept_as_every_choice_of_dice_can() -> None:
    counted = 0
    for roll in ALL_ROLLS:
        twin = set()
        for stays in product((False, True), repeat=5):
            digits = "".join(str(face) for face, kept in zip(roll, stays, strict=True) if kept)
            twin.add(f"hold {digits}".strip())
        twin.remove("hold " + "".join(map(str, roll)))
        assert set(list_holds(roll)) == twin
        assert len(list_holds(roll)) == len(twin)
        counted += len(twin)
    # By hand: a roll split into kept and thrown dice is five dice of twelve kinds, so there are
    # C(16, 5) splits; 252 of them keep everything.
    assert counted == comb(16, 5) - 252 == 4116


def test_most_kept_dice_come_first_then_the_smaller_faces() -> None:
    assert list(list_holds((4, 4, 4, 5, 5))) == [
        "hold 4445", "hold 4455", "hold 444", "hold 445", "hold 455",
        "hold 44", "hold 45", "hold 55", "hold 4", "hold 5", "hold",
    ]  # fmt: skip


def test_equal_dice_have_5_holds_and_different_ones_31() -> None:
    assert len(list_holds((6, 6, 6, 6, 6))) == 5
    assert len(list_holds((1, 2, 3, 4, 6))) == 31


def test_a_hold_names_the_faces_that_stay() -> None:
    assert list_holds((1, 4, 4, 5, 6))["hold 445"] == (4, 4, 5)
    assert list_holds((1, 4, 4, 5, 6))["hold"] == ()
