# SPDX-License-Identifier: MIT
"""Cells and holds of Würfelspiel as text, and how many ways there are to keep dice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.games.wuerfelspiel.notation import (
    hold_text,
    list_holds,
    parse_cell,
    parse_hold,
)


@pytest.mark.parametrize(
    "text", ["", "chance", "chance*", "chance*0", "chance*4", "chance*03", "chance*3 ", "Chance*3",
             "3*chance", "bonus*1", "chance *3", "chance×3", "chance*٣"],
)  # fmt: skip
def test_other_ways_of_writing_a_cell_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected a cell such as"):
        parse_cell(text)


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


def test_most_kept_dice_come_first_then_the_smaller_faces() -> None:
    assert list(list_holds((4, 4, 4, 5, 5))) == [
        "hold 4445", "hold 4455", "hold 444", "hold 445", "hold 455",
        "hold 44", "hold 45", "hold 55", "hold 4", "hold 5", "hold",
    ]  # fmt: skip
