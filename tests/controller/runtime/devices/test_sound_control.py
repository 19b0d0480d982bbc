# SPDX-License-Identifier: MIT
"""How loud the table sounds by day and by night."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from controller.base.settings import NightSettings, Settings, SoundSettings
from controller.runtime.devices.sound_control import SoundControl

SOUND = SoundSettings(volume_percent=60, night_volume_percent=10)


@pytest.mark.parametrize(
    ("night", "hour", "percent"),
    [
        (NightSettings(23, 7), 22, 60),
        (NightSettings(23, 7), 23, 10),
        (NightSettings(23, 7), 6, 10),
        (NightSettings(23, 7), 7, 60),
        (NightSettings(1, 5), 0, 60),
        (NightSettings(1, 5), 4, 10),
        (NightSettings(8, 8), 8, 60),
    ],
)
def test_the_night_has_a_volume_of_its_own(night: NightSettings, hour: int, percent: int) -> None:
    at = datetime(2026, 3, 1, hour, 59, tzinfo=UTC)
    volume = SoundControl(Settings(sound=SOUND, night=night), now=lambda: at)
    assert volume.percent() == percent


def test_other_settings_count_at_once() -> None:
    volume = SoundControl(Settings(sound=SOUND, night=NightSettings(0, 0)))
    volume.change(Settings(sound=SoundSettings(volume_percent=0), night=NightSettings(0, 0)))
    assert volume.percent() == 0
