# SPDX-License-Identifier: MIT
"""The parts that the pages show to people who do not play yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypedDict

from controller.appliance.welcome.demonstration import DemonstrationGames
from controller.appliance.welcome.guide_memory import GuideMemory
from controller.appliance.welcome.idle_timer import IdleTimer
from controller.base.settings import Settings
from controller.runtime.event_loop import LoopObserver
from controller.table.events import Event
from hardware.clock import Clock


class NightView(TypedDict):
    """
    The hours in which the demonstration is darker, and how bright it is then.

    The night is from `from_hour` until `to_hour` begins; the same hour twice is no night.
    """

    from_hour: int
    to_hour: int
    percent: int


@dataclass(frozen=True, slots=True)
class WelcomeParts:
    """
    What the idle screen and the guide need; every part may be used from any thread.

    Attributes:
        guide: Whether the guide is offered.
        games: The demonstration games.
        idle: Decides when the demonstration begins, and knows the settings as they apply now.
        is_calibrated: Returns whether the tray is calibrated.
    """

    guide: GuideMemory
    games: DemonstrationGames
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
