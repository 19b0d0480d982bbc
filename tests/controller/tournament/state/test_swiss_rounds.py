# SPDX-License-Identifier: MIT
"""A Swiss of an event: its draws, byes, latecomers and withdrawals, and what breaks its ties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from controller.base.errors import InputError
from controller.tournament.entries.check_in_entries import (
    CheckInClosed,
    CheckInOpened,
    PlayerCheckedIn,
)
from controller.tournament.entries.draw_entries import (
    ByeAsked,
    DrawMade,
    DrawPublished,
    ForbiddenPair,
    TableResult,
)
from controller.tournament.entries.event_entries import EventResult, GameForfeited
from controller.tournament.entries.player_entries import (
    PlayerJoined,
    PlayerLeft,
    PlayerReturned,
    PlayerWithdrawn,
)
from controller.tournament.results.result_sheet import (
    build_result_sheet,
    describe_rules,
    list_broken_ties,
)
from controller.tournament.standings.rows import StandingRow
from controller.tournament.state.check_in import list_missing
from controller.tournament.state.rounds import Round
from controller.tournament.state.state import EventState
from tests.controller.tournament.event_tables import PlayedEvent
from tests.controller.tournament.state.test_table_rounds import begin_event, refused
from tests.controller.tournament.state.test_table_rounds import draw as prepare_draw

WHY = "seen by two officials"
TIES = ("direct", "buchholz", "sonneborn_berger", "total")


def begin_swiss(players: int, **changes: object) -> PlayedEvent:
    swiss = {"style": "swiss", "game": "choice", "games": 5, "tie_breaks": TIES, "bye": "win"}
    return begin_event(players, **{**swiss, **changes})


def draw(event: PlayedEvent, faces: str = "13446") -> DrawMade:
    """Throw the dice of a draw where it needs any, and write the draft."""
    made = prepare_draw(event, faces)
    event.write(made)
    return made


def play_round(event: PlayedEvent, *drawn_games: int) -> Round:
    """Play a round: the lower number wins, and tables that are named end equal."""
    made = draw(event)
    event.write(DrawPublished(made.round, "Olga"))
    for number, (one, other) in enumerate(made.tables, start=1):
        points = (50, 50) if number in drawn_games else (100 - one, 100 - other)
        event.write(TableResult(made.round, number, points, by="Olga", reason="on paper"))
    return event.state.data.rounds.published[-1]


def rows(event: PlayedEvent) -> Mapping[int, StandingRow]:
    return {row.player: row for row in event.state.compute_standings().rows}


def test_a_swiss_from_the_dice_to_the_result() -> None:
    event = begin_swiss(9, games=4)
    met: set[frozenset[int]] = set()
    for _ in range(4):
        played = play_round(event)
        pairs = {frozenset(pair) for pair in played.tables}
        assert not pairs & met
        met |= pairs
    standings = event.state.compute_standings()
    assert standings.rows[0].player == 1
    assert sum(row.score for row in standings.rows) == 4 * (4 * 2 + 2)
    event.write(EventResult(standings.list_places(), "Olga"))
    again = EventState()
    again.apply_all(event.entries)
    assert again.compute_standings() == standings


def test_a_draft_with_other_pairs_or_byes_is_refused() -> None:
    event = begin_swiss(5)
    made, drawn = draw(event), prepare_draw(event, "22333")
    for other in (
        replace(drawn, tables=made.tables, byes=made.byes),
        replace(drawn, tables=drawn.tables[::-1]),
        replace(drawn, half_byes=(made.byes[0],)),
    ):
        assert "expected the tables that the dice give, found others" in refused(event, other)


@pytest.mark.parametrize(("rule", "counts"), [("win", 2), ("draw", 1), ("nothing", None)])
def test_a_bye_counts_as_the_rule_says(rule: str, counts: int | None) -> None:
    event = begin_swiss(3, bye=rule)
    (free,) = play_round(event).byes
    assert rows(event)[free].game_scores == (counts,)
    event.write(GameForfeited(free, 1, "Olga", "was not there"))
    assert rows(event)[free].score == 0


def test_a_round_off_is_asked_for_before_its_draw() -> None:
    event = begin_swiss(6, half_byes=1)
    event.write(ByeAsked(2, 3))
    assert "expected a round that the player plays, found 2" in refused(event, ByeAsked(2, 3))
    assert "at most 1 round off" in refused(event, ByeAsked(3, 3))
    event.write(ByeAsked(2, 3, is_lifted=True))
    assert "a round that the player takes off" in refused(event, ByeAsked(2, 3, is_lifted=True))
    event.write(ByeAsked(2, 3, "Olga"))
    play_round(event)
    assert "neither announced nor drawn" in refused(event, ByeAsked(1, 4))
    assert "neither announced nor drawn" in refused(event, ByeAsked(6, 4))
    before = rows(event)[3].score
    played = play_round(event)
    assert (played.half_byes, len(played.byes)) == ((3,), 1)
    assert rows(event)[3].score == before + 1
    assert 3 in play_round(event).list_seated()
    decided = {each["what"]: each["by"] for each in build_result_sheet(event.state)["rulings"]}  # type: ignore[attr-defined]
    assert decided["Round 2: Player 3 took it off"] == "Olga"


def test_a_round_off_counts_for_who_is_not_there() -> None:
    event = begin_swiss(6, half_byes=1)
    event.write(ByeAsked(1, 6))
    event.write(ByeAsked(1, 5))
    event.write(PlayerLeft(5))
    event.write(CheckInOpened(1, "Olga"))
    for player in (1, 2, 3):
        event.write(PlayerCheckedIn(player))
    assert list_missing(event.state.data) == (4,), "who takes the round off is not waited for"
    event.write(CheckInClosed(1, "Olga", (4,)))
    played = play_round(event)
    assert played.half_byes == (5, 6)
    assert [rows(event)[player].score for player in (5, 6)] == [1, 1]


def test_a_round_off_needs_the_rule_and_a_swiss() -> None:
    assert "at most 0 rounds off" in refused(begin_swiss(4), ByeAsked(1, 1))
    other = begin_swiss(4, style="round_robin")
    assert "expected a Swiss, found an event of everybody" in refused(other, ByeAsked(1, 1))


@pytest.mark.parametrize(("rule", "counts"), [("nothing", 0), ("draw", 2)])
def test_a_latecomer_gets_what_the_rule_gives(rule: str, counts: int) -> None:
    event = begin_swiss(4, late=rule)
    play_round(event)
    play_round(event)
    assert "an official who lets a latecomer in" in refused(event, PlayerJoined(5, "Late"))
    event.write(PlayerJoined(5, "Late", by="Olga"))
    assert rows(event)[5].score == counts
    third = play_round(event)
    assert 5 in {*third.list_seated(), *third.byes}


def test_who_came_before_the_last_draft_is_not_late_for_it() -> None:
    event = begin_swiss(4, late="draw")
    draw(event)
    event.write(PlayerJoined(5, "Fifth"))
    assert event.state.data.rounds.late == {5: 1}
    draw(event, "22333")
    assert event.state.data.rounds.late == {}
    play_round(event)
    draw(event)
    event.write(PlayerJoined(6, "Sixth", by="Olga"))
    assert event.state.data.rounds.late == {6: 2}
    draw(event, "22334")
    assert event.state.data.rounds.late == {6: 1}
    assert rows(event)[6].game_scores == (1,)


def test_who_pauses_is_not_drawn_and_gets_nothing() -> None:
    event = begin_swiss(4)
    event.write(PlayerLeft(2))
    played = play_round(event)
    assert 2 not in {*played.list_seated(), *played.byes}
    event.write(PlayerReturned(2))
    assert rows(event)[2].game_scores == (None,)
    made = draw(event)
    event.write(PlayerLeft(made.tables[0][0]))
    assert "a draft with players who are here" in refused(event, DrawPublished(2, "Olga"))


def test_a_bye_is_not_published_for_who_is_gone() -> None:
    event = begin_swiss(6, half_byes=1)
    event.write(ByeAsked(1, 6))
    (free,) = draw(event).byes
    event.write(PlayerLeft(6))
    assert event.check(DrawPublished(1, "Olga")) is None, "a round off needs no presence"
    event.write(PlayerLeft(free))
    assert f"found Player {free}" in refused(event, DrawPublished(1, "Olga"))
    event.write(PlayerReturned(free))
    event.write(PlayerWithdrawn(6, "Olga", WHY))
    assert "found Player 6" in refused(event, DrawPublished(1, "Olga"))
    assert draw(event, "11122").half_byes == ()
    assert event.check(DrawPublished(1, "Olga")) is None


def test_a_withdrawal_takes_nothing_from_others() -> None:
    """Games stay, and rounds that the player misses do not lower the Buchholz of opponents."""
    event = begin_swiss(6)
    first = play_round(event)
    (pair,) = (each for each in first.tables if 1 in each)
    other = next(player for player in pair if player != 1)
    event.write(PlayerWithdrawn(1, "Olga", WHY))
    before = rows(event)[other]
    for _ in range(3):
        play_round(event)
    after = rows(event)[other]
    assert after.games[0] == before.games[0]
    assert rows(event)[1].score == 2
    own = event.state.data.rounds.published
    met = [
        next(two for two in each if two != other) for r in own for each in r.tables if other in each
    ]
    others = sum(rows(event)[player].score for player in met if player != 1)
    missed = len(own) - len(met)
    assert after.ties["buchholz"] >= others + 2 + 3 - 3 * missed


def test_ties_are_broken_in_the_chosen_order_and_in_words() -> None:
    event = begin_swiss(4, games=3)
    for _ in range(3):
        play_round(event)
    assert [row.decided_by for row in rows(event).values()] == ["", "", "", ""]
    assert not list(list_broken_ties(event.state))
    event = begin_swiss(4, games=3, tie_breaks=("wins", "total"))
    play_round(event, 1, 2)
    standings = event.state.compute_standings()
    assert {row.shares for row in standings.rows} == {4}
    event = begin_swiss(8, games=3)
    play_round(event)
    play_round(event)
    tied = [row for row in event.state.compute_standings().rows if row.decided_by]
    words = list(list_broken_ties(event.state))
    assert len(tied) == len(words) > 0
    assert f"{tied[0].place}. {tied[0].name} with {tied[0].score}: by " in words[0]
    assert f"Buchholz {tied[0].ties['buchholz']}" in words[0]


def test_buchholz_and_sonneborn_berger_by_hand() -> None:
    """Three players: 1 beats 2 and 3, 2 beats 3, and each has one bye, which counts as a win."""
    event = begin_swiss(
        3, games=3, tie_breaks=("buchholz", "buchholz_cut", "sonneborn_berger", "wins")
    )
    for _ in range(3):
        play_round(event)
    # Scores 6, 4 and 2; in those of opponents the bye counts 1: 5, 3 and 1.
    ties = {player: dict(row.ties) for player, row in rows(event).items()}
    assert ties == {
        1: {"buchholz": 3 + 1 + 6, "buchholz_cut": 9, "sonneborn_berger": 2 * 10, "wins": 2},
        2: {"buchholz": 5 + 1 + 4, "buchholz_cut": 9, "sonneborn_berger": 2 * 1 + 2 * 4, "wins": 1},
        3: {"buchholz": 5 + 3 + 2, "buchholz_cut": 8, "sonneborn_berger": 2 * 2, "wins": 0},
    }


def test_direct_comparison_needs_all_tied_to_have_met() -> None:
    event = begin_swiss(4, games=3, tie_breaks=("direct",))
    play_round(event)
    assert {row.decided_by for row in rows(event).values()} == {""}
    assert [row.place for row in event.state.compute_standings().rows] == [1, 1, 3, 3]


def test_round_robins_choose_their_ties_and_byes_too() -> None:
    """The regular bye counts nothing; a round against who withdrew counts as the rule says."""
    event = begin_swiss(5, style="round_robin", games=5)
    played = play_round(event)
    (regular,) = played.byes
    assert rows(event)[regular].game_scores == (None,)
    gone = next(player for player in played.list_seated())
    event.write(PlayerWithdrawn(gone, "Olga", WHY))
    second = play_round(event)
    scores = {player: rows(event)[player].game_scores[1] for player in second.byes}
    assert sorted(map(str, scores.values())) in (["2", "None"], ["None"])


@pytest.mark.parametrize(
    ("style", "key", "value"),
    [
        ("tables", "tie_breaks", ("wins",)),
        ("knock_out", "bye", "draw"),
        ("round_robin", "late", "draw"),
        ("round_robin", "half_byes", 1),
    ],
)
def test_options_of_matches_stand_only_where_they_count(
    style: str, key: str, value: object
) -> None:
    usual = {"tie_breaks": (), "bye": "nothing"}
    with pytest.raises(AssertionError, match=rf"event.{key}: expected .*, found {style}"):
        begin_swiss(4, style=style, **{**usual, key: value})
    with pytest.raises(InputError, match="every value once"):
        begin_swiss(4, tie_breaks=("wins", "wins"))


def test_a_forbidden_pair_never_meets() -> None:
    event = begin_swiss(6)
    event.write(ForbiddenPair((1, 2), "Olga", "a family"))
    for _ in range(4):
        assert all({1, 2} != set(pair) for pair in play_round(event).tables)


def test_the_rules_are_told_in_words() -> None:
    begun = begin_swiss(2, late="draw", half_byes=2).state.data.event
    assert describe_rules(begun) == (
        "Equal scores are ordered by, one after the other: direct comparison, Buchholz,"
        " Sonneborn-Berger, sum of the results. Buchholz adds up the scores of the opponents. A"
        " round without an opponent counts as one against the player's own score, and rounds that"
        " an opponent missed count as draws in theirs. A round without an opponent counts as a win."
        " Rounds before a player came count as draws. A player may take 2 rounds off, which count"
        " as draws, and says so before their draw."
    )
