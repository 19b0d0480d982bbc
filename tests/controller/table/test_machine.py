# SPDX-License-Identifier: MIT
"""A table in its lobby, through a game, undone, paused, and with devices lost."""

from __future__ import annotations

import random
from itertools import product

import pytest

from controller.base.settings.choices import Confirm
from controller.games import GAMES
from controller.table import events as on
from controller.table.events import Event
from controller.table.machine import step
from controller.table.state import Lobby, Phase, TableState, require_game
from tests.support.table import (
    BACK,
    CONFIRM,
    LEFT,
    RIGHT,
    any_event,
    doubtful_throw,
    finished_table,
    journalled,
    lobby_of,
    notice_of,
    play,
    rolled_table,
    table,
    throw_of,
)

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
CAMERA_LOST = on.DeviceLost("camera", "The camera is gone.", "Plug it in.")
DISK_LOST = on.DeviceLost("disk", "The disk is full.", "Make room.")
CAMERA_BACK, DISK_BACK = on.DeviceBack("camera"), on.DeviceBack("disk")


def kinds(state: TableState, *events: Event) -> list[str]:
    return [effect.kind for effect in journalled(state, *events)[1]]


class TestLobby:
    def test_one_press_plays_what_stands_there(self) -> None:
        state, effects = journalled(lobby_of("Ada", "Ben"), CONFIRM)
        assert require_game(state).players == ("Ada", "Ben")
        assert state.phase is Phase.AWAITING_ROLL
        assert [(one.kind, dict(one.body)) for one in effects] == [
            ("game", {"game": "choice", "players": ["Ada", "Ben"], "options": {"jokers": False}})
        ]

    def test_four_keys_put_together_another_game_with_more_players(self) -> None:
        # From start up to the free seat, Cleo sits down; up to the game, and down again.
        up = (BACK,) * 6
        state = play(lobby_of("Ada", "Ben"), BACK, RIGHT, *up, RIGHT, *(CONFIRM,) * 8)
        assert state.play.game_key == "black-n-white"
        assert require_game(state).players == ("Ada", "Ben", "Cleo")

    def test_who_played_before_is_known(self) -> None:
        state = play(table("Zoe", "Yan"), on.GameClosed(), on.GameStarted("choice", ("Yan", "Xia")))
        assert state.setup.known_players == ("Yan", "Xia", "Zoe")
        assert play(state, on.GameClosed()).setup.known_players == state.setup.known_players

    def test_too_few_players_are_told_in_words(self) -> None:
        state = play(TableState(lobby=Lobby("black-n-white", (), ("Ada",))), CONFIRM)
        assert state.phase is Phase.LOBBY
        assert "2 to 5" in notice_of(state).text

    @pytest.mark.parametrize(
        "event", [on.GamePicked("halma"), on.OptionPicked("fast", True), on.SeatTaken(7, "Zoe")]
    )
    def test_what_no_lobby_has_is_refused(self, event: Event) -> None:
        before = TableState()
        state = play(before, event)
        assert state.lobby == before.lobby
        assert notice_of(state).kind == "refused"

    def test_a_seat_that_is_gone_is_refused_in_words(self) -> None:
        state = play(lobby_of("Ada"), on.SeatTaken(2, "Zoe"))
        assert notice_of(state).text == "This seat is not there. Choose another one."
        assert play(lobby_of("Ada"), on.SeatTaken(2, "", "master")).lobby.seats == ("Ada",)

    def test_a_finger_picks_game_option_and_seats(self) -> None:
        events = (on.GamePicked("choice"), on.OptionPicked("jokers", True), on.SeatTaken(1, "Zoe"))
        state = play(lobby_of("Ada", "Ben"), *events, on.StartRequested())
        assert require_game(state).options == {"jokers": True}
        assert require_game(state).players == ("Ada", "Zoe")

    @pytest.mark.parametrize(
        ("event", "reason"),
        [
            (
                on.GameStarted("choice", ("Ada", "Ada")),
                "expected every name once, found 'Ada' again",
            ),
            (on.GameStarted("choice", ("Ada", " ")), "expected a name that is not empty"),
            (on.GameStarted("choice", ()), "players, found 0"),
            (on.GameStarted("choice", (*NAMES, "Gus")), "expected 1 to 6 players, found 7"),
            (on.GameStarted("halma", ("Ada",)), "game: expected one of choice"),
            (on.GameStarted("choice", ("Ada",), {"fast": True}), "found 'fast'"),
        ],
    )
    def test_a_game_that_cannot_start_is_refused_in_words(
        self, event: on.GameStarted, reason: str
    ) -> None:
        before = TableState()
        state, effects = journalled(before, event)
        assert (state.phase, state.play.position) == (Phase.LOBBY, None)
        assert (state.lobby, effects) == (before.lobby, ())
        assert notice_of(state).kind == "refused"
        assert reason in notice_of(state).text


