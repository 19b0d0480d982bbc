# SPDX-License-Identifier: MIT
"""A camera is kept open; a loss is told first and tried again with growing pauses."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import pytest

from controller.runtime.camera_thread import LOOK_EVERY_S, QUIET_PAUSE_S, CameraThread
from controller.runtime.frame_events import FrameEvents
from controller.runtime.monitoring.health import HealthMonitor
from controller.runtime.picture_recorder import PictureRecorder, RecentPictures
from controller.table.events import DeviceBack, DeviceLost, DiceRead, Event
from hardware.camera import Camera, CameraLostError
from vision.frame import Frame, Image
from vision.reading import TrayReading

END = "end"
LOST = "lost"
FROZEN = "frozen"


class ScriptOverError(Exception):
    """A script ends the run, which only the end of the table does otherwise."""


class EmptyTray:
    """A reader that never finds a die."""

    def read(self, image_bgr: Image, *, expect: int | None = None) -> TrayReading:
        return TrayReading((), ())


class ScriptedCamera(Camera):
    """Does at every opening what it is told: so many frames, all one or not, and then what."""

    def __init__(self, story: list[str], openings: Sequence[tuple[int, str]]) -> None:
        self._story = story
        self._openings = iter(openings)
        self._left, self._then = 0, END
        self._number = -1
        self._noise = np.random.default_rng(1)
        self.timeouts_s: list[float] = []
        self.replaced_after = 0  # The opening in whose pause another camera is chosen.

    @property
    def is_replaced(self) -> bool:
        return self._story.count("open") == self.replaced_after and self._story[-1] == "pause"

    @property
    def name(self) -> str:
        return "scripted"

    def open(self) -> None:
        self._story.append("open")
        self._number = -1
        self._left, self._then = next(self._openings)
        if self._left == 0 and self._then == LOST:
            raise self._lost()

    def frame(self, timeout_s: float) -> Frame:
        self.timeouts_s.append(timeout_s)
        if not self._left:
            if self._then == LOST:
                raise self._lost()
            raise ScriptOverError
        self._left -= 1
        self._number += 1
        image = 90 + self._noise.integers(0, 20, (36, 64, 3))
        if self._then == FROZEN:
            image = np.tile([[[90, 91, 92]]], (36, 64, 1))
        return Frame(image.astype(np.uint8), self._number / 10, self._number)

    def close(self) -> None:
        self._story.append("close")

    def _lost(self) -> CameraLostError:
        return CameraLostError(camera=self.name, what="the cable is out", mend="plug it in")


class Table:
    def __init__(self, *openings: tuple[int, str]) -> None:
        self.story: list[str] = []
        self.camera = ScriptedCamera(self.story, openings)
        self.pauses_s: list[float] = []
        self.feed = CameraThread(
            self.camera,
            FrameEvents(EmptyTray(), PictureRecorder(RecentPictures())),
            monitor=HealthMonitor(),
            send=self._send,
            wait=self._wait,
        )

    def _send(self, event: Event) -> None:
        if isinstance(event, DeviceLost | DeviceBack | DiceRead):
            self.story.append(type(event).__name__)

    def _wait(self, seconds: float) -> bool:
        if self.story[-1:] == ["pause"] and seconds not in (0.0, QUIET_PAUSE_S):
            self.pauses_s[-1] += seconds  # the same pause goes on
        elif seconds > 0.0:
            self.story.append("pause")
            self.pauses_s.append(seconds)
        return False

    def run(self) -> None:
        with pytest.raises(ScriptOverError):
            self.feed.run()


def test_a_loss_is_told_before_the_camera_is_closed() -> None:
    table = Table((10, LOST), (0, END))
    table.run()
    assert table.story == ["open", "DiceRead", "DeviceLost", "close", "pause", "open", "close"]


def test_pauses_grow_from_2_to_20_s_and_one_loss_is_reported() -> None:
    table = Table(*[(0, LOST)] * 7, (0, END))
    table.run()
    assert table.pauses_s == [2.0, 4.0, 8.0, 16.0, 20.0, 20.0, 20.0]
    assert table.story.count("DeviceLost") == 1


def test_a_choice_ends_the_pause_and_the_next_are_short() -> None:
    table = Table(*[(0, LOST)] * 6, (0, END))
    table.camera.replaced_after = 4
    table.run()
    assert table.pauses_s == [2.0, 4.0, 8.0, LOOK_EVERY_S, 2.0, 4.0]


def test_a_returned_camera_is_reported_and_resets_the_pauses() -> None:
    table = Table((0, LOST), (0, LOST), (20, LOST), (0, LOST), (0, END))
    table.run()
    assert table.pauses_s == [2.0, 4.0, 2.0, 4.0]
    story = [word for word in table.story if word.startswith("Device")]
    assert story == ["DeviceLost", "DeviceBack", "DeviceLost"]


def test_a_frame_or_two_are_no_camera_that_is_back() -> None:
    table = Table((0, LOST), (3, LOST), (0, END))
    table.run()
    assert table.pauses_s == [2.0, 4.0]
    assert "DeviceBack" not in table.story


def test_a_frozen_camera_is_reopened_until_it_shows_new_pictures() -> None:
    table = Table((30, FROZEN), (30, FROZEN), (30, END))
    table.run()
    again = ["close", "pause", "open"]
    back = ["DeviceBack", "DiceRead", "close"]
    assert table.story == ["open", "DeviceLost", *again, *again, *back]
    assert table.pauses_s == [2.0, 4.0]


def test_only_the_first_picture_after_an_opening_may_take_long() -> None:
    table = Table((2, LOST), (0, END))
    table.run()
    first_s, usual_s = 5.0, 1.2
    assert table.camera.timeouts_s == [first_s, usual_s, usual_s, first_s]


def test_a_quiet_tray_is_looked_at_less_often() -> None:
    table = Table((80, END))
    table.run()
    # The pictures are a tenth of a second apart.
    assert 20 < len(table.pauses_s) < 30
    assert set(table.pauses_s) == {QUIET_PAUSE_S}
    assert table.story[-2:] == ["pause", "close"]


class HangingCamera(ScriptedCamera):
    """Hangs in its first opening until somebody says that it does."""

    def __init__(self, story: list[str]) -> None:
        super().__init__(story, [(20, END)])
        self.is_told = threading.Event()

    def open(self) -> None:
        assert self.is_told.wait(60.0), "nobody was told that the camera does not open"
        super().open()


def test_a_driver_that_hangs_while_opening_is_reported() -> None:
    told: list[Event] = []
    camera = HangingCamera([])

    def send(event: Event) -> None:
        told.append(event)
        camera.is_told.set()

    watch = FrameEvents(EmptyTray(), PictureRecorder(RecentPictures()))
    feed = CameraThread(
        camera,
        watch,
        monitor=HealthMonitor(),
        send=send,
        wait=lambda seconds: False,
        open_timeout_s=0.01,
    )
    with pytest.raises(ScriptOverError):
        feed.run()
    lost, back = (event for event in told if isinstance(event, DeviceLost | DeviceBack))
    assert isinstance(lost, DeviceLost)
    assert lost.what == "it does not open, its driver hangs"
    assert isinstance(back, DeviceBack)
