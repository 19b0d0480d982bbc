# SPDX-License-Identifier: MIT
"""How loud the table sounds now, and what it calls aloud."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from controller.base.settings import NightSettings, Settings, SoundSettings
from controller.runtime.devices.spoken import describe_spoken
from controller.table.effects import SoundCue
from controller.table.state import TableState


def _read_local_clock() -> datetime:
    return datetime.now().astimezone()


class SoundControl:
    """
    The sounds by the settings and the clock; may be used from any thread.

    Args:
        settings: The settings of the table.
        now: Returns the local time.
    """

    def __init__(
        self, settings: Settings | None = None, now: Callable[[], datetime] = _read_local_clock
    ) -> None:
        self._now = now
        self.change(settings or Settings())

    def change(self, settings: Settings) -> None:
        """Use other settings from now on."""
        self._keys: tuple[SoundSettings, NightSettings] = (settings.sound, settings.night)

    def percent(self) -> int:
        """Return the volume, 0 to 100; 0 is silence."""
        sound, night = self._keys
        is_night = night.is_night(self._now().hour)
        return sound.night_volume_percent if is_night else sound.volume_percent

    def describe_spoken(self, before: TableState, after: TableState, cue: SoundCue) -> str:
        """Return what is called aloud with a sound; empty for nothing."""
        sound, _ = self._keys
        return describe_spoken(before, after, cue) if sound.call_aloud else ""