class TestGame:
    def test_the_action_that_ends_a_game_journals_the_result_with_it(self) -> None:
        state = play(finished_table("Ada"), on.UndoRequested())
        after, effects = journalled(state, CONFIRM)
        assert [effect.kind for effect in effects] == ["action"]
        totals = require_game(after).totals()
        assert effects[0].body["result"] == {"totals": totals, "winners": ["Ada"], "losers": []}

    def test_one_press_starts_a_rematch_with_the_next_starter(self) -> None:
        state = finished_table("Cleo", "Dan", "Eva")
        after = play(state, CONFIRM)
        assert require_game(after).players == ("Dan", "Eva", "Cleo")
        assert (after.phase, after.play.rolls, after.play.roll_log) == (Phase.AWAITING_ROLL, 0, ())
        assert kinds(state, CONFIRM) == ["game"]

    @pytest.mark.parametrize("event", [LEFT, on.GameClosed()])
    def test_after_the_end_the_same_players_may_sit_down_again(self, event: Event) -> None:
        state = finished_table("Cleo", "Dan")
        after = play(state, event)
        assert (after.phase, after.play.position, after.play.undoable) == (Phase.LOBBY, None, ())
        assert require_game(play(after, CONFIRM)).players == ("Cleo", "Dan")
        assert kinds(state, event) == ["closed"]


class TestUndo:
    def test_all_choices_of_a_shared_roll_are_taken_back_one_by_one(self) -> None:
        states = [rolled_table("13446", "Ada", "Ben", "Cleo")]
        for _ in range(3):
            states.append(play(states[-1], CONFIRM))
        state = states[-1]
        for before in reversed(states[:-1]):
            state = play(state, BACK)
            assert state.play.position == before.play.position
            assert state.play.undoable == before.play.undoable
        assert state.chooser == "Ada"

    def test_nothing_is_taken_back_after_the_next_roll(self) -> None:
        state = play(rolled_table("13446", "Ada"), CONFIRM, *throw_of("22345", spot=1))
        after, effects = journalled(state, on.UndoRequested())
        assert (after.play.position, effects) == (state.play.position, ())
        assert notice_of(after).text == "There is nothing to undo."

    @pytest.mark.parametrize(
        "events",
        [
            (),
            (on.MotionStarted(),),
            (on.MotionStarted(), on.MotionStopped()),
            doubtful_throw("2234", spot=1),
            throw_of("22345", spot=1),
        ],
        ids=["awaiting", "rolling", "settling", "straighten", "reading"],
    )
    @pytest.mark.parametrize("event", [BACK, on.UndoRequested()], ids=["key", "page"])
    def test_until_the_next_roll_is_taken_a_choice_can_be_taken_back(
        self, events: tuple[Event, ...], event: Event
    ) -> None:
        button = play(table("Ada", confirm=Confirm.BUTTON), *throw_of("13446"), CONFIRM)
        state = play(button, CONFIRM, *events)
        after = play(state, event)
        assert after.phase is Phase.CHOOSING
        assert (after.play.position, after.play.rolls) == (button.play.position, 1)
        assert (after.reading.doubts, kinds(state, event)) == ((), ["undo"])


class TestPause:
    @pytest.mark.parametrize("event", [CONFIRM, on.ResumeRequested()])
    def test_play_goes_on_where_it_was(self, event: Event) -> None:
        state = play(rolled_table("13446"), RIGHT)
        paused = play(state, on.PauseRequested())
        assert paused.phase is Phase.PAUSED
        after = play(paused, event)
        assert after.phase is Phase.CHOOSING
        assert (after.play.position, after.screen.cursor) == (state.play.position, 1)
        assert kinds(state, on.PauseRequested(), event) == ["pause", "resume"]

    def test_pause_for_a_calibration_says_so_until_play_resumes(self) -> None:
        paused = play(rolled_table("13446"), on.PauseRequested(is_for_calibration=True))
        assert paused.phase is Phase.PAUSED
        assert notice_of(paused).text == "The table is being calibrated."
        assert play(paused, on.ResumeRequested()).notice is None

    def test_tapped_dice_are_kept(self) -> None:
        state = play(
            rolled_table("13446"), on.DieTapped(0), on.PauseRequested(), on.ResumeRequested()
        )
        assert state.screen.selection.is_any

    def test_a_throw_that_was_interrupted_is_thrown_again(self) -> None:
        for events in (
            (on.MotionStarted(),),
            (on.MotionStarted(), on.MotionStopped()),
            doubtful_throw(),
        ):
            state = play(table(), *events, on.PauseRequested())
            assert state.reading.doubts == ()
            assert play(state, on.ResumeRequested()).phase is Phase.AWAITING_ROLL

    def test_the_game_can_be_left_with_the_back_button(self) -> None:
        state = play(table(), on.PauseRequested())
        assert play(state, BACK).phase is Phase.LOBBY
        assert kinds(state, BACK) == ["parked"]


