# SPDX-License-Identifier: MIT
"""What holds for every camera: the simulated one, recordings, USB, and the Pi's own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest

from hardware.camera import Camera, CameraLostError
from hardware.clock import SteppedClock
from hardware.file_camera import FileCamera
from hardware.pi_camera import PiCamera
from hardware.simulated.camera import SimulatedCamera
from hardware.usb_camera import Capture, UsbCamera
from tests.support.fake_picamera2 import Rack
from tests.support.recorded import (
    FPS,
    SIZE_WH,
    TappedCapture,
    is_bgr,
    picture,
    write_pictures,
    write_video,
)

SHAPE = (SIZE_WH[1], SIZE_WH[0], 3)


class Rig(Protocol):
    """A camera on the bench, and what the test does to it from outside."""

    camera: Camera

    def ready(self) -> None:
        """See that a next picture comes."""

    def miss(self, count: int) -> None:
        """Let this many pictures pass by unseen."""

    def lose(self) -> None:
        """Take the camera away."""

    def bring_back(self) -> None:
        """Put it where it was."""

    def flow(self) -> None:
        """Let pictures come by themselves from now on."""


class SimulatedRig:
    def __init__(self, _folder: Path) -> None:
        self._clock = SteppedClock()
        self._camera = SimulatedCamera(self._clock, seed=7, size_wh=SIZE_WH, fps=FPS)
        self.camera: Camera = self._camera

    def ready(self) -> None: ...

    def flow(self) -> None: ...

    def miss(self, count: int) -> None:
        self._clock.wait_s((count + 0.5) / FPS)

    def lose(self) -> None:
        self._camera.set_fault("gone")

    def bring_back(self) -> None:
        self._camera.set_fault(None)


class FileRig:
    def __init__(self, folder: Path) -> None:
        self._clock = SteppedClock()
        self._path = write_pictures(folder / "recording", 9)
        self.camera: Camera = FileCamera(self._path, fps=FPS, clock=self._clock)

    def ready(self) -> None: ...

    def flow(self) -> None: ...

    def miss(self, count: int) -> None:
        self._clock.wait_s((count + 0.5) / FPS)

    def lose(self) -> None:
        self._path.rename(self._path.with_name("elsewhere"))

    def bring_back(self) -> None:
        self._path.with_name("elsewhere").rename(self._path)


class VideoRig(FileRig):
    def __init__(self, folder: Path) -> None:
        self._clock = SteppedClock()
        self._path = write_video(folder / "recording.avi", 9)
        self.camera: Camera = FileCamera(self._path, clock=self._clock)

    def lose(self) -> None:
        super().lose()
        with suppress(CameraLostError):  # an open file is read on until it is to begin anew
            for _ in range(9):
                self.camera.frame(1.0)


class UsbRig:
    def __init__(self, folder: Path) -> None:
        self._path = write_video(folder / "recording.avi", 9)
        self._is_plugged = True
        self._captures: list[TappedCapture] = []
        self.camera: Camera = UsbCamera(0, size_wh=SIZE_WH, fps=FPS, open_capture=self._open)

    def _open(self, _source: int | str) -> Capture:
        path = self._path if self._is_plugged else self._path.with_name("nothing")
        self._captures.append(TappedCapture(path))
        return self._captures[-1]

    def ready(self) -> None:
        self._captures[-1].let_out(1)

    def miss(self, count: int) -> None:
        self._captures[-1].let_out(count)

    def lose(self) -> None:
        self._is_plugged = False
        self._captures[-1].unplug()

    def bring_back(self) -> None:
        self._is_plugged = True

    def flow(self) -> None:
        for capture in self._captures:
            capture.flow()


class PiRig:
    def __init__(self, _folder: Path) -> None:
        self._rack = Rack(picture(5))
        self.camera: Camera = PiCamera(
            0, size_wh=SIZE_WH, fps=FPS, open_device=self._rack.open_device
        )

    def ready(self) -> None: ...

    def flow(self) -> None: ...

    def miss(self, count: int) -> None:
        self._rack.sequence += count

    def lose(self) -> None:
        self._rack.is_cable_out = True

    def bring_back(self) -> None:
        self._rack.is_cable_out = False


RIGS = [SimulatedRig, FileRig, VideoRig, UsbRig, PiRig]


@pytest.fixture(params=RIGS, ids=lambda rig: rig.__name__.removesuffix("Rig").lower())
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    """Each camera in turn; afterwards no thread may be left."""
    before = set(threading.enumerate())
    made: Rig = request.param(tmp_path)
    yield made
    made.flow()
    made.camera.close()
    left = [thread.name for thread in set(threading.enumerate()) - before]
    assert left == []


def test_frames_have_the_promised_shape_and_colours(rig: Rig) -> None:
    rig.camera.open()
    rig.ready()
    image = rig.camera.frame(5.0).image_bgr
    assert image.shape == SHAPE
    assert image.dtype == np.uint8
    assert image.flags.c_contiguous
    assert is_bgr(image) or isinstance(rig, SimulatedRig)


def test_numbers_start_from_0_and_count_up_and_times_rise(rig: Rig) -> None:
    rig.camera.open()
    frames = []
    for _ in range(12):
        rig.ready()
        frames.append(rig.camera.frame(5.0))
    assert [frame.number for frame in frames] == list(range(12))
    times_s = [frame.at_s for frame in frames]
    assert times_s == sorted(set(times_s))


def test_pictures_of_earlier_frames_stay_as_they_were(rig: Rig) -> None:
    rig.camera.open()
    rig.ready()
    first = rig.camera.frame(5.0).image_bgr
    copy = first.copy()
    for _ in range(3):
        rig.ready()
        rig.camera.frame(5.0)
    assert np.array_equal(first, copy)


def test_late_asker_gets_the_newest_frame_and_sees_the_gap(rig: Rig) -> None:
    rig.camera.open()
    rig.ready()
    before = rig.camera.frame(5.0)
    rig.miss(5)
    rig.ready()
    late = rig.camera.frame(5.0)
    assert late.number - before.number in (5, 6)
    rig.ready()
    assert rig.camera.frame(5.0).number == late.number + 1


def test_opened_anew_it_counts_from_0_again(rig: Rig) -> None:
    for _ in range(3):
        rig.camera.open()
        for number in range(2):
            rig.ready()
            assert rig.camera.frame(5.0).number == number
        rig.flow()
        rig.camera.close()


def test_opening_an_open_camera_begins_anew(rig: Rig) -> None:
    rig.camera.open()
    rig.ready()
    rig.camera.frame(5.0)
    rig.flow()
    rig.camera.open()
    rig.ready()
    assert rig.camera.frame(5.0).number == 0


def test_closing_twice_or_unopened_does_nothing(rig: Rig) -> None:
    rig.camera.close()
    rig.camera.open()
    rig.flow()
    rig.camera.close()
    rig.camera.close()


def test_with_statement_opens_and_closes(rig: Rig) -> None:
    with rig.camera:
        rig.ready()
        assert rig.camera.frame(5.0).number == 0
        rig.flow()
    with pytest.raises(CameraLostError):
        rig.camera.frame(0.01)


def test_closed_camera_has_no_frames(rig: Rig) -> None:
    with pytest.raises(CameraLostError, match="closed"):
        rig.camera.frame(0.01)


def test_lost_camera_says_what_happened_and_what_to_do(rig: Rig) -> None:
    rig.camera.open()
    rig.ready()
    rig.camera.frame(5.0)
    rig.lose()
    for _ in range(2):
        with pytest.raises(CameraLostError) as told:
            rig.camera.frame(0.05)
        assert told.value.camera == rig.camera.name
        assert told.value.what
        assert told.value.mend


def test_camera_that_came_back_is_opened_anew(rig: Rig) -> None:
    rig.camera.open()
    rig.lose()
    with pytest.raises(CameraLostError):
        rig.camera.frame(0.05)
    rig.bring_back()
    rig.camera.open()
    rig.ready()
    assert rig.camera.frame(5.0).number == 0
