# SPDX-License-Identifier: MIT
"""
What holds for every camera: the simulated one, recordings, USB, and the Pi's own.

The Pi's is played here by a small stand-in for its library; `tests/picamera` holds the
same contract against the library itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
import pytest

from hardware.camera import Camera, CameraLostError, Exposure
from hardware.cameras.pi import PiCamera
from hardware.cameras.recording import FileCamera
from hardware.cameras.usb import Capture, UsbCamera
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
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

PATIENCE_S = 60.0
SHAPE = (SIZE_WH[1], SIZE_WH[0], 3)
EXPOSURE = Exposure(30_000, 1.5, 1.9, 1.6, 3.0)


class Rig(Protocol):
    """
    A camera on the bench, and what the test does to it from outside.

    `tells_exposure`: whether it can say how it takes pictures. `is_exact`: whether pictures come
    just as the test lets them; a camera with a pace of its own may skip some.
    """

    camera: Camera
    tells_exposure: bool
    is_exact: bool

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
    tells_exposure = True
    is_exact = True

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
    tells_exposure = False
    is_exact = True

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
    tells_exposure = True
    is_exact = True

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
    tells_exposure = True
    is_exact = True

    def __init__(self, _folder: Path) -> None:
        controls = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")
        self._rack = Rack(picture(5), controls=dict.fromkeys(controls, (0, 100_000, 0)))
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


def benched(made: Callable[[Path], Rig], folder: Path) -> Iterator[Rig]:
    """Put a camera on the bench; afterwards no thread may be left."""
    before = set(threading.enumerate())
    rig = made(folder)
    yield rig
    rig.flow()
    rig.camera.close()
    left = [thread.name for thread in set(threading.enumerate()) - before]
    assert left == []


class CameraContract:
    """What a camera promises; whoever derives from it says with a fixture `rig` which one."""

    def test_frames_have_the_promised_shape_and_colours(self, rig: Rig) -> None:
        rig.camera.open()
        rig.ready()
        image = rig.camera.frame(PATIENCE_S).image_bgr
        assert image.shape == SHAPE
        assert image.dtype == np.uint8
        assert image.flags.c_contiguous
        assert is_bgr(image) or isinstance(rig, SimulatedRig)

    def test_numbers_start_from_0_and_count_up_and_times_rise(self, rig: Rig) -> None:
        rig.camera.open()
        frames = []
        for _ in range(12):
            rig.ready()
            frames.append(rig.camera.frame(PATIENCE_S))
        numbers = [frame.number for frame in frames]
        assert numbers[0] == 0
        assert numbers == (list(range(12)) if rig.is_exact else sorted(set(numbers)))
        times_s = [frame.at_s for frame in frames]
        assert times_s == sorted(set(times_s))

    def test_pictures_of_earlier_frames_stay_as_they_were(self, rig: Rig) -> None:
        rig.camera.open()
        rig.ready()
        first = rig.camera.frame(PATIENCE_S).image_bgr
        copy = first.copy()
        for _ in range(3):
            rig.ready()
            rig.camera.frame(PATIENCE_S)
        assert np.array_equal(first, copy)

    def test_late_asker_gets_the_newest_frame_and_sees_the_gap(self, rig: Rig) -> None:
        rig.camera.open()
        rig.ready()
        before = rig.camera.frame(PATIENCE_S)
        rig.miss(5)
        rig.ready()
        late = rig.camera.frame(PATIENCE_S)
        gap = late.number - before.number
        assert gap in (5, 6) if rig.is_exact else gap >= 5
        rig.ready()
        after = rig.camera.frame(PATIENCE_S).number - late.number
        assert after == 1 if rig.is_exact else after >= 1

    def test_opened_anew_it_counts_from_0_again(self, rig: Rig) -> None:
        for _ in range(3):
            rig.camera.open()
            numbers = []
            for _ in range(2):
                rig.ready()
                numbers.append(rig.camera.frame(PATIENCE_S).number)
            assert numbers[0] == 0
            assert numbers[1] == 1 or not rig.is_exact
            rig.flow()
            rig.camera.close()

    def test_opening_an_open_camera_begins_anew(self, rig: Rig) -> None:
        rig.camera.open()
        rig.ready()
        rig.camera.frame(PATIENCE_S)
        rig.flow()
        rig.camera.open()
        rig.ready()
        assert rig.camera.frame(PATIENCE_S).number == 0

    def test_closing_twice_or_unopened_does_nothing(self, rig: Rig) -> None:
        rig.camera.close()
        rig.camera.open()
        rig.flow()
        rig.camera.close()
        rig.camera.close()

    def test_with_statement_opens_and_closes(self, rig: Rig) -> None:
        with rig.camera:
            rig.ready()
            assert rig.camera.frame(PATIENCE_S).number == 0
            rig.flow()
        with pytest.raises(CameraLostError):
            rig.camera.frame(0.01)

    def test_closed_camera_has_no_frames(self, rig: Rig) -> None:
        with pytest.raises(CameraLostError, match="closed"):
            rig.camera.frame(0.01)

    def test_lost_camera_says_what_happened_and_what_to_do(self, rig: Rig) -> None:
        rig.camera.open()
        rig.ready()
        rig.camera.frame(PATIENCE_S)
        rig.lose()
        for _ in range(2):
            with pytest.raises(CameraLostError) as told:
                rig.camera.frame(0.05)
            assert told.value.camera == rig.camera.name
            assert told.value.what
            assert told.value.mend

    def test_camera_that_came_back_is_opened_anew(self, rig: Rig) -> None:
        rig.camera.open()
        rig.lose()
        with pytest.raises(CameraLostError):
            rig.camera.frame(0.05)
        rig.bring_back()
        rig.camera.open()
        rig.ready()
        assert rig.camera.frame(PATIENCE_S).number == 0

    def test_waiting_for_a_frame_in_vain_ends(self, rig: Rig) -> None:
        rig.camera.open()
        rig.lose()
        with pytest.raises(CameraLostError):
            rig.camera.frame(0.1)
        rig.flow()

    def test_small_picture_shows_the_same_view(self, rig: Rig) -> None:
        rig.camera.open()
        rig.ready()
        frame = rig.camera.frame(PATIENCE_S)
        if frame.small_grey is None:
            return
        height, width = frame.small_grey.shape
        assert frame.small_grey.flags.c_contiguous
        assert width / height == pytest.approx(SIZE_WH[0] / SIZE_WH[1], rel=0.02)
        grey = cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY)
        small = cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA)
        alike = np.corrcoef(small.ravel(), frame.small_grey.ravel())[0, 1]
        assert alike > 0.98

    def test_exposure_that_is_set_is_read_back_from_later_pictures(self, rig: Rig) -> None:
        rig.camera.open()
        rig.camera.set_exposure(EXPOSURE)
        for _ in range(3):
            rig.ready()
            rig.camera.frame(PATIENCE_S)
        told = rig.camera.exposure()
        assert (told is not None) == rig.tells_exposure
        assert told is None or told == known_of(told, EXPOSURE)

    def test_exposure_outlives_a_loss(self, rig: Rig) -> None:
        rig.camera.set_exposure(EXPOSURE)
        rig.camera.open()
        rig.lose()
        with pytest.raises(CameraLostError):
            rig.camera.frame(0.05)
        rig.bring_back()
        rig.camera.open()
        rig.ready()
        rig.camera.frame(PATIENCE_S)
        told = rig.camera.exposure()
        assert told is None or told == known_of(told, EXPOSURE)

    def test_exposure_may_be_left_to_the_camera_again(self, rig: Rig) -> None:
        rig.camera.open()
        rig.camera.set_exposure(EXPOSURE)
        rig.camera.set_exposure(None)
        rig.ready()
        rig.camera.frame(PATIENCE_S)
        told = rig.camera.exposure()
        assert told is None or told.exposure_us != EXPOSURE.exposure_us


def known_of(told: Exposure, wanted: Exposure) -> Exposure:
    """Return of a wanted exposure what this camera knows; it tells 0 for the rest."""
    known = {field.name: getattr(wanted, field.name) for field in fields(wanted)}
    return Exposure(**{name: getattr(told, name) and value for name, value in known.items()})


@pytest.fixture(params=RIGS, ids=lambda rig: rig.__name__.removesuffix("Rig").lower())
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    """Each camera in turn."""
    yield from benched(request.param, tmp_path)


class TestEveryCamera(CameraContract):
    """The promises, of every driver."""
