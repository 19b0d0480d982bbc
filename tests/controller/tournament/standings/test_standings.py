# SPDX-License-Identifier: MIT
"""Match points, points of the table, and ties, by worked examples and as properties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.tournament.standings.match_points import count_match_points, find_top, sum_shares
from controller.tournament.standings.ranking import (
    Candidate,
    compare_by_match_points,
    rank_candidates,
)
from controller.tournament.standings.rows import StandingRow, Standings
from controller.tournament.standings.table_points import count_table_points, list_losers

TOTALS = st.dictionaries(st.integers(1, 40), st.integers(-20, 20), min_size=1, max_size=30)


def test_match_points_of_a_worked_example() -> None:
    """Four players: the best beats three; the two in the middle beat one and share one."""
    totals = {1: 400, 2: 100, 3: 100, 4: -200}
    assert count_match_points(totals) == {1: 6, 2: 3, 3: 3, 4: 0}


def test_shares_of_fields_of_different_size_are_exact() -> None:
    """1/6 and 5/6 of one field are as much as 1/2 and 1/2 of another."""
    games = [{1: 1, 2: 2, 3: 1, 4: 9}, {1: 7, 2: 7, 5: 7}]
    shares = sum_shares(games, range(1, 6), {4: 10})
    exact = {player: Fraction(score, shares.unit) for player, score in shares.scores.items()}
    assert exact == {
        1: Fraction(1, 6) + Fraction(1, 2),
        2: Fraction(4, 6) + Fraction(1, 2),
        3: Fraction(1, 6),
        4: 1 - Fraction(1, 10),
        5: Fraction(1, 2),
    }
    assert shares.to_millionths(shares.scores[1]) == 333_333
    assert shares.by_game[5] == (None, shares.unit // 2)


@given(totals=TOTALS)
def test_match_points_are_those_counted_pair_by_pair(totals: dict[int, int]) -> None:
    counted = count_match_points(totals)
    for player, own in totals.items():
        others = [total for other, total in totals.items() if other != player]
        expected = sum(2 if total < own else total == own for total in others)
        assert counted[player] == (expected if others else find_top(1))


@given(games=st.lists(TOTALS, max_size=5))
def test_a_share_is_never_more_than_the_whole_field(games: list[dict[int, int]]) -> None:
    shares = sum_shares(games, range(1, 41), {})
    for row in shares.by_game.values():
        assert all(share is None or 0 <= share <= shares.unit for share in row)


@pytest.mark.parametrize(
    ("results", "points"),
    [
        ({1: 300, 2: 200, 3: 100, 4: 0}, {1: 24, 2: 16, 3: 8, 4: 0}),
        ({1: 300, 2: 200, 3: 100}, {1: 24, 2: 12, 3: 0}),
        ({1: 5, 2: 4, 3: 3, 4: 2, 5: 1}, {1: 24, 2: 18, 3: 12, 4: 6, 5: 0}),
        ({1: 5, 2: 4}, {1: 24, 2: 0}),
        ({1: 300, 2: 300, 3: 100, 4: 0}, {1: 20, 2: 20, 3: 8, 4: 0}),
        ({1: 0, 2: 0, 3: 0, 4: 0}, {1: 12, 2: 12, 3: 12, 4: 12}),
    ],
)
def test_points_of_the_table(results: dict[int, int], points: dict[int, int]) -> None:
    assert count_table_points(results) == points


def test_who_forfeits_at_a_table_is_last_and_gets_nothing() -> None:
    results = {1: 300, 2: 200, 3: 100}
    assert count_table_points(results, {1}) == {1: 0, 2: 24, 3: 12}
    assert list_losers(results, {1}) == (1,)
    assert list_losers(results) == (3,)


@given(results=st.dictionaries(st.integers(1, 9), st.integers(0, 3), min_size=2, max_size=5))
def test_a_table_always_gives_the_same_sum(results: dict[int, int]) -> None:
    assert sum(count_table_points(results).values()) == 12 * len(results)


def test_a_table_of_six_has_no_points() -> None:
    with pytest.raises(ValueError, match="expected 2 to 5 players, found 6"):
        count_table_points(dict.fromkeys(range(6), 0))


def rank(
    games: list[dict[int, int]], costs: Mapping[int, Fraction] = {}, **play_off: int
) -> list[tuple[int, int, int, str]]:
    players = sorted({player for game in games for player in game})
    candidates = [
        Candidate(
            player,
            (sum(game.get(player, 0) for game in games),),
            tuple(game.get(player) for game in games),
            cost=costs.get(player),
            play_off=play_off.get(f"p{player}"),
        )
        for player in players
    ]
    ranked = rank_candidates(candidates, compare_by_match_points(games))
    return [(each.player, each.place, each.shares, each.decided_by) for each in ranked]


def test_a_tie_is_broken_by_direct_comparison() -> None:
    """Player 2 was better in two games of three, player 1 in one by more."""
    games = [{1: 300, 2: 0, 3: -50}, {1: 0, 2: 150, 3: -50}, {1: 0, 2: 150, 3: -50}]
    assert rank(games) == [(2, 1, 1, "direct"), (1, 2, 1, "direct"), (3, 3, 1, "")]


def test_only_those_who_are_still_equal_are_compared_directly() -> None:
    """Player 2 beat 1 and lost to 3, whom the sum of the first tie-break has put last."""

    def compare(tied: Sequence[int]) -> Mapping[int, int]:
        won = {(2, 1), (3, 2), (1, 3)}
        return {one: sum((one, other) in won for other in tied) for one in tied}

    candidates = [
        Candidate(player, (4,), sums={"buchholz": count})
        for player, count in ((1, 9), (2, 9), (3, 8))
    ]
    ranked = rank_candidates(candidates, compare, ("buchholz", "direct"))
    assert [(each.player, each.place, each.decided_by) for each in ranked] == [
        (2, 1, "direct"),
        (1, 2, "direct"),
        (3, 3, "buchholz"),
    ]


def test_a_tie_is_broken_by_the_best_game() -> None:
    games = [{1: 300, 2: 200}, {1: 100, 2: 200}]
    assert rank(games) == [(1, 1, 1, "best_game"), (2, 2, 1, "best_game")]


def test_a_tie_is_broken_by_a_play_off() -> None:
    games = [{1: 300, 2: 100}, {1: 100, 2: 300}]
    assert rank(games) == [(1, 1, 2, ""), (2, 1, 2, "")]
    assert rank(games, p1=-20, p2=50) == [(2, 1, 1, "play_off"), (1, 2, 1, "play_off")]


def test_a_tie_is_broken_by_what_the_choices_cost() -> None:
    """Less is better, before a play-off; who made no choice comes last."""
    games = [{1: 300, 2: 100, 3: 100}, {1: 100, 2: 300, 3: 100}, {1: 0, 2: 0, 3: 200}]
    costs = {1: Fraction(2000, 24), 2: Fraction(2000, 25)}
    assert rank(games[:2], costs)[:2] == [(2, 1, 1, "costs"), (1, 2, 1, "costs")]
    assert [row[0] for row in rank([{1: 5, 2: 5, 3: 5}], costs, p3=90)] == [2, 1, 3]


@given(games=st.lists(TOTALS, min_size=1, max_size=4))
def test_places_follow_the_scores(games: list[dict[int, int]]) -> None:
    ranked = rank(games)
    scores = {player: sum(game.get(player, 0) for game in games) for player, *_ in ranked}
    assert [scores[row[0]] for row in ranked] == sorted(scores.values(), reverse=True)
    for place, (_, stated, shares, _) in enumerate(ranked, start=1):
        assert stated <= place < stated + shares


def test_standings_as_cells_and_as_plain_values() -> None:
    row = StandingRow(
        2, "=1+1", 1, 1, "", 350, 400, (400, None), (400, -50), 50, "away", ((2, -50),)
    )
    standings = Standings("points", 2, (row,))
    assert [list(cells) for cells in standings.to_table()] == [
        [
            "place",
            "player",
            "name",
            "score (points)",
            "total",
            "game 1",
            "game 2",
            "penalty",
            "state",
            "not played whole",
        ],
        [1, 2, "=1+1", 350, 400, 400, "", 50, "away", "game 2: -50"],
    ]
    assert row.to_plain() == {
        "place": 1,
        "shares": 1,
        "player": 2,
        "name": "=1+1",
        "score": 350,
        "total": 400,
        "games": [400, None],
        "game_scores": [400, -50],
        "penalty": 50,
        "decided_by": "",
        "state": "away",
        "absences": [[2, -50]],
        "has_place": True,
    }
    assert standings.list_places() == ((2, 1, 350),)
