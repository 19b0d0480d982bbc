# SPDX-License-Identifier: MIT
"""Nobody leads a duplicate event by not playing it, as they did before there was a rule."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import pytest

from controller.base.errors import InputError
from controller.tournament.entries.event_entries import EventResult, GameForfeited
from controller.tournament.entries.player_entries import PlayerLeft, PlayerReturned
from controller.tournament.results.result_sheet import build_result_sheet
from controller.tournament.standings.event_scores import list_play_off
from controller.tournament.standings.rows import StandingRow
from controller.tournament.state.state import EventState
from tests.controller.tournament.event_tables import PlayedEvent, duplicate_event

PLAYERS = 4
ABSENT = 4
SCORINGS = ("sum", "match_points")


def play_event(
    absence: str, before_game: Callable[[PlayedEvent, random.Random], None], **rules: object
) -> PlayedEvent:
    """Play two games; player 4 plays the second one whole."""
    begun = duplicate_event(games=2, options={"jokers": False}, absence=absence, **rules)
    event, chance = PlayedEvent(begun, PLAYERS), random.Random(3)
    event.open_game(1)
    before_game(event, chance)
    event.play_game(chance)
    if event.state.data.people.find(ABSENT).is_away:
        event.write(PlayerReturned(ABSENT))
    event.open_game(2)
    event.play_game(chance)
    return event


def stay_away(event: PlayedEvent, chance: random.Random) -> None:
    event.write(PlayerLeft(ABSENT))


def play_one_roll(event: PlayedEvent, chance: random.Random) -> None:
    event.play_roll(chance)
    event.write(PlayerLeft(ABSENT))


def come_late(event: PlayedEvent, chance: random.Random) -> None:
    event.write(PlayerLeft(ABSENT))
    event.play_roll(chance)
    event.write(PlayerReturned(ABSENT))


def forfeit(event: PlayedEvent, chance: random.Random) -> None:
    event.write(GameForfeited(ABSENT, 1, "Olga", "asked for it"))


WAYS = {each.__name__: each for each in (stay_away, play_one_roll, come_late, forfeit)}


def list_rows(event: PlayedEvent) -> Mapping[int, StandingRow]:
    return {row.player: row for row in event.state.compute_standings().rows}


@pytest.mark.parametrize("way", ["stay_away", "play_one_roll", "forfeit"])
def test_absence_won_a_game_without_a_rule(way: str) -> None:
    rows = dict(list_rows(play_event("nothing", WAYS[way])))
    row = rows.pop(ABSENT)
    assert (row.absences, row.has_place) == ((), True)
    assert (row.games[0] or 0) > max(other.games[0] or 0 for other in rows.values())


@pytest.mark.parametrize("absence", ["worst", "below_mean"])
@pytest.mark.parametrize("way", WAYS)
def test_a_game_not_played_whole_counts_a_fixed_score(way: str, absence: str) -> None:
    rows = list_rows(play_event(absence, WAYS[way]))
    others = [row.games[0] for player, row in rows.items() if player != ABSENT]
    row = rows[ABSENT]
    assert row.games[0] is None
    ((game, points),) = row.absences
    assert game == 1
    totals = [total for total in others if total is not None]
    assert len(totals) == PLAYERS - 1
    assert points <= sum(totals) / len(totals)
    if absence == "worst":
        assert points <= min(totals)
    assert row.game_scores == (points, row.games[1])
    assert row.total == row.score == points + (row.games[1] or 0)


@pytest.mark.parametrize("way", WAYS)
def test_the_worst_result_beats_nobody(way: str) -> None:
    row = list_rows(play_event("worst", WAYS[way], scoring="match_points"))[ABSENT]
    assert row.game_scores[0] == 0


@pytest.mark.parametrize("scoring", SCORINGS)
def test_too_few_rolls_give_no_place(scoring: str) -> None:
    """One whole game of three is less than half of the rolls, whatever it was worth."""
    begun = duplicate_event(games=3, options={"jokers": False}, absence="worst", scoring=scoring)
    event, chance = PlayedEvent(begun, PLAYERS), random.Random(3)
    event.open_game(1)
    event.play_game(chance)
    event.write(PlayerLeft(ABSENT))
    for number in (2, 3):
        event.open_game(number)
        event.play_game(chance)
    row = event.state.compute_standings().rows[-1]
    assert (row.player, row.place, row.has_place) == (ABSENT, PLAYERS, False)


def test_nobody_wins_a_play_off_by_leaving_it() -> None:
    event = play_event("worst", lambda event, chance: None)
    event.open_game(3, players=(1, 2))
    event.play_roll(random.Random(5))
    event.write(PlayerLeft(2))
    event.play_game(random.Random(5))
    assert list_play_off(event.state.data).keys() == {1}


def test_a_result_follows_from_the_rule_of_its_event() -> None:
    """It is written and read again; the places of another counting are refused."""
    events = {each: play_event(each, play_one_roll) for each in ("nothing", "worst")}
    places = {each: event.state.compute_standings().list_places() for each, event in events.items()}
    refusal = events["worst"].check(EventResult(places["nothing"], "Olga"))
    assert refusal is not None
    assert refusal.code == "illegal"
    for each, event in events.items():
        event.write(EventResult(places[each], "Olga"))
        again = EventState()
        again.apply_all(event.entries)
        assert again.compute_standings().list_places() == places[each]


def test_the_sheet_says_what_a_missed_game_counted() -> None:
    event = play_event("worst", play_one_roll)
    ((_, points),) = list_rows(event)[ABSENT].absences
    sheet = build_result_sheet(event.state)
    assert "counts as the worst of those who played all of its rolls" in str(sheet["rules"])
    rows = sheet["rows"]
    assert isinstance(rows, list)
    (row,) = [each for each in rows if each["missed"]]
    assert row["games"][0] == f"(−{-points})"
    assert row["missed"] == [f"game 1 not played whole: counts −{-points}"]


def test_only_a_duplicate_event_has_a_rule() -> None:
    refusal = EventState().check(duplicate_event(style="tables", absence="worst"), 1)
    assert refusal is not None
    assert refusal.code == "rule"
    assert "event.absence" in refusal.text
    with pytest.raises(InputError, match="one of nothing, worst, below_mean"):
        duplicate_event(absence="zero")
