# SPDX-License-Identifier: MIT
"""What a game counts for a player who did not play it whole, by examples and as properties."""

from __future__ import annotations

from fractions import Fraction
from statistics import fmean, pstdev

from hypothesis import given
from hypothesis import strategies as st

from controller.tournament.standings.absence import (
    FieldGame,
    count_absences,
    find_fixed,
    list_with_place,
    measure_game,
)
from controller.tournament.standings.match_points import sum_shares

RULES = st.sampled_from(("worst", "below_mean"))
PLAYERS = range(1, 9)
WHOLE = st.dictionaries(st.sampled_from(PLAYERS), st.integers(-2000, 2000), max_size=8)
GAMES = st.lists(WHOLE, min_size=1, max_size=6)


def field(whole: dict[int, int], **leads: int) -> FieldGame:
    return FieldGame(whole, {int(name[1:]): Fraction(lead) for name, lead in leads.items()})


def test_the_fixed_scores_of_a_worked_example() -> None:
    """Of 100, 0, -200 and -300 the mean is -100, and the standard deviation 158.11."""
    results = (100, 0, -200, -300)
    assert find_fixed(results, "worst") == -300
    assert find_fixed(results, "below_mean") == -259
    assert find_fixed((50, 50), "below_mean") == 50


@given(results=st.lists(st.integers(-2000, 2000), min_size=1, max_size=20))
def test_a_fixed_score_is_below_the_mean(results: list[int]) -> None:
    exact = fmean(results) - pstdev(results)
    assert exact - 1.001 <= find_fixed(results, "below_mean") <= exact + 0.001
    assert find_fixed(results, "worst") <= fmean(results)


def test_who_was_behind_when_they_left_counts_less() -> None:
    games = [field({1: 300, 2: 100, 3: -100}, p4=-500, p5=50)]
    assert count_absences(games, (4, 5, 6), "worst") == [{4: -400, 5: -100, 6: -100}]


def test_nobody_counts_more_than_in_their_own_worst_game() -> None:
    """Player 3 was 600 behind the two others in the first game."""
    games = [field({1: 300, 2: 100, 3: -400}), field({1: 100, 2: 0})]
    assert count_absences(games, PLAYERS, "worst")[1][3] == 50 - 600
    assert count_absences(games, PLAYERS, "worst")[1][4] == 0


def test_a_game_that_nobody_played_whole_counts_for_nobody() -> None:
    assert count_absences([field({}, p1=5)], PLAYERS, "worst") == [{}]


@given(games=GAMES, rule=RULES)
def test_nobody_absent_counts_more_than_the_mean(games: list[dict[int, int]], rule: str) -> None:
    fields = [field(whole) for whole in games]
    for whole, absent in zip(games, count_absences(fields, PLAYERS, rule), strict=True):
        assert absent.keys() == (set(PLAYERS) - whole.keys() if whole else set())
        assert all(points <= fmean(whole.values()) for points in absent.values())


@given(games=GAMES, rule=RULES, data=st.data())
def test_forfeiting_a_finished_game_gains_nothing(
    games: list[dict[int, int]], rule: str, data: st.DataObject
) -> None:
    """Whatever is known of a game at its end, it counts no more than before."""
    whole = data.draw(st.sampled_from(games))
    if len(whole) < 2:
        return
    player = data.draw(st.sampled_from(sorted(whole)))
    fields = [
        measure_game(
            lambda each, after, totals=game: totals[each] if after else None,  # type: ignore[misc]
            game,
            1,
            {},
            {player} if game is whole else set(),
        )
        for game in games
    ]
    number = next(index for index, game in enumerate(games) if game is whole)
    absent = count_absences(fields, PLAYERS, rule)
    assert absent[number][player] <= whole[player]
    before = sum_shares(games, PLAYERS, {})
    after = sum_shares([each.whole for each in fields], PLAYERS, {}, absent)
    share, now = before.by_game[player][number], after.by_game[player][number]
    assert Fraction(now or 0, after.unit) <= Fraction(share or 0, before.unit)


@given(games=GAMES, rule=RULES)
def test_who_is_absent_is_no_part_of_the_field(games: list[dict[int, int]], rule: str) -> None:
    """The shares of all others are what they are without the rule."""
    absent = count_absences([field(whole) for whole in games], PLAYERS, rule)
    alone, ruled = sum_shares(games, PLAYERS, {}), sum_shares(games, PLAYERS, {}, absent)
    for whole, number in zip(games, range(len(games)), strict=True):
        for player in whole:
            share, now = alone.by_game[player][number], ruled.by_game[player][number]
            assert Fraction(share or 0, alone.unit) == Fraction(now or 0, ruled.unit)


def test_absence_beats_nobody_by_the_worst_result() -> None:
    shares = sum_shares([{1: 5}, {1: 9, 2: 3}], (1, 2, 3), {}, [{2: 5, 3: 5}, {3: 3}])
    assert shares.by_game == {1: (shares.unit, shares.unit), 2: (0, 0), 3: (0, 0)}


def test_a_place_needs_half_of_all_rolls_in_whole_games() -> None:
    games = [{1, 2}, {1}, {1, 3}]
    assert list_with_place((1, 2, 3, 4), games, (20, 10, 30)) == {1, 3}
    assert list_with_place((1, 2), (), ()) == {1, 2}
