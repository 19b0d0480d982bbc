# SPDX-License-Identifier: MIT
"""Knock-out brackets and round robins, by worked examples and as properties."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.tournament.draws.pairings import (
    advance_bracket,
    build_bracket,
    count_rounds,
    order_players,
    pair_bracket,
    pair_round_robin,
)


def test_a_bracket_of_six_gives_the_first_seeds_their_byes() -> None:
    bracket = build_bracket((11, 12, 13, 14, 15, 16))
    assert bracket == (11, 0, 14, 15, 12, 0, 13, 16)
    pairing = pair_bracket(bracket)
    assert pairing.tables == ((14, 15), (13, 16))
    assert pairing.byes == (11, 12)
    second = advance_bracket(bracket, [15, 13])
    assert second == (11, 14, 12, 16)
    assert advance_bracket(advance_bracket(second, [14, 12]), [16]) == (11,)


@given(players=st.integers(2, 70))
def test_in_a_knock_out_one_player_is_left(players: int) -> None:
    """The first of each pair wins, so the first seeds meet last and the first seed wins."""
    bracket = build_bracket(tuple(range(1, players + 1)))
    rounds, beaten = 0, 0
    while len(bracket) > 1:
        pairing = pair_bracket(bracket)
        assert not pairing.byes or rounds == 0
        losers = [max(pair) for pair in pairing.tables]
        beaten += len(losers)
        bracket = advance_bracket(bracket, losers)
        rounds += 1
        assert sorted(bracket) == list(range(1, len(bracket) + 1))
    assert (bracket, beaten) == ((1,), players - 1)


@given(players=st.integers(2, 24))
def test_in_a_round_robin_everybody_meets_everybody_once(players: int) -> None:
    order = tuple(range(1, players + 1))
    met: Counter[frozenset[int]] = Counter()
    for round in range(1, count_rounds(players) + 1):
        pairing = pair_round_robin(order, round)
        seated = [player for pair in pairing.tables for player in pair]
        assert sorted([*seated, *pairing.byes]) == list(order)
        assert len(pairing.byes) == players % 2
        met.update(frozenset(pair) for pair in pairing.tables)
    assert set(met.values()) == {1}
    assert len(met) == players * (players - 1) // 2


def test_a_round_robin_of_four_by_hand() -> None:
    rounds = [pair_round_robin((1, 2, 3, 4), round).tables for round in (1, 2, 3)]
    assert rounds == [((1, 4), (2, 3)), ((3, 1), (4, 2)), ((1, 2), (3, 4))]


@pytest.mark.parametrize("faces", ["13446", "66666"])
def test_the_dice_order_the_players(faces: str) -> None:
    order = order_players((4, 3, 2, 1), faces, 1)
    assert sorted(order) == [1, 2, 3, 4]
    assert order == order_players((1, 2, 3, 4), faces, 1)
