# SPDX-License-Identifier: MIT
"""The clock of a round: until when it is played, and what counts of games that go on."""

from __future__ import annotations

from dataclasses import replace

from controller.tournament.archive.line_claims import read_claim
from controller.tournament.entries.draw_entries import RoundTimed, TableResult
from controller.tournament.server.shared_view import describe_round
from controller.tournament.state.due import list_overtime
from tests.controller.tournament.event_tables import PlayedEvent, duplicate_event
from tests.controller.tournament.state.test_table_rounds import (
    begin_event,
    finish,
    play_round,
    publish,
    refused,
)

UNTIL_MS = 1_060_000
TOTALS = [4, 3, 2, 1]


def end_round(round_end: str, last_ms: int) -> PlayedEvent:
    """Return an event whose table ended its game at this time, long before the line came."""
    event = begin_event(4, round_end=round_end)
    seats = publish(event).tables[0]
    event.write(RoundTimed(1, UNTIL_MS, "Olga"))
    event.now_ms += 120_000
    event.table.at_ms = last_ms
    finish(event, seats, TOTALS)
    return event


def test_games_that_go_on_are_played_to_their_end() -> None:
    event = end_round("play_on", UNTIL_MS + 1)
    (played,) = event.state.data.rounds.published
    assert describe_round(event.state.data, played)["until_ms"] == UNTIL_MS
    assert event.write_due() == ["table_result"]
    assert describe_round(event.state.data, played)["until_ms"] is None


def test_a_line_that_came_late_is_not_late() -> None:
    event = end_round("stop", UNTIL_MS)
    assert event.write_due() == ["table_result"]


def test_a_late_game_does_not_hide_one_that_ended_in_time() -> None:
    event = end_round("stop", UNTIL_MS - 1)
    seats = event.state.data.rounds.published[0].tables[0]
    finish(event, seats, [5, 3, 2, 1])
    event.table.at_ms = UNTIL_MS + 1
    finish(event, seats, TOTALS[::-1])
    assert not list(list_overtime(event.state.data))
    assert event.write_due() == ["table_result"]
    assert event.state.data.rounds.published[0].recorded[1].points == (5, 3, 2, 1)


def test_a_game_that_ended_too_late_waits_for_an_official() -> None:
    event = end_round("stop", UNTIL_MS + 1)
    assert event.write_due() == []
    (result,) = list_overtime(event.state.data)
    claim = read_claim(9, result, event.state.data)
    assert claim is not None
    assert claim.until_ms == UNTIL_MS, "verify finds it if nobody let it count"
    counted = replace(result, by="Olga", reason="the last throw lay already")
    claim = read_claim(9, counted, event.state.data)
    assert claim is not None
    assert claim.until_ms == 0
    event.write(counted)
    assert event.state.data.rounds.published[0].is_complete
    assert not list(list_overtime(event.state.data))


def test_an_official_enters_how_a_stopped_game_stood() -> None:
    event = end_round("stop", UNTIL_MS + 1)
    event.write(TableResult(1, 1, (1, 2, 3, 4), by="Olga", reason="stopped by the clock"))
    assert event.write_due() == []
    assert event.state.data.rounds.published[0].recorded[1].points == (1, 2, 3, 4)


def test_only_the_round_that_is_played_has_a_clock() -> None:
    event = begin_event(4)
    assert "expected the round that is being played" in refused(event, RoundTimed(1, 9, "Olga"))
    publish(event)
    assert "expected another time than now" in refused(event, RoundTimed(1, 0, "Olga"))
    event.write(RoundTimed(1, 9, "Olga"))
    event.write(RoundTimed(1, 0, "Olga"))
    event = begin_event(4)
    play_round(event)
    assert "expected the round that is being played" in refused(event, RoundTimed(1, 9, "Olga"))
    duplicate = PlayedEvent(duplicate_event())
    assert "the round that is being played" in refused(duplicate, RoundTimed(1, 9, "Olga"))
