# SPDX-License-Identifier: MIT
"""What is heard of a game: one sound at the most for each thing that happens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.base.settings.choices import Confirm
from controller.table import events as on
from controller.table.effects import choose_sound
from controller.table.events import PLACED, Event, Key
from controller.table.state import TableState
from tests.support.table import (
    CONFIRM,
    LEFT,
    RIGHT,
    doubtful_throw,
    finished_table,
    play,
    rest_of,
    rolled_table,
    table,
    throw_of,
    thrown,
)

LOST = on.DeviceLost("camera", "The camera is gone.", "Plug it in.")


def heard(state: TableState, *events: Event) -> list[str]:
    sounds = []
    for event in events:
        after = play(state, event)
        if sound := choose_sound(state, after):
            sounds.append(sound.value)
        state = after
    return sounds


def test_a_roll_that_is_taken_is_heard_once() -> None:
    assert heard(table(), *throw_of("13446")) == ["roll taken"]


def test_a_roll_sounds_when_it_is_confirmed() -> None:
    state = table(confirm=Confirm.BUTTON)
    assert heard(state, *throw_of("13446")) == []
    assert heard(play(state, *throw_of("13446")), CONFIRM) == ["roll taken"]


def test_a_game_begins_with_the_bell() -> None:
    assert heard(TableState(), CONFIRM) == ["bell"]


def test_everyone_after_the_first_player_is_called() -> None:
    assert heard(rolled_table("13446", "Ada", "Ben"), CONFIRM) == ["your turn"]


def test_a_choice_of_who_plays_alone_is_no_new_turn() -> None:
    assert heard(rolled_table("13446", "Ada"), CONFIRM) == ["choice"]


def test_showing_choices_plays_no_sound() -> None:
    state = rolled_table("13446", "Ada", "Ben")
    assert heard(state, RIGHT, on.KeyPressed(Key.RIGHT, 2), on.KeyPressed(Key.RIGHT, 1)) == []


def test_every_doubt_is_heard_once() -> None:
    assert heard(table(), *doubtful_throw(), *doubtful_throw(spot=1)) == ["doubt", "doubt"]
    state = play(table(), *doubtful_throw())
    assert heard(state, doubtful_throw(spot=2)[-1]) == []


def test_a_die_that_a_hand_set_is_a_doubt() -> None:
    first, *others = thrown("13446")
    assert heard(table(), *rest_of(replace(first, origin=PLACED), *others)) == ["doubt"]


def test_a_lost_camera_is_heard_and_its_coming_back_is_not() -> None:
    assert heard(table(), LOST, on.DeviceBack("camera"), CONFIRM) == ["doubt"]
    assert heard(TableState(), LOST) == ["doubt"]


def test_the_end_is_heard_once_and_again_when_it_was_taken_back() -> None:
    over = finished_table("Ada")
    assert heard(over, LOST, on.DeviceBack("camera"), LEFT, on.GameClosed()) == ["doubt"]
    assert heard(play(over, on.UndoRequested()), CONFIRM) == ["end"]


@pytest.mark.parametrize(
    "events", [(on.MotionStarted(),), (RIGHT,), (on.PauseRequested(), CONFIRM)]
)
def test_what_is_no_news_is_not_heard(events: tuple[Event, ...]) -> None:
    assert heard(rolled_table("13446"), *events) == []
