# SPDX-License-Identifier: MIT
"""Draws of tables: everybody once, no second meeting while that is possible, the same again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.tournament.draws.dice_random import DiceRandom
from controller.tournament.draws.seating_search import SeatingSearch
from controller.tournament.draws.table_draw import (
    DrawConditions,
    Tables,
    count_repeats,
    draw_tables,
    list_table_sizes,
)

PAGE = (Path(__file__).parents[4] / "docs" / "draws.md").read_text(encoding="utf-8")
FACES = st.text("123456", min_size=5, max_size=10)


def test_random_numbers_are_those_of_the_document() -> None:
    numbers = DiceRandom("13446", 1)
    drawn = ", ".join(str(numbers.next_below(1000)) for _ in range(5))
    assert f"below 1000 are {drawn} and {numbers.next_below(1000)}." in PAGE
    order = list(range(1, 11))
    DiceRandom("13446", 1).shuffle(order)
    assert f"becomes {', '.join(map(str, order))}." in PAGE


def test_random_numbers_are_plain_sha_256() -> None:
    """The derivation once more, as a stranger would write it."""
    key = hashlib.sha256(b"dicebell draw 1\n13446\n1\n").digest()
    block = hashlib.sha256(key + bytes(8)).digest()
    words = [int.from_bytes(block[start : start + 8], "big") for start in (0, 8, 16, 24)]
    numbers = DiceRandom("13446", 1)
    assert [numbers.next_below(1000) for _ in range(4)] == [word % 1000 for word in words]


@pytest.mark.parametrize(
    ("players", "size", "sizes"),
    [
        (2, 4, (2,)),
        (3, 4, (3,)),
        (4, 4, (4,)),
        (5, 4, (5,)),
        (6, 4, (3, 3)),
        (7, 4, (4, 3)),
        (9, 4, (3, 3, 3)),
        (13, 4, (4, 3, 3, 3)),
        (4, 3, (4,)),
        (5, 3, (5,)),
        (8, 3, (4, 4)),
        (10, 3, (3, 3, 4)),
    ],
)
def test_sizes_of_tables(players: int, size: int, sizes: tuple[int, ...]) -> None:
    assert list_table_sizes(players, size) == sizes


@given(players=st.integers(6, 400), size=st.sampled_from([3, 4]))
def test_above_five_players_all_sit_in_threes_and_fours(players: int, size: int) -> None:
    sizes = list_table_sizes(players, size)
    assert sum(sizes) == players
    assert set(sizes) <= {3, 4}
    assert sizes.count(7 - size) <= (3 if size == 4 else 2)


@settings(max_examples=60, deadline=None)
@given(
    players=st.sets(st.integers(1, 99), min_size=2, max_size=40),
    size=st.sampled_from([3, 4]),
    faces=FACES,
    scores=st.dictionaries(st.integers(1, 99), st.tuples(st.integers(0, 5))),
)
def test_everybody_sits_once_and_the_draw_can_be_repeated(
    players: set[int], size: int, faces: str, scores: dict[int, tuple[int, ...]]
) -> None:
    earlier: list[Tables] = []
    for round in range(1, 4):
        conditions = DrawConditions(tuple(sorted(players)), size, scores, tuple(earlier))
        drawn = draw_tables(conditions, faces, round)
        assert sorted(player for table in drawn for player in table) == sorted(players)
        assert draw_tables(conditions, faces, round) == drawn
        earlier.append(drawn)


def list_seatings(players: Sequence[int], sizes: Sequence[int]) -> Iterator[Tables]:
    """Yield every way to seat players at tables of these sizes, whatever the order of tables."""
    if not players:
        yield ()
        return
    first, *rest = players
    for size in set(sizes):
        left = list(sizes)
        left.remove(size)
        for others in combinations(rest, size - 1):
            remaining = [player for player in rest if player not in others]
            for tables in list_seatings(remaining, left):
                yield ((first, *others), *tables)


@settings(max_examples=25, deadline=None)
@given(
    count=st.integers(6, 9),
    size=st.sampled_from([3, 4]),
    faces=FACES,
    forbidden=st.sets(st.frozensets(st.integers(1, 9), min_size=2, max_size=2), max_size=2),
)
def test_nobody_meets_twice_while_that_is_possible(
    count: int, size: int, faces: str, forbidden: set[frozenset[int]]
) -> None:
    """Hold each round against all seatings there are."""
    earlier: list[Tables] = []
    everybody = tuple(range(1, count + 1))
    seatings = list(list_seatings(everybody, list_table_sizes(count, size)))
    banned: Tables = tuple(tuple(sorted(pair)) for pair in forbidden)
    for round in range(1, 5):
        conditions = DrawConditions(
            everybody, size, earlier=tuple(earlier), forbidden=frozenset(forbidden)
        )
        drawn = draw_tables(conditions, faces, round)
        past = [*earlier, banned]
        fewest = min(count_repeats(seating, past) for seating in seatings)
        if fewest == 0:
            assert count_repeats(drawn, past) == 0
        earlier.append(drawn)


@settings(max_examples=10, deadline=None)
@given(faces=FACES, count=st.sampled_from([28, 60, 61]))
def test_a_club_meets_nobody_twice_in_four_rounds(faces: str, count: int) -> None:
    earlier: list[Tables] = []
    for round in range(1, 5):
        conditions = DrawConditions(tuple(range(1, count + 1)), earlier=tuple(earlier))
        drawn = draw_tables(conditions, faces, round)
        assert count_repeats(drawn, earlier) == 0
        earlier.append(drawn)


@settings(max_examples=20, deadline=None)
@given(faces=FACES)
def test_fixed_tables_and_forbidden_pairs_hold(faces: str) -> None:
    fixed = {3: 2, 7: 2, 9: 5}
    forbidden = frozenset({frozenset({1, 2}), frozenset({1, 3}), frozenset({4, 9})})
    earlier: list[Tables] = []
    for round in range(1, 4):
        conditions = DrawConditions(
            tuple(range(1, 21)), earlier=tuple(earlier), fixed=fixed, forbidden=forbidden
        )
        drawn = draw_tables(conditions, faces, round)
        assert {3, 7} <= set(drawn[1])
        assert 9 in drawn[4]
        assert not any(pair <= set(table) for pair in forbidden for table in drawn)
        earlier.append(drawn)


def test_a_draw_by_standings_seats_equals_together() -> None:
    scores = {player: (player % 4,) for player in range(1, 17)}
    drawn = draw_tables(DrawConditions(tuple(range(1, 17)), scores=scores), "13446", 2)
    assert [{scores[player] for player in table} for table in drawn] == [
        {(3,)},
        {(2,)},
        {(1,)},
        {(0,)},
    ]


@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        (DrawConditions((1,)), "draw: expected two or more players, found 1"),
        (
            DrawConditions((1, 2, 3, 4), fixed={1: 2}),
            "fixed table of player 1: expected a table from 1 to 1, found 2",
        ),
        (
            DrawConditions(tuple(range(1, 9)), fixed=dict.fromkeys(range(1, 6), 2)),
            "fixed table 2: expected 4 players at a table, found 5",
        ),
    ],
)
def test_an_impossible_draw_is_refused(conditions: DrawConditions, words: str) -> None:
    with pytest.raises(InputError) as refused:
        draw_tables(conditions, "13446", 1)
    assert str(refused.value) == words


def test_a_search_finds_the_only_seating_that_is_left() -> None:
    """Nine players in threes have four rounds; after three of them one way is left."""
    earlier: list[Tables] = [
        ((1, 2, 3), (4, 5, 6), (7, 8, 9)),
        ((1, 4, 7), (2, 5, 8), (3, 6, 9)),
        ((1, 5, 9), (2, 6, 7), (3, 4, 8)),
    ]
    weights: dict[int, dict[int, int]] = {player: {} for player in range(1, 10)}
    for tables in earlier:
        for table in tables:
            for one in table:
                weights[one].update({other: 1 for other in table if other != one})
    order = (3, 1, 2, 9, 8, 7, 4, 6, 5)
    found = SeatingSearch(order, (3, 3, 3), weights, {}).find()
    assert found is not None
    assert {frozenset(table) for table in found} == {
        frozenset({1, 6, 8}),
        frozenset({2, 4, 9}),
        frozenset({3, 5, 7}),
    }
    fixed = SeatingSearch(order, (3, 3, 3), weights, {4: 3}).find()
    assert fixed is not None
    assert set(fixed[2]) == {2, 4, 9}
    weights[1][6] = weights[6][1] = 1
    assert SeatingSearch(order, (3, 3, 3), weights, {}).find() is None


def test_numbers_that_would_favour_small_ones_are_skipped() -> None:
    """With this limit about half of all words are beyond its only multiple."""
    limit = 2**63 + 1
    key = hashlib.sha256(b"dicebell draw 1\n13446\n1\n").digest()
    blocks = [hashlib.sha256(key + index.to_bytes(8, "big")).digest() for index in range(8)]
    words = [
        int.from_bytes(block[start : start + 8], "big")
        for block in blocks
        for start in (0, 8, 16, 24)
    ]
    used = [word for word in words if word < limit]
    assert len(used) < len(words)
    numbers = DiceRandom("13446", 1)
    assert [numbers.next_below(limit) for _ in used] == used
