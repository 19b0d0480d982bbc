# SPDX-License-Identifier: MIT
"""What the service page tells of a reading is what the reader says, and how it came to it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from controller.appliance.live_readings import LiveReadings
from controller.base.errors import UnavailableError
from controller.base.languages.message import Message
from controller.runtime.calibration.active import ActiveCalibration
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.pose import DieKind
from vision.frame import Frame, Image


def throw_two_dice() -> Image:
    clock = SteppedClock()
    with SimulatedCamera(clock, seed=1, dice=(DieKind.WHITE,) * 2) as camera:
        clock.wait_s(3.0)
        return camera.frame(1.0).image_bgr


TWO_DICE = throw_two_dice()
"""A two and a four."""


class Tray:
    """A tray whose newest picture and number of dice the test sets."""

    def __init__(self) -> None:
        self.frame: Frame | None = Frame(TWO_DICE, 1.0, 41)
        self.wanted = 2
        self.live = ActiveCalibration()
        self.readings = LiveReadings(self.live, lambda: self.frame, lambda: self.wanted)


@pytest.fixture(scope="module")
def tray() -> Tray:
    return Tray()


def test_the_newest_picture_is_read_with_number_and_stages(tray: Tray) -> None:
    reading = tray.readings.read_newest()
    assert (reading["frame"], reading["status"]) == (41, "read")
    assert sorted(die["face"] for die in reading["dice"]) == [2, 4]
    assert reading["picture_wh"] == (TWO_DICE.shape[1], TWO_DICE.shape[0])
    assert {"finder", "opinions"} <= {stage["stage"] for stage in reading["stages"]}


def test_a_picture_is_read_once_however_many_ask(tray: Tray) -> None:
    assert tray.readings.read_newest() is tray.readings.read_newest()


def test_a_doubt_is_told_with_its_kind(tray: Tray) -> None:
    tray.wanted, tray.frame = 3, Frame(TWO_DICE, 2.0, 42)
    (doubt,) = tray.readings.read_newest()["doubts"]
    assert doubt["kind"] == "count"
    assert isinstance(doubt["text"], Message), "a text of every language"
    tray.wanted = 2


def test_only_the_last_traces_pictures_stay_in_memory(
    tray: Tray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    first, second = tray.readings.make_trace(), tray.readings.make_trace()
    assert {"1-finder", "2-tiles", "3-reading"} <= set(second["pictures"])
    assert list(tmp_path.iterdir()) == []
    picture = tray.readings.trace_picture(second["number"], "3-reading")
    assert picture is not None
    assert picture.startswith(b"\x89PNG")
    assert tray.readings.trace_picture(first["number"], "3-reading") is None
    assert tray.readings.trace_picture(second["number"], "5-none") is None


def test_before_the_first_picture_there_is_nothing_to_tell() -> None:
    tray = Tray()
    tray.frame = None
    assert tray.readings.read_newest()["status"] == ""
    with pytest.raises(UnavailableError, match="a picture"):
        tray.readings.make_trace()


def test_while_the_light_is_fixed_nothing_is_read() -> None:
    tray = Tray()
    with tray.live.suspend():
        assert tray.readings.read_newest()["status"] == "unsure"
        assert tray.readings.make_trace()["pictures"] == []
