# SPDX-License-Identifier: MIT
"""The parts that the pages show to people who do not play yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypedDict

from controller.appliance.welcome.demonstration import DemonstrationGames
from controller.appliance.welcome.guide_memory import GuideMemory
from controller.base.settings import Settings
from controller.runtime.event_loop import LoopObserver
from controller.table.events import Event, ScreenIdled
from controller.table.state import Phase, TableState
from hardware.clock import Clock

SECONDS_PER_MINUTE = 60


class NightView(TypedDict):
    """The hours in which the demonstration is darker; the same hour twice is no night."""

    from_hour: int
    to_hour: int
    percent: int


class IdleTimer(LoopObserver):
    """Begins the demonstration after some minutes without a press, a motion or another event."""

    def __init__(self, clock: Clock, settings: Settings) -> None:
        self.settings = settings
        self._clock = clock
        self._send: Callable[[Event], None] = lambda event: None
        self._is_awake_in_lobby = False
        self._since_s = clock.now_s()

    def connect(self, send: Callable[[Event], None]) -> None:
        """Send the ends of the time there from now on."""
        self._send = send

    def change(self, settings: Settings) -> None:
        """Use other settings from now on."""
        self.settings = settings

    def on_event(self, event: Event) -> None:
        self._since_s = self._clock.now_s()

    def on_state(self, state: TableState) -> None:
        """Note whether the screen may become idle."""
        self._is_awake_in_lobby = state.phase is Phase.LOBBY and not state.is_idle

    def on_idle(self) -> None:
        """End the time; a table that must show something else refuses, and is asked again later."""
        limit_s = self.settings.idle.minutes * SECONDS_PER_MINUTE
        if limit_s and self._is_awake_in_lobby and self._clock.now_s() - self._since_s >= limit_s:
            self._since_s = self._clock.now_s()
            self._send(ScreenIdled())


@dataclass(frozen=True, slots=True)
class WelcomeParts:
    """What the idle screen and the guide need; every part may be used from any thread."""

    guide: GuideMemory
    games: DemonstrationGames
    # Decides when the demonstration begins, and knows the settings as they apply now.
    idle: IdleTimer
    is_calibrated: Callable[[], bool]

    @property
    def observers(self) -> tuple[LoopObserver, ...]:
        """What follows the table's loop."""
        return self.idle, self.guide

    def connect(self, send: Callable[[Event], None], *, has_rolls: bool) -> None:
        """Send events there from now on; `has_rolls` says whether the journal has a roll."""
        self.idle.connect(send)
        self.guide.note_journal(has_rolls)

    def show_night(self) -> NightView:
        night, idle = self.idle.settings.night, self.idle.settings.idle
        percent = idle.night_brightness_percent
        return {"from_hour": night.from_hour, "to_hour": night.to_hour, "percent": percent}


def create_welcome(
    settings: Settings, clock: Clock, is_calibrated: Callable[[], bool]
) -> WelcomeParts:
    """Create the parts for one data folder; connect them once its table is open."""
    folder = settings.data.folder
    games, idle = DemonstrationGames(folder), IdleTimer(clock, settings)
    return WelcomeParts(GuideMemory(folder), games, idle, is_calibrated)