class TestFault:
    def test_a_fault_stays_until_it_is_gone_and_then_play_goes_on(self) -> None:
        lost = play(rolled_table("13446"), CAMERA_LOST)
        assert (lost.phase, lost.troubles.faults) == (Phase.FAULT, (CAMERA_LOST,))
        assert play(lost, CONFIRM) is lost
        gone = play(lost, CAMERA_BACK)
        assert (gone.phase, gone.troubles.faults) == (Phase.CHOOSING, ())
        assert notice_of(gone).text == "The camera works again."
        assert kinds(rolled_table("13446"), CAMERA_LOST, CAMERA_BACK) == ["fault", "back"]

    def test_a_fault_that_is_over_leaves_the_game_as_it_was(self) -> None:
        state = play(rolled_table("13446"), RIGHT)
        after = play(state, CAMERA_LOST, CAMERA_BACK)
        assert after.play.position == state.play.position
        assert (after.screen.cursor, after.play.roll_dice) == (1, state.play.roll_dice)

    @pytest.mark.parametrize(
        "events",
        [(), (on.MotionStarted(),), (on.MotionStarted(), on.MotionStopped()), doubtful_throw()],
        ids=["awaiting", "rolling", "settling", "straighten"],
    )
    def test_a_throw_that_a_fault_interrupted_is_thrown_again(
        self, events: tuple[Event, ...]
    ) -> None:
        state = play(table(), *events, CAMERA_LOST, CAMERA_BACK)
        assert (state.phase, state.reading.doubts, state.play.rolls) == (Phase.AWAITING_ROLL, (), 0)
        assert notice_of(state).remedy == "Throw all the dice again."
        assert play(state, *throw_of("13446", spot=1)).play.rolls == 1

    def test_two_faults_have_both_to_be_gone(self) -> None:
        state = play(table(), CAMERA_LOST, DISK_LOST)
        assert state.troubles.faults == (CAMERA_LOST, DISK_LOST)
        one = play(state, DISK_BACK)
        assert one.troubles.faults == (CAMERA_LOST,)
        assert play(one, CONFIRM) is one
        assert play(one, CAMERA_BACK).phase is Phase.AWAITING_ROLL

    def test_a_device_has_one_fault_the_newest(self) -> None:
        worse = on.DeviceLost("camera", "It is broken.", "Buy another.")
        assert play(table(), CAMERA_LOST, DISK_LOST, worse).troubles.faults == (DISK_LOST, worse)

    def test_a_device_that_was_never_lost_is_no_news(self) -> None:
        state = play(table(), CAMERA_LOST)
        assert play(state, DISK_BACK) is state
        assert play(table(), CAMERA_BACK) == table()

    def test_a_fault_during_a_pause_once_ended_the_pause(self) -> None:
        state = play(rolled_table("13446"), on.PauseRequested(), CAMERA_LOST, DISK_LOST)
        after = play(state, CAMERA_BACK, DISK_BACK)
        assert after.phase is Phase.PAUSED
        assert play(after, on.ResumeRequested()).phase is Phase.CHOOSING

    @pytest.mark.parametrize("state", [TableState(), finished_table("Ada")])
    def test_a_fault_outside_of_play_leads_back_there(self, state: TableState) -> None:
        assert play(state, CAMERA_LOST, CAMERA_BACK).phase is state.phase


def test_no_refusal_stays_beside_what_worked() -> None:
    """An event that is written to the journal was not refused."""
    for game, seed in product(GAMES, range(12)):
        chance, state = random.Random(seed), table("Ada", "Ben", game=game)
        for _ in range(80):
            after, effects = step(state, any_event(state, chance))
            old = state.notice
            if effects and old is not None and old.kind == "refused":
                assert after.notice is not old
            state = after
