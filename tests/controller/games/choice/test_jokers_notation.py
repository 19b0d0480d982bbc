# SPDX-License-Identifier: MIT
"""3:1 and corrector as text that is refused, and the way from dice to a 3:1 and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.games.choice.jokers import (
    TripleGroups,
    corrector_text,
    find_triple_groups,
    list_triples,
    parse_corrector,
    parse_triple,
    triple_text,
)
from controller.games.dice import make_roll

faces = st.integers(1, 6)
five_faces = st.lists(faces, min_size=5, max_size=5)


@given(st.from_regex(r"(3:1|corrector) ?[0-9]{0,2}[+>]?[0-9]?/?[0-9]?\n?", fullmatch=True))
def test_what_is_read_is_written_the_same_way_again(text: str) -> None:
    try:
        again = triple_text(parse_triple(text))
    except InputError:
        try:
            again = corrector_text(*parse_corrector(text))
        except InputError:
            return
    assert again == text


@pytest.mark.parametrize(
    "text",
    [
        "", "11+4/3", "3:1", "3:1 4+11/3", "3:1 13+4/3", "3:1 2+4/3", "3:1 11+1/3", "3:1 11+7/3",
        "3:1 11+4/0", "3:1 11+4/7", "3:1 011+4/3", "3:1 11+4", "3:1  11+4/3", "3:1 11+4/3 ",
        "3:1 11+4/٣", "3:1 11+4/3\n",
    ],
)  # fmt: skip
def test_other_ways_of_writing_a_3_to_1_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected a 3:1 such as 3:1 11\\+4/3"):
        parse_triple(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "corrector", "2>6", "corrector 2>2", "corrector 0>6", "corrector 2>7", "corrector 2>",
        "corrector 2>6\n", "corrector 2>66", "corrector  2>6", "terminator", "corrector 2>٦",
    ],
)  # fmt: skip
def test_other_ways_of_writing_a_corrector_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected a corrector such as corrector 2>6"):
        parse_corrector(text)


@given(five_faces, st.data())
def test_the_dice_of_a_3_to_1_make_it(shown: list[int], data: st.DataObject) -> None:
    offered = list_triples(make_roll(shown))
    if not offered:
        return
    action = data.draw(st.sampled_from(sorted(offered)))
    groups = find_triple_groups(shown, action)
    three = parse_triple(action)
    assert offered[action] == three
    assert sorted((*groups.triple, groups.single, groups.fifth)) == [0, 1, 2, 3, 4]
    assert sum(shown[index] for index in groups.triple) == three.triple
    assert (shown[groups.single], shown[groups.fifth]) == (three.single, three.fifth)


def test_the_first_of_equal_dice_are_taken() -> None:
    assert find_triple_groups((4, 2, 4, 3, 4), "3:1 11+4/2") == TripleGroups(
        (0, 2, 3), single=4, fifth=1
    )


@pytest.mark.parametrize("action", ["3:1 11+4/3", "3:1 3+2/1"])
def test_dice_that_do_not_offer_a_3_to_1_are_told(action: str) -> None:
    with pytest.raises(InputError, match=r"expected a 3:1 of the dice 1 1 1 1 1"):
        find_triple_groups((1, 1, 1, 1, 1), action)
