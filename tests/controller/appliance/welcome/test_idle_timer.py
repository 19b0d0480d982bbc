# SPDX-License-Identifier: MIT
"""When the demonstration begins, and what ends it."""

from __future__ import annotations

import pytest

from controller.appliance.welcome.parts import IdleTimer
from controller.base.settings import IdleSettings, Settings
from controller.table import events as on
from controller.table.events import Event, Key
from controller.table.state import Phase, TableState
from hardware.clock import SteppedClock
from tests.support.table import CONFIRM, dice_of, journalled, lobby_of, play, table, view

IDLE = play(lobby_of("Ada", "Ben"), on.ScreenIdled())


class FollowedTable:
    def __init__(self, minutes: int, state: TableState | None = None) -> None:
        self.clock, self.state = SteppedClock(), state or TableState()
        self.timer = IdleTimer(self.clock, Settings(idle=IdleSettings(minutes=minutes)))
        self.timer.connect(self.happen)
        self.timer.on_state(self.state)

    def happen(self, event: Event) -> None:
        self.timer.on_event(event)
        self.state = play(self.state, event)
        self.timer.on_state(self.state)

    def wait(self, minutes: float) -> bool:
        """Let time pass; return whether the screen is idle then."""
        self.clock.wait_s(minutes * 60)
        self.timer.on_idle()
        return self.state.is_idle


def test_lobby_becomes_idle_after_its_minutes() -> None:
    followed = FollowedTable(minutes=5)
    assert not followed.wait(4.9)
    assert followed.wait(0.2)
    followed.happen(on.ScreenTouched())
    assert not followed.wait(4.9)
    assert followed.wait(0.2)


@pytest.mark.parametrize("event", [on.MotionStarted(), on.KeyPressed(Key.LEFT), on.ScreenTouched()])
def test_every_use_starts_the_time_again(event: Event) -> None:
    followed = FollowedTable(minutes=5)
    followed.wait(4.9)
    followed.happen(event)
    assert not followed.wait(4.9)


def test_zero_minutes_mean_never_until_settings_change() -> None:
    followed = FollowedTable(minutes=0)
    assert not followed.wait(10_000)
    followed.timer.change(Settings(idle=IdleSettings(minutes=1)))
    assert followed.wait(0)


def test_game_and_fault_never_become_idle() -> None:
    assert not FollowedTable(5, table()).wait(100)
    lost = on.DeviceLost("camera", "It is gone.", "Plug it in.", kind="gone")
    assert not FollowedTable(5, play(TableState(), lost)).wait(100)
    stuck = play(TableState(), on.ButtonStuck(Key.LEFT))
    followed = FollowedTable(5, stuck)
    assert not followed.wait(100)
    assert view(followed.state)["notice"] is not None


@pytest.mark.parametrize("event", [CONFIRM, on.MotionStarted(), on.ScreenTouched()])
def test_first_press_only_wakes_the_screen(event: Event) -> None:
    assert view(IDLE)["idle"]
    after, entries = journalled(IDLE, event)
    assert (after, entries) == (lobby_of("Ada", "Ben"), ())


def test_what_happens_elsewhere_counts_and_wakes() -> None:
    started = play(IDLE, on.StartRequested())
    assert (started.phase, started.is_idle) == (Phase.AWAITING_ROLL, False)
    dice = play(IDLE, on.DiceRead(dice_of("1346")))
    assert (len(dice.dice_on_felt), dice.is_idle) == (4, False)
    lost = play(IDLE, on.DeviceLost("camera", "It is gone.", "Plug it in.", kind="gone"))
    assert (lost.phase, lost.is_idle) == (Phase.FAULT, False)
