# SPDX-License-Identifier: MIT
"""The result sheet says who won, what was played, and what people decided and why."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from controller.tournament.entries.draw_entries import TableResult
from controller.tournament.entries.event_entries import EventResult, GameForfeited, PenaltyGiven
from controller.tournament.entries.game_entries import (
    ChoiceMade,
    GameClosed,
    RollClosed,
    RollRuling,
)
from controller.tournament.entries.player_entries import PlayerWithdrawn
from controller.tournament.results.result_sheet import (
    build_result_sheet,
    list_broken_ties,
    list_decisions,
)
from controller.tournament.state.due import list_overtime
from controller.tournament.state.player_view import build_player_view
from controller.tournament.state.state import EventState
from tests.controller.tournament.event_tables import PlayedEvent, duplicate_event
from tests.controller.tournament.state.test_round_clocks import UNTIL_MS, end_round
from tests.controller.tournament.state.test_table_rounds import begin_event, play_round, publish

FIRST = {"13446": ("4+10/4",), "22356": ("4+8/6",)}


def end(event: PlayedEvent) -> None:
    event.write(EventResult(event.state.compute_standings().list_places(), "Olga"))


def test_nothing_is_decided_before_the_event_begins() -> None:
    state = EventState()
    assert list_decisions(state.data) == []
    assert list(list_broken_ties(state)) == []


def test_the_sheet_names_the_winner_and_the_played_games() -> None:
    event = PlayedEvent(duplicate_event(games=2), players=2)
    event.open_game()
    event.play_game(random.Random(3))
    sheet = build_result_sheet(event.state)
    assert (sheet["winner"], sheet["played"], sheet["by_hand"]) == ("", "games played: 1 of 2", 0)
    first = event.state.compute_standings().rows[0].name
    end(event)
    assert build_result_sheet(event.state)["winner"] == f"Winner: {first}"


def test_rolls_that_no_camera_read_are_counted() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=1)
    event.send(event.table.throw("66666", by_hand="Hall"))
    event.open_game()
    event.throw("13446", by_hand="Hall")
    event.choose(1, "4+10/4")
    assert build_result_sheet(event.state)["by_hand"] == 1, "throws before the game do not count"


def test_forfeits_penalties_and_entered_results_have_reasons() -> None:
    event = begin_event(8)
    play_round(event)
    played = publish(event)
    for number in range(1, len(played.tables) + 1):
        result = TableResult(2, number, (9, 5, 3, -1), by="Olga", reason="on paper")
        event.write(result)
    event.write(PenaltyGiven(2, 5, "Olga", "late"))
    event.write(GameForfeited(1, 2, "Olga", "left"))
    event.write(GameForfeited(1, 2, "Olga", "came back", is_lifted=True))
    assert [(each["what"], each["reason"]) for each in list_decisions(event.state.data)] == [
        ("Round 2, table 1: result entered by hand: 9, 5, 3, −1", "on paper"),
        ("Round 2, table 2: result entered by hand: 9, 5, 3, −1", "on paper"),
        ("Player 2: penalty 5", "late"),
        ("Player 1: forfeits round 2", "left"),
        ("Player 1: forfeit of round 2 lifted", "came back"),
    ]
    sheet = build_result_sheet(event.state)
    assert (sheet["played"], sheet["has_entered"]) == ("rounds played: 2 of 3", True)


def list_what(event: PlayedEvent) -> list[tuple[str, str, str]]:
    return [(each["what"], each["reason"], each["by"]) for each in list_decisions(event.state.data)]


def test_a_withdrawal_says_after_what_it_came_and_why() -> None:
    event = PlayedEvent(duplicate_event(games=2), players=4)
    event.write(PlayerWithdrawn(1, "Olga", "is ill"))
    event.open_game()
    event.write(PlayerWithdrawn(2, "Olga", "has a train"))
    event.throw("13446")
    event.write(PlayerWithdrawn(3, "Olga", "lost the phone"))
    event.run_out()
    event.write(GameClosed(1, "Olga", "the light failed"))
    event.write(PlayerWithdrawn(4, "Olga", "goes home"))
    assert list_what(event)[-4:] == [
        ("Player 1 withdrew before anything was played", "is ill", "Olga"),
        ("Player 2 withdrew before anything was played", "has a train", "Olga"),
        ("Player 3 withdrew after game 1, roll 1", "lost the phone", "Olga"),
        ("Player 4 withdrew after game 1", "goes home", "Olga"),
    ]


def test_a_withdrawal_from_draws_names_the_round() -> None:
    event = begin_event(8)
    play_round(event)
    event.write(PlayerWithdrawn(1, "Olga", "is ill"))
    publish(event)
    event.write(PlayerWithdrawn(2, "Olga", "goes home"))
    assert list_what(event) == [
        ("Player 1 withdrew after round 1", "is ill", "Olga"),
        ("Player 2 withdrew during round 2", "goes home", "Olga"),
    ]


def test_what_an_official_closed_early_has_its_reason() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=1)
    event.open_game()
    event.throw("13446")
    event.write(RollClosed(1, 1, "Olga", "the light failed"))
    event.throw("22356")
    event.run_out()
    event.write(GameClosed(1, "Olga", "the hall closes"))
    assert list_what(event) == [
        ("Game 1, roll 1: closed by an official", "the light failed", "Olga"),
        ("Game 1: ended by an official", "the hall closes", "Olga"),
    ]


def test_a_late_result_of_a_table_is_not_one_by_hand() -> None:
    event = end_round("stop", UNTIL_MS + 1)
    (result,) = list_overtime(event.state.data)
    event.write(replace(result, by="Olga", reason="the last throw lay already"))
    what = "Round 1, table 1: 4, 3, 2, 1 counts, though the game ended after the clock"
    assert list_what(event) == [(what, "the last throw lay already", "Olga")]
    assert not build_result_sheet(event.state)["has_entered"]


def test_entered_choices_are_counted_with_their_official() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=2)
    event.open_game()
    for faces in ("13446", "22356"):
        event.throw(faces)
        event.choose(2, *FIRST[faces])
        event.write(ChoiceMade(1, len(event.state.data.games[0].rolls), 1, FIRST[faces], "Olga"))
    assert list_decisions(event.state.data) == [
        {"what": "Player 1: 2 choices were entered by an official", "by": "Olga", "reason": ""}
    ]
    views: list[dict[str, Any]] = [build_player_view(event.state.data, each) for each in (1, 2)]
    assert [view["last"]["by"] for view in views] == ["Olga", ""]


def test_an_entered_choice_that_the_clock_replaced_counts_not() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=2)
    event.open_game()
    event.throw("13446")
    event.write(ChoiceMade(1, 1, 1, FIRST["13446"], "Olga"))
    until_ms = event.now_ms + 30_000
    event.write(RollRuling(1, 1, "recompute", "Olga", "misread", faces="22356", until_ms=until_ms))
    event.run_out()
    what = [each["what"] for each in list_decisions(event.state.data)]
    assert not any("entered by an official" in each for each in what)


def test_a_game_that_was_broken_off_is_played_as_it_stands() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=1)
    event.open_game()
    event.throw("13446")
    event.choose(1, "4+10/4")
    assert build_result_sheet(event.state)["played"] == "games played: 0 of 1"
    event.write(GameClosed(1, "Olga", "the hall closes"))
    assert build_result_sheet(event.state)["played"] == ""
