# SPDX-License-Identifier: MIT
"""The check-in before a draw: who is there, and what becomes of those who are not."""

from __future__ import annotations

from typing import Any

import pytest

from controller.tournament.entries.check_in_entries import (
    CheckInClosed,
    CheckInOpened,
    PlayerCheckedIn,
)
from controller.tournament.entries.draw_entries import ByeAsked
from controller.tournament.entries.event_entries import EventResult
from controller.tournament.entries.player_entries import PlayerLeft, PlayerWithdrawn
from controller.tournament.server.player_requests import DoneAlreadyError, change_by_phone
from controller.tournament.server.shared_view import build_shared_view
from controller.tournament.state.check_in import list_missing
from controller.tournament.state.player_view import build_player_view
from tests.controller.tournament.event_tables import PlayedEvent, duplicate_event
from tests.controller.tournament.state.test_table_rounds import (
    begin_event,
    draw,
    finish,
    play_round,
    publish,
    refused,
)


def check_in(event: PlayedEvent, *players: int) -> None:
    event.write(CheckInOpened(len(event.state.data.rounds.published) + 1, "Olga"))
    for player in players:
        event.write(PlayerCheckedIn(player))


def test_who_is_not_there_is_left_out_of_the_draw() -> None:
    event = begin_event(9)
    event.write(PlayerLeft(9))
    check_in(event, 1, 2, 3, 4, 5, 6)
    view: dict[str, Any] = build_shared_view(event.state)
    names = ["Player 7", "Player 8"]
    assert view["check_in"] == {"round": 1, "here": 6, "missing": 2, "names": names}
    assert refused(event, draw(event)).endswith(
        "expected the end of the check-in first, found an open one"
    )
    assert "all who are not there, or none of them, found 8" in refused(
        event, CheckInClosed(1, "Olga", (8,))
    )
    event.write(PlayerCheckedIn(9, "Olga"))
    event.write(CheckInClosed(1, "Olga", (7, 8)))
    assert sorted(publish(event).list_seated()) == [1, 2, 3, 4, 5, 6, 9]
    assert event.state.data.people.find(7).is_away


def test_who_leaves_after_checking_in_is_not_there() -> None:
    event = begin_event(5)
    check_in(event, 1, 2, 3, 4, 5)
    event.write(PlayerWithdrawn(5, "Olga", "ill"))
    event.write(PlayerLeft(4))
    view: dict[str, Any] = build_shared_view(event.state)
    assert (view["check_in"]["here"], view["check_in"]["missing"]) == (3, 0)
    assert build_player_view(event.state.data, 4)["checked_in"] is False
    event.write(PlayerCheckedIn(4))
    event.write(CheckInClosed(1, "Olga"))
    assert sorted(publish(event).list_seated()) == [1, 2, 3, 4]


def test_an_official_may_draw_those_who_are_not_there() -> None:
    event = begin_event(4)
    check_in(event, 1, 2)
    event.write(CheckInClosed(1, "Olga"))
    assert list_missing(event.state.data) == ()
    assert sorted(publish(event).list_seated()) == [1, 2, 3, 4]


def test_a_phone_checks_in_its_own_player() -> None:
    event = begin_event(3)
    assert refused(event, PlayerCheckedIn(1)) == "checked_in: expected an open check-in, found none"
    assert build_player_view(event.state.data, 1)["checked_in"] is None
    check_in(event)
    assert event.check(PlayerCheckedIn(1), seat=1) is None
    for entry in (PlayerCheckedIn(2), PlayerCheckedIn(1, "Olga"), CheckInClosed(1, "Olga")):
        assert event.refuse(entry, seat=1).code == "seat"
    event.write(PlayerCheckedIn(1))
    assert build_player_view(event.state.data, 1)["checked_in"]
    assert "a player who has not checked in, found Player 1" in refused(event, PlayerCheckedIn(1))
    refusal = event.refuse(PlayerCheckedIn(1, is_lifted=True), seat=1)
    assert refusal.code == "seat", "only an official takes it back"
    event.write(PlayerCheckedIn(1, "Olga", is_lifted=True))
    assert list_missing(event.state.data) == (1, 2, 3)


def test_a_check_in_sent_again_after_its_end_has_been_done() -> None:
    event = begin_event(5)
    check_in(event, 1, 2, 3, 4)
    event.write(CheckInClosed(1, "Olga", (5,)))
    build = change_by_phone({"do": "check in"})
    with pytest.raises(DoneAlreadyError):
        build(event.state, 1)
    assert "expected an open check-in, found none" in refused(event, build(event.state, 5))


def test_a_check_in_comes_before_the_draw() -> None:
    event = begin_event(4)
    event.write(draw(event))
    late = CheckInOpened(1, "Olga")
    assert "expected a check-in before the draw, found one after it" in refused(event, late)
    duplicate = PlayedEvent(duplicate_event(), players=2)
    assert "expected an event with draws, found a duplicate event" in refused(duplicate, late)
    over = begin_event(4)
    over.write(EventResult(over.state.compute_standings().list_places(), "Olga"))
    assert "the result is out" in refused(over, late)


def test_pairs_are_fixed_by_their_first_draw() -> None:
    """Later a player can only withdraw; who has lost is not waited for."""
    event = begin_event(4, style="knock_out")
    for seats in publish(event).tables:
        finish(event, seats, [10, 20])
    event.write_due()
    losers = event.state.data.rounds.published[0].list_losers()
    winners = sorted({1, 2, 3, 4} - {*losers})
    check_in(event, winners[0])
    lost = PlayerCheckedIn(losers[0])
    assert "expected a player who may be drawn next, found Player" in refused(event, lost)
    assert build_player_view(event.state.data, losers[0])["checked_in"] is None
    assert list_missing(event.state.data) == (winners[1],)
    assert "all who are not there" in refused(event, CheckInClosed(2, "Olga", (winners[1],)))
    event.write(PlayerWithdrawn(winners[1], "Olga", "ill"))
    assert list_missing(event.state.data) == ()
    event.write(CheckInClosed(2, "Olga"))
    over = CheckInOpened(2, "Olga")
    assert "expected two players who are still in, found the winner" in refused(event, over)


def test_who_takes_a_round_off_does_not_check_in() -> None:
    event = begin_event(4, style="swiss", half_byes=1)
    event.write(ByeAsked(1, 4))
    check_in(event, 1, 2, 3)
    assert "a player who may be drawn next, found Player 4" in refused(event, PlayerCheckedIn(4))
    event.write(ByeAsked(1, 4, "Olga", is_lifted=True))
    assert build_player_view(event.state.data, 4)["checked_in"] is False


def test_every_round_has_its_own_check_in() -> None:
    event = begin_event(4)
    check_in(event, 1, 2, 3, 4)
    event.write(CheckInClosed(1, "Olga"))
    play_round(event)
    check_in(event, 4)
    assert list_missing(event.state.data) == (1, 2, 3)
    assert "expected 2, found 1" in refused(event, CheckInClosed(1, "Olga"))
