# SPDX-License-Identifier: MIT
"""Lamps on panels of the players' own, and what is said of a button that is stuck."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from controller.base.settings.choices import Confirm
from controller.table import events as on
from controller.table.events import Key
from controller.table.state import Phase, TableState
from controller.table.view.types import SEATS_MOST
from tests.support.table import (
    CONFIRM,
    RIGHT,
    any_event,
    doubtful_throw,
    play,
    rolled_table,
    table,
    throw_of,
    view,
)

ALL_THREE = ["left", "right", "confirm"]


def lamps(state: TableState) -> list[list[str]]:
    """The lamps of the first three seats; no one sits at the others in these tests."""
    *first, fourth, fifth, sixth = view(state)["lamps"]
    assert fourth == fifth == sixth == []
    return first


def test_only_the_panel_lights_up_whose_turn_it_is() -> None:
    state = play(table("Ada", "Ben", game="wuerfelspiel"), *throw_of("13446"))
    assert lamps(state) == [["left", "right"], [], []]
    assert lamps(play(state, on.ChoiceTapped(0))) == [ALL_THREE, [], []]


def test_who_chose_last_can_see_that_they_may_take_it_back() -> None:
    state = play(table("Ada", "Ben", game="wuerfelspiel"), *throw_of("13446"), RIGHT, CONFIRM)
    assert lamps(state) == [["back"], [], []]


def test_panels_of_all_choosers_light_up() -> None:
    state = rolled_table("13446", "Ada", "Ben", "Cleo")
    assert lamps(state) == [ALL_THREE] * 3
    state = play(state, on.KeyPressed(Key.CONFIRM, 2), on.KeyPressed(Key.CONFIRM, 2))
    assert lamps(state) == [ALL_THREE, ["back"], ALL_THREE]


def test_whoever_chooses_is_shown_as_the_one_who_chooses() -> None:
    state = rolled_table("13446", "Ada", "Ben", "Cleo")
    shown = view(play(state, on.KeyPressed(Key.RIGHT, 3)))
    assert shown["headline"] == "Cleo chooses"
    assert [player["state"] for player in shown["players"]] == ["waits", "waits", "chooses"]


def test_what_was_tapped_is_freed_on_the_panel_of_who_is_shown() -> None:
    state = play(rolled_table("13446", "Ada", "Ben"), on.DieTapped(0))
    assert lamps(state) == [["left", "right", "back"], ["left", "right"], []]


def test_a_reading_is_confirmed_on_the_panel_of_whose_roll_it_is() -> None:
    state = play(table("Ada", "Ben", confirm=Confirm.BUTTON), *throw_of("13446"))
    assert lamps(state) == [["confirm"], [], []]
    assert lamps(play(table(), *doubtful_throw())) == [[], [], []]


def test_where_it_is_nobodys_turn_all_panels_light_up() -> None:
    for state in (TableState(), play(table(), on.PauseRequested())):
        shown = view(state)
        words = {**shown["buttons"]}
        assert shown["lamps"] == [[key for key, word in words.items() if word]] * SEATS_MOST


@pytest.mark.parametrize("seed", range(4))
def test_a_button_whose_lamp_is_dark_decides_nothing(seed: int) -> None:
    chance, state = random.Random(seed), TableState()
    for _ in range(250):
        state = play(state, any_event(state, chance))
        for panel, lit in enumerate(view(state)["lamps"], start=1):
            for key in (key for key in Key if key.value not in lit):
                after = play(state, on.KeyPressed(key, panel))
                assert after.phase == state.phase
                assert (after.play.position, after.lobby) == (state.play.position, state.lobby)


class TestStuck:
    LEFT = on.ButtonStuck(Key.LEFT)

    def test_it_is_told_with_what_to_do(self) -> None:
        notice = view(play(table(), self.LEFT))["notice"]
        assert notice == {
            "kind": "fault",
            "text": "This button is stuck: left.",
            "mend": "It does nothing until it is released. Check its cable.",
        }

    def test_the_players_are_named_whose_buttons_are_stuck(self) -> None:
        state = play(table(), on.ButtonStuck(Key.BACK, 2), on.ButtonStuck(Key.CONFIRM, 5))
        notice = view(state)["notice"]
        assert notice is not None
        assert notice["text"] == ("These buttons are stuck: back (Ben) and confirm (panel 5).")

    def test_it_waits_behind_what_is_more_urgent(self) -> None:
        state = play(table(), self.LEFT)
        for events, text in (
            (doubtful_throw(), "A die leans against the wall."),
            (
                (on.DeviceLost("camera", "The camera is gone.", "Plug it in."),),
                "The camera is gone.",
            ),
        ):
            notice = view(play(state, *events))["notice"]
            assert notice is not None
            assert notice["text"] == text

    def test_it_does_not_hide_that_play_is_paused(self) -> None:
        assert view(play(table(), self.LEFT, on.PauseRequested()))["notice"] is None

    def test_nothing_is_said_once_it_lets_go(self) -> None:
        assert view(play(table(), self.LEFT, on.ButtonReleased(Key.LEFT)))["notice"] is None


class TestLost:
    BUTTONS = on.PeripheralLost("buttons", "pin 5 is in use", "end that program")
    LAMPS = on.PeripheralLost("lamps", "pin 12 is in use", "end that program", 2)
    LIGHT = on.PeripheralLost("light", "pin 18 is in use", "end that program")

    def test_buttons_are_named_with_what_to_do(self) -> None:
        state = play(table(), self.BUTTONS)
        assert (state.phase, state.troubles.faults) == (table().phase, ())
        assert view(state)["notice"] == {
            "kind": "fault",
            "text": "Out of order: buttons.",
            "mend": "Use the screen or a keyboard. It is tried again by itself."
            " Reported: pin 5 is in use; end that program.",
        }

    def test_several_are_named_together_and_a_remedy_once(self) -> None:
        notice = view(play(table(), self.LAMPS, self.LIGHT))["notice"]
        assert notice == {
            "kind": "fault",
            "text": "Out of order: lamps (Ben) and light.",
            "mend": "It is tried again by itself."
            " Reported: pin 12 is in use; pin 18 is in use; end that program.",
        }

    def test_a_new_reason_replaces_the_old_one(self) -> None:
        other = replace(self.BUTTONS, what="there is no chip")
        assert play(table(), self.BUTTONS, self.BUTTONS, other).troubles.lost_peripherals == (
            other,
        )

    def test_a_dark_picture_says_that_the_light_is_out(self) -> None:
        dark = on.DeviceLost("camera", "dark", "Switch the light on.", "dark")
        notice = view(play(table(), self.LIGHT, dark))["notice"]
        assert notice is not None
        assert notice["text"] == "The picture is dark."
        assert notice["mend"].endswith("switch the light on. Out of order: light.")

    def test_a_tray_unlike_the_learnt_one_is_told_until_it_is_well(self) -> None:
        """It is nothing out of order, and rolls count."""
        state = play(table(), on.PeripheralLost("ground", "it looks unlike", "calibrate again"))
        notice = view(state)["notice"]
        assert notice is not None
        assert notice["kind"] == "info"
        assert notice["text"].startswith("The tray looks unlike what the table learnt")
        assert "calibrate again" in notice["mend"]
        rolled = play(state, *throw_of("13446"))
        assert rolled.phase is Phase.CHOOSING
        assert view(rolled)["notice"] == notice
        with_light = view(play(state, self.LIGHT))["notice"]
        assert with_light is not None
        assert with_light["text"] == "Out of order: light."
        well = view(play(state, on.PeripheralBack("ground")))["notice"]
        assert well is not None
        assert well["text"] == "The tray looks again as the table learnt it."

    def test_it_stays_through_lobby_and_game_until_it_is_back(self) -> None:
        state = play(
            TableState(), self.LIGHT, on.GameStarted("choice", ("Ada", "Ben")), on.GameLeft()
        )
        assert state.troubles.lost_peripherals == (self.LIGHT,)
        state = play(state, on.GameContinued())
        assert state.troubles.lost_peripherals == (self.LIGHT,)
        assert view(play(state, on.PeripheralBack("light")))["notice"] is None

    def test_play_goes_on_at_the_screen(self) -> None:
        state = play(table(), self.BUTTONS, *throw_of("13446"))
        assert state.phase is Phase.CHOOSING
        assert play(state, on.KeyPressed(Key.CONFIRM)).play.position != state.play.position
