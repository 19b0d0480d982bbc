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
    lobby_of,
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


ALONE, TWO = rolled_table("13446", "Ada"), rolled_table("13446", "Ada", "Ben")
BUTTON, OVER = table(confirm=Confirm.BUTTON), finished_table("Ada")
FIRST, *OTHERS = thrown("13446")
BACK_AGAIN = on.DeviceBack("camera")


@pytest.mark.parametrize(
    ("state", "events", "sounds"),
    [
        (table(), throw_of("13446"), ["roll taken"]),
        (BUTTON, throw_of("13446"), []),
        (BUTTON, (*throw_of("13446"), CONFIRM), ["roll taken"]),
        (lobby_of("Ada", "Ben"), (CONFIRM,), ["bell"]),
        (TWO, (CONFIRM,), ["your turn"]),
        (ALONE, (CONFIRM,), ["choice"]),
        (TWO, (RIGHT, on.KeyPressed(Key.RIGHT, 2), on.KeyPressed(Key.RIGHT, 1)), []),
        (table(), (*doubtful_throw(), *doubtful_throw(spot=1)), ["doubt", "doubt"]),
        (table(), (*doubtful_throw(), doubtful_throw(spot=2)[-1]), ["doubt"]),
        (table(), rest_of(replace(FIRST, origin=PLACED), *OTHERS), ["doubt"]),
        (table(), (LOST, BACK_AGAIN, CONFIRM), ["doubt"]),
        (TableState(), (LOST,), ["doubt"]),
        (OVER, (LOST, BACK_AGAIN, LEFT, on.GameClosed()), ["doubt"]),
        (play(OVER, on.UndoRequested()), (CONFIRM,), ["end"]),
        (TWO, (on.MotionStarted(),), []),
        (TWO, (on.PauseRequested(), CONFIRM), []),
    ],
)
def test_each_thing_that_happens_is_heard_once(
    state: TableState, events: tuple[Event, ...], sounds: list[str]
) -> None:
    assert heard(state, *events) == sounds
