# SPDX-License-Identifier: MIT
"""The result of a round of Black'n'White stays until a press, a throw or a timer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.runtime.devices.round_timer import RoundTimer
from controller.table import events as on
from controller.table.events import Event, Key
from controller.table.state import Phase, TableState
from hardware.clock import SteppedClock
from tests.support.table import CONFIRM, dice_of, play, rest_of, table, view

ENDED = {
    "number": 1,
    "text": "Ben was lowest with 21 and takes a chip.",
    "marked": "Ben",
    "chips": 1,
    "results": [("Ada", "65"), ("Ben", "21")],
}


def throw(spot: int, white: int, black: int) -> tuple[Event, ...]:
    first, second = dice_of(f"{white}{black}", spot=spot)
    return rest_of(replace(first, polarity="light"), replace(second, polarity="dark"))


@pytest.fixture
def ended() -> TableState:
    """A table where Ada had 65 with one throw and Ben 21."""
    state = play(table("Ada", "Ben", game="black-n-white"), *throw(0, 6, 5))
    state = play(state, on.ActionRequested("Ada", "stop"), on.ActionRequested("Ada", "tens white"))
    return play(state, *throw(1, 2, 1))


def test_a_round_shows_what_everybody_had_until_a_press(ended: TableState) -> None:
    shown = view(ended)
    assert shown["ended_round"] == ENDED
    assert shown["buttons"]["confirm"] == "continue"
    after = play(ended, CONFIRM)
    assert view(after)["ended_round"] is None
    assert view(after)["buttons"]["confirm"] is None
    assert (after.play.position, after.phase) == (ended.play.position, Phase.AWAITING_ROLL)
    assert play(after, CONFIRM) is after


@pytest.mark.parametrize(
    "press", [on.KeyPressed(Key.CONFIRM, 2), on.KeyPressed(Key.CONFIRM, by="Ada")]
)
def test_every_player_may_go_on_at_their_own_buttons(
    ended: TableState, press: on.KeyPressed
) -> None:
    assert view(play(ended, press))["ended_round"] is None


def test_a_throw_ends_it_and_an_undo_keeps_its_meaning(ended: TableState) -> None:
    assert view(play(ended, throw(2, 3, 3)[0]))["ended_round"] is None
    assert view(play(ended, *throw(2, 3, 3)))["ended_round"] is None
    assert view(play(ended, on.UndoRequested()))["ended_round"] in (None, ENDED)


def test_the_timer_ends_the_round_that_it_saw_and_no_other(ended: TableState) -> None:
    clock, sent = SteppedClock(), list[Event]()
    timer = RoundTimer(clock, shown_s=8)
    timer.connect(sent.append)
    timer.on_state(ended)
    clock.wait_s(7.9)
    timer.on_idle()
    assert sent == []
    clock.wait_s(0.2)
    timer.on_idle()
    assert sent == [on.RoundSeen(1)]
    assert view(play(ended, *sent))["ended_round"] is None
    assert play(ended, on.RoundSeen(2)) is ended
    timer.on_state(play(ended, *sent))
    sent.clear()
    timer.on_idle()
    assert sent == []
    patient = RoundTimer(clock, shown_s=0)
    patient.connect(sent.append)
    patient.on_state(ended)
    clock.wait_s(3600)
    patient.on_idle()
    assert sent == []
