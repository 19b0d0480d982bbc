# SPDX-License-Identifier: MIT
"""The pairs of a Swiss round, as properties and against all pairings of small fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.tournament.draws.pairings import Pairing
from controller.tournament.draws.swiss import MOST_PAIRED, SwissConditions, SwissRound, draw_swiss

FACES = "123451122334455"
WIN, DRAW = 2, 1


def play(pairing: Pairing, chance: Random) -> SwissRound:
    """Return a round with results by chance; a bye counts as a win."""
    points = dict.fromkeys(pairing.byes, WIN)
    for one, other in pairing.tables:
        won = chance.choice((0, DRAW, WIN))
        points |= {one: won, other: WIN - won}
    return SwissRound(pairing.tables, pairing.byes, tuple(sorted(points.items())))


def play_rounds(
    players: int, rounds: int, seed: int, *, may_leave: bool = False
) -> list[tuple[SwissConditions, SwissRound]]:
    """Return what each draw rested on, and the round."""
    chance, present = Random(seed), list(range(1, players + 1))
    earlier: list[SwissRound] = []
    played = []
    for number in range(1, rounds + 1):
        conditions = SwissConditions(tuple(present), tuple(earlier))
        drawn = play(draw_swiss(conditions, FACES, number), chance)
        played.append((conditions, drawn))
        earlier.append(drawn)
        if may_leave and len(present) > 6 and chance.random() < 0.3:
            present.remove(chance.choice(present))
    return played


def score(rounds: Sequence[SwissRound]) -> Counter[int]:
    scores = Counter[int]()
    for each in rounds:
        scores.update(dict(each.points))
    return scores


def list_pairings(players: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Yield all pairings; 0 is the opponent of a bye."""
    if not players:
        yield []
        return
    first, *others = players
    for index, other in enumerate(others):
        for pairs in list_pairings([*others[:index], *others[index + 1 :]]):
            yield [(first, other), *pairs]


def weigh(conditions: SwissConditions, pairs: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Return how bad pairs are: second meetings and byes, score of the bye, score differences."""
    scores, met = score(conditions.earlier), Counter[frozenset[int]]()
    for each in conditions.earlier:
        met.update(frozenset(pair) for pair in each.tables)
        met.update(frozenset((player, 0)) for player in each.byes)
    return (
        sum(met[frozenset(pair)] for pair in pairs),
        sum(scores[max(pair)] for pair in pairs if 0 in pair),
        sum((scores[one] - scores[other]) ** 2 for one, other in pairs if one and other),
    )


@given(players=st.integers(2, 24), seed=st.integers(0, 10_000), may_leave=st.booleans())
@settings(max_examples=15, deadline=None)
def test_a_swiss_pairs_all_and_repeats_nothing(players: int, seed: int, may_leave: bool) -> None:
    met: set[frozenset[int]] = set()
    free: set[int] = set()
    rounds = min(players // 2, 7)
    for conditions, drawn in play_rounds(players, rounds, seed, may_leave=may_leave):
        seated = [player for pair in drawn.tables for player in pair]
        assert sorted([*seated, *drawn.byes]) == list(conditions.players)
        assert len(drawn.byes) == len(conditions.players) % 2
        pairs = {frozenset(pair) for pair in drawn.tables}
        assert not pairs & met
        assert not free & set(drawn.byes)
        met |= pairs
        free |= set(drawn.byes)


@given(players=st.integers(2, 8), rounds=st.integers(1, 9), seed=st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_no_pairing_of_a_small_field_is_better(players: int, rounds: int, seed: int) -> None:
    """Also when all have met, and when all have had the bye."""
    conditions, drawn = play_rounds(players, rounds, seed)[-1]
    field = [*conditions.players, *([0] if players % 2 else [])]
    made = [*drawn.tables, *((player, 0) for player in drawn.byes)]
    assert weigh(conditions, made) == min(
        weigh(conditions, pairs) for pairs in list_pairings(field)
    )


@given(players=st.integers(8, 24), seed=st.integers(0, 10_000))
@settings(max_examples=8, deadline=None)
def test_all_sit_first_about_as_often_as_second(players: int, seed: int) -> None:
    seats = Counter[int]()
    for _, drawn in play_rounds(players, 6, seed):
        for one, other in drawn.tables:
            seats[one] += 1
            seats[other] -= 1
        balance = [abs(count) for count in seats.values()]
        assert max(balance) <= 3
    assert sum(balance) / players <= 1.2


def test_the_best_sit_at_table_one_and_the_last_has_the_bye() -> None:
    ranks = []
    for conditions, drawn in play_rounds(15, 5, 3):
        scores = score(conditions.earlier)
        best = [max(scores[player] for player in pair) for pair in drawn.tables]
        assert all(one >= two for one, two in pairwise(best))
        (free,) = drawn.byes
        ranks.append(sum(scores[player] < scores[free] for player in conditions.players))
    assert ranks == [0, 0, 0, 0, 0]


def test_a_float_is_not_repeated() -> None:
    """Of three with the same score, another one than last time meets the next group."""
    first = SwissRound(((1, 2), (3, 4)), (), ((1, 2), (2, 0), (3, 2), (4, 0)))
    second = SwissRound(((1, 4), (3, 2)), (), ((1, 1), (2, 2), (3, 0), (4, 1)))
    for round in range(3, 20):
        drawn = draw_swiss(SwissConditions((1, 2, 3, 4), (first, second)), FACES, round)
        assert {frozenset(pair) for pair in drawn.tables} == {frozenset((1, 3)), frozenset((2, 4))}


def test_forbidden_pairs_meet_only_if_nothing_else_is_left() -> None:
    forbidden = frozenset({frozenset((1, 2)), frozenset((3, 4))})
    for round in range(1, 20):
        tables = draw_swiss(SwissConditions((1, 2, 3, 4), (), forbidden), FACES, round).tables
        assert not forbidden & {frozenset(pair) for pair in tables}
    (left,) = draw_swiss(SwissConditions((1, 2), (), forbidden), FACES, 1).tables
    assert set(left) == {1, 2}


def test_a_draw_by_hand() -> None:
    """The example of docs/draws.md."""
    first, second, third = (drawn for _, drawn in play_rounds(7, 3, 1))
    assert (first.tables, first.byes) == (((2, 6), (7, 4), (5, 1)), (3,))
    assert first.points == ((1, 2), (2, 0), (3, 2), (4, 0), (5, 0), (6, 2), (7, 2))
    assert (second.tables, second.byes) == (((1, 3), (6, 7), (4, 5)), (2,))
    assert second.points == ((1, 1), (2, 2), (3, 1), (4, 1), (5, 1), (6, 0), (7, 2))
    assert (third.tables, third.byes) == (((3, 7), (1, 2), (6, 4)), (5,))


@pytest.mark.parametrize("players", [0, 1, MOST_PAIRED + 1])
def test_a_field_too_small_or_large_is_refused(players: int) -> None:
    with pytest.raises(InputError, match=f"expected 2 to {MOST_PAIRED} players, found {players}"):
        draw_swiss(SwissConditions(tuple(range(1, players + 1))), FACES, 1)


def test_the_dice_decide_between_equals() -> None:
    conditions = SwissConditions(tuple(range(1, 9)))
    drawn = {draw_swiss(conditions, faces, 1) for faces in ("11111", "22222", "33333", "11112")}
    assert len(drawn) == 4
    assert draw_swiss(conditions, "11111", 1) in drawn
