# SPDX-License-Identifier: MIT
"""Choices and jokers as text that is refused, and the way from dice to them and back."""

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
from controller.games.choice.notation import (
    PairGroups,
    choice_from_pairs,
    choice_text,
    find_pair_groups,
    list_choices,
    parse_choice,
)
from controller.games.dice import make_roll

five_faces = st.lists(st.integers(1, 6), min_size=5, max_size=5)


@given(st.text("0123456789+/ ", max_size=8))
def test_what_is_read_is_written_the_same_way_again(text: str) -> None:
    try:
        choice = parse_choice(text)
    except InputError:
        return
    assert choice_text(choice) == text


@pytest.mark.parametrize(
    "text", ["", "10+4/4", "04+10/4", "4+10/7", "4+10/0", "1+10/4", "4+13/4", "4+10/4 ", "4+10/٤"]
)
def test_other_ways_of_writing_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected a choice such as"):
        parse_choice(text)


@given(five_faces, st.data())
def test_the_dice_of_a_choice_make_that_choice(faces: list[int], data: st.DataObject) -> None:
    action = data.draw(st.sampled_from(sorted(list_choices(make_roll(faces)))))
    groups = find_pair_groups(faces, action)
    choice = parse_choice(action)
    assert sorted((*groups.a, *groups.b, groups.fifth)) == [0, 1, 2, 3, 4]
    assert sum(faces[index] for index in groups.a) == choice.low
    assert sum(faces[index] for index in groups.b) == choice.high
    assert faces[groups.fifth] == choice.fifth
    assert choice_from_pairs(faces, groups.b, groups.a) == action


@given(five_faces, st.permutations(range(5)))
def test_any_two_tapped_pairs_are_a_choice_of_the_roll(faces: list[int], order: list[int]) -> None:
    a, b, c, d, _ = order
    assert choice_from_pairs(faces, (a, b), (c, d)) in list_choices(make_roll(faces))


def test_the_first_of_equal_dice_are_taken() -> None:
    assert find_pair_groups((4, 6, 1, 4, 3), "4+10/4") == PairGroups(a=(2, 4), b=(1, 3), fifth=0)


def test_dice_that_do_not_offer_a_choice_are_told() -> None:
    with pytest.raises(InputError, match=r"expected a choice of the dice 1 1 1 1 1"):
        find_pair_groups((1, 1, 1, 1, 1), "4+10/4")


@pytest.mark.parametrize("pairs", [((0, 1), (1, 2)), ((0, 0), (1, 2)), ((0, 1), (2, 7))])
def test_pairs_that_share_a_die_are_refused(pairs: tuple[tuple[int, int], tuple[int, int]]) -> None:
    with pytest.raises(InputError, match="expected two pairs of five dice"):
        choice_from_pairs((1, 2, 3, 4, 5), *pairs)


@given(st.from_regex(r"(3:1|corrector) ?[0-9]{0,2}[+>]?[0-9]?/?[0-9]?\n?", fullmatch=True))
def test_a_joker_is_written_the_way_it_is_read(text: str) -> None:
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


def test_the_first_of_equal_dice_make_a_3_to_1() -> None:
    assert find_triple_groups((4, 2, 4, 3, 4), "3:1 11+4/2") == TripleGroups(
        (0, 2, 3), single=4, fifth=1
    )


@pytest.mark.parametrize("action", ["3:1 11+4/3", "3:1 3+2/1"])
def test_dice_that_do_not_offer_a_3_to_1_are_told(action: str) -> None:
    with pytest.raises(InputError, match=r"expected a 3:1 of the dice 1 1 1 1 1"):
        find_triple_groups((1, 1, 1, 1, 1), action)
