# SPDX-License-Identifier: MIT
"""Another program asks for dice: one roll answers, and the table is as it was before."""

from __future__ import annotations

import pytest

from controller.table import events as on
from controller.table.events import Event
from controller.table.journal_entries import restore_table
from controller.table.state import Phase, TableState
from controller.table.view.question import find_refusal
from tests.support.table import (
    BACK,
    CONFIRM,
    dice_of,
    doubtful_throw,
    entries_of,
    journalled,
    kinds_of,
    play,
    rolled_table,
    throw_of,
    view,
)

ASKED = on.DiceRequested(3, "Zoe", "The dragon wakes.", "Dungeon")
LOBBY = play(TableState(), on.OptionPicked("jokers", True), on.SeatTaken(1, "Cleo"))


def test_a_roll_answers_and_the_lobby_is_as_before() -> None:
    state, effects = journalled(LOBBY, ASKED)
    assert (state.phase, len(state.play.polarities)) == (Phase.AWAITING_ROLL, 3)
    shown = view(state)
    assert shown["headline"] == "Throw 3 dice for Zoe"
    assert shown["hint"] == "Dungeon asks: The dragon wakes."
    assert shown["buttons"]["back"] == "refuse"

    state, more = journalled(state, *throw_of("346", picture="ab"))
    (request, answer) = effects + more
    assert request.body == {"dice": 3, "for": "Zoe", "why": "The dragon wakes.", "by": "Dungeon"}
    assert (answer.kind, answer.body["roll"], answer.picture) == ("answer", "346", "ab")
    shown = view(state)
    assert shown["headline"] == "Zoe: 3 4 6, together 13"
    assert shown["request"] == {
        "dice": 3,
        "name": "Zoe",
        "why": "The dragon wakes.",
        "by": "Dungeon",
        "answered": True,
    }
    assert [die["face"] for die in shown["dice"]] == [3, 4, 6]
    for end in (CONFIRM, on.GameClosed(), on.GameLeft(), on.RequestEnded("answered")):
        after, effects = journalled(state, end)
        assert (after.phase, after.lobby, after.play.request) == (Phase.LOBBY, LOBBY.lobby, None)
        assert effects == ()


@pytest.mark.parametrize(
    ("end", "outcome"),
    [
        (BACK, "refused"),
        (on.GameLeft(), "refused"),
        (on.GameClosed(), "refused"),
        (on.RequestEnded("withdrawn"), "withdrawn"),
        (on.RequestEnded("expired"), "expired"),
    ],
)
def test_a_request_ends_without_an_answer(end: Event, outcome: str) -> None:
    for during in ((), (on.PauseRequested(),), doubtful_throw("22")):
        asked = play(LOBBY, ASKED, *during)
        if during and end is BACK:
            continue
        state, (entry,) = journalled(asked, end)
        assert (entry.kind, entry.body) == ("request_ended", {"outcome": outcome})
        assert (state.phase, state.lobby, state.play.request) == (Phase.LOBBY, LOBBY.lobby, None)


def test_a_parked_game_continues_after_a_request() -> None:
    played = rolled_table("13446")
    state, effects = journalled(played, on.GameLeft(), ASKED, *throw_of("346", spot=4), CONFIRM)
    assert kinds_of(effects) == ["parked", "request", "answer"]
    assert (state.parked, state.lobby.continues) == (play(played, on.GameLeft()).parked, True)
    assert play(state, CONFIRM).play.position == played.play.position


@pytest.mark.parametrize("busy", [rolled_table("13446"), play(TableState(), ASKED)])
def test_nothing_that_runs_is_disturbed(busy: TableState) -> None:
    after, effects = journalled(busy, ASKED)
    assert after is busy
    assert effects == ()
    assert find_refusal(busy, after)


def test_an_answer_is_final() -> None:
    state = play(LOBBY, ASKED, *throw_of("346"))
    for event in (
        on.ReviewRequested(),
        on.RollCorrected("345", "Eva", "It was misread."),
        *throw_of("111", spot=3),
        on.DiceRead(dice_of("111", spot=3)),
        on.RequestEnded("withdrawn"),
        BACK,
    ):
        after, effects = journalled(state, event)
        assert effects == ()
        assert (after.phase, after.play.roll_dice) == (Phase.GAME_OVER, state.play.roll_dice)


def test_faces_entered_by_hand_answer_too() -> None:
    state = play(LOBBY, ASKED, *doubtful_throw("34"))
    state, (entry,) = journalled(state, on.FacesEntered("346", "Eva"))
    assert (entry.kind, entry.body["by_hand"]) == ("answer", "Eva")
    assert state.play.request is not None
    assert state.play.request.is_answered


def test_a_restart_keeps_an_open_request_and_clears_an_answer() -> None:
    state, effects = journalled(TableState(), ASKED)
    again = restore_table(TableState(), entries_of(effects))
    assert again.play.request == state.play.request
    assert (again.phase, again.play.position) == (state.phase, state.play.position)
    answered, more = journalled(again, *throw_of("346"))
    assert answered.phase is Phase.GAME_OVER
    after = restore_table(TableState(), entries_of(effects + more))
    assert (after.phase, after.play.request, after.lobby) == (Phase.LOBBY, None, TableState().lobby)
