# SPDX-License-Identifier: MIT
"""Rolls as values and as digits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.games.dice import make_roll, parse_roll, roll_text
from controller.games.free_dice.tally import REMEMBERED_ROLLS, FaceTally, PastRoll
from controller.games.wording import dice_words, die_words


@given(st.lists(st.integers(1, 6), max_size=8))
def test_a_roll_is_read_back_from_its_digits_in_any_order(faces: list[int]) -> None:
    assert roll_text(faces) == roll_text(reversed(faces))
    assert parse_roll(roll_text(faces), count=len(faces)) == make_roll(faces)
    assert parse_roll("".join(map(str, faces)), count=len(faces)) == make_roll(faces)


@pytest.mark.parametrize(
    "text", ["", "1234", "123456", "12340", "12347", "1234a", "1234²", "1 345"]
)
def test_anything_but_five_digits_from_1_to_6_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected 5 digits from 1 to 6, such as 13446, found '"):
        parse_roll(text, count=5)


@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_face_that_no_die_has_is_refused(face: int) -> None:
    with pytest.raises(InputError, match=f"expected faces from 1 to 6, found {face}"):
        make_roll([1, face])


def test_dice_are_written_with_their_colours() -> None:
    assert [str(die_words(die)) for die in ("w4", "b6", "5")] == ["white 4", "black 6", "5"]
    assert str(dice_words(["w4", "b6"])) == "white 4 black 6"


def test_a_tally_counts_all_rolls_and_lists_the_last() -> None:
    tally = FaceTally()
    for number in range(1, REMEMBERED_ROLLS + 3):
        tally = tally.with_roll(PastRoll(number, (6,), is_again=False))
    assert (tally.rolls, tally.counts[5]) == (REMEMBERED_ROLLS + 2, REMEMBERED_ROLLS + 2)
    assert [roll.number for roll in tally.recent] == [*range(REMEMBERED_ROLLS + 2, 2, -1)]
