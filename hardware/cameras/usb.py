# SPDX-License-Identifier: MIT
"""
Read a USB camera through OpenCV.

A webcam buffers a few pictures, so a slow caller would get old ones. A thread takes every
picture and keeps the newest whole one. It owns the device until its release: after a cable is
pulled, OpenCV may hang for many seconds, and then only this thread hangs. Webcams report exposure
time in microseconds, gain and focus in their own units, and no white balance gains.
"""

from __future__ import annotations

import fcntl
import os
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol, cast

import cv2
import numpy as np

from hardware.camera import Camera, CameraLostError, Exposure, without_flicker
from hardware.clock import Clock, MonotonicClock
from vision.decoding.errors import DamagedError
from vision.decoding.jpeg import decode_jpeg
from vision.frame import Frame, Image

_CLOSING_S = 2.0
_PLUG = "plug the camera in again"
_CABLE = "use another cable or USB port, without a hub"
_MJPG = cv2.VideoWriter.fourcc(*"MJPG")
_READ_BACK_EVERY = 30  # Pictures between two times that the exposure is read back.

# As Video4Linux counts: manual exposure is 1, automatic 3; times in 100 microseconds.
_MANUAL, _AUTOMATIC, _TICK_US = 1.0, 3.0, 100.0

# Of linux/videodev2.h and linux/v4l2-controls.h.
_SET_CONTROL, _AUTOGAIN = 0xC008561C, 0x00980912


class Capture(Protocol):
    """The used part of `cv2.VideoCapture`, and what that lacks."""

    def set_autogain(self, *, is_on: bool) -> None: ...
    def isOpened(self) -> bool: ...
    def set(self, propId: int, value: float, /) -> bool: ...
    def get(self, propId: int, /) -> float: ...
    def grab(self) -> bool: ...
    def retrieve(self) -> tuple[bool, Image | None]: ...
    def release(self) -> None: ...


class UsbCamera(Camera):
    """
    A webcam, by its number in `/dev/videoN` or its device file.

    Device files in `/dev/v4l/by-id` stay the same when cables are changed. A camera that has no
    such size is refused, because a tray map is made for one size, unless `any_size` lets it deliver
    its own. In the dark cameras deliver fewer pictures a second. Under lamps on mains of
    `mains_hz`, 50 or 60, a fixed exposure must not flicker.
    """

    def __init__(
        self,
        source: int | str = 0,
        *,
        size_wh: tuple[int, int] = (1280, 720),
        any_size: bool = False,
        fps: int = 30,
        mains_hz: int = 50,
        exposure: Exposure | None = None,
        clock: Clock | None = None,
        open_capture: Callable[[int | str], Capture] | None = None,
    ) -> None:
        self._source = source
        self._size_wh = size_wh
        self._any_size = any_size
        self._fps = fps
        self._mains_hz = mains_hz
        self._wanted = exposure
        self._clock = clock or MonotonicClock()
        self._open_capture = open_capture or _Device
        self._reader: _Reader | None = None

    @property
    def name(self) -> str:
        return f"usb {self._source}"

    def open(self) -> None:
        self.close()
        capture = self._open_capture(self._source)
        try:
            size_wh = self._set_up(capture)
        except CameraLostError:
            capture.release()
            raise
        self._reader = _Reader(
            capture, size_wh, 1 / self._fps, self._clock, self._steady_exposure()
        )

    def frame(self, timeout_s: float) -> Frame:
        """Return the newest frame, its time one picture period before its arrival."""
        reader = self._reader
        if reader is None:
            raise self.lost_error("it is closed", "open it")
        frame, ended = reader.newest(timeout_s)
        if frame is not None:
            return frame
        if reader.damage and not ended:
            raise self.lost_error(f"its pictures arrive damaged ({reader.damage})", _CABLE)
        raise self.lost_error(ended or f"no picture came for {timeout_s:g} s", _PLUG)

    def close(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.stop()

    def exposure(self) -> Exposure | None:
        reader = self._reader
        return reader.reported if reader else None

    def set_exposure(self, exposure: Exposure | None) -> None:
        """
        Use this exposure from the next pictures on, its time rounded to whole pulses of the lamps.
        """
        self._wanted = exposure
        reader = self._reader
        if reader is not None:
            reader.ask(self._steady_exposure())

    def _steady_exposure(self) -> Exposure | None:
        wanted = self._wanted
        if wanted is None:
            return None
        # The gain is in the maker's own unit, so it cannot make up for the changed time.
        timed = replace(wanted, gain=0.0)
        steady = without_flicker(timed, mains_hz=self._mains_hz, longest_us=1e6 / self._fps)
        return replace(steady, gain=wanted.gain)

    def _set_up(self, capture: Capture) -> tuple[int, int]:
        """Ask for the wanted size, and return the delivered one."""
        if not capture.isOpened():
            mend = f"{_PLUG}, close other programs that use it, or choose another"
            raise self.lost_error("it cannot be opened", mend)
        # Uncompressed pictures of this size do not fit through USB 2 at full speed.
        capture.set(cv2.CAP_PROP_FOURCC, _MJPG)
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size_wh[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size_wh[1])
        capture.set(cv2.CAP_PROP_FPS, self._fps)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        if int(capture.get(cv2.CAP_PROP_FOURCC)) == _MJPG:
            # OpenCV would fill damaged pictures with grey, so the reader gets the JPEGs.
            capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)
        width = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH))
        height = int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
        is_usable = (width, height) == self._size_wh or (self._any_size and min(width, height) > 0)
        if not is_usable:
            what = f"it delivers {width}x{height} instead of {self._size_wh[0]}x{self._size_wh[1]}"
            mend = f"set width = {width} and height = {height} for the camera"
            raise self.lost_error(what, mend)
        return width, height


@dataclass(frozen=True, slots=True, eq=False)
class _Taken:
    """What a device delivered for one picture: the bytes of a JPEG, or pixels."""

    data: Image
    at_s: float
    number: int


class _Reader:
    """
    A thread that takes every picture of a device and keeps the newest.

    It is decoded only when somebody asks for it: a table at rest uses one in three.
    """

    def __init__(
        self,
        capture: Capture,
        size_wh: tuple[int, int],
        period_s: float,
        clock: Clock,
        exposure: Exposure | None,
    ) -> None:
        self._capture = capture
        self._shape = (size_wh[1], size_wh[0], 3)
        self._period_s = period_s
        self._clock = clock
        self._changed = threading.Condition()
        self._newest: _Taken | None = None
        self._ended = ""
        self.reported: Exposure | None = None
        self.damage = ""
        self._requested = [exposure]
        self._thread = threading.Thread(target=self._run, name="usb camera", daemon=True)
        self._thread.start()

    def newest(self, timeout_s: float) -> tuple[Frame | None, str]:
        """Return the newest frame, waiting for it; or None and why none will come, if known."""
        end_s = time.monotonic() + timeout_s
        while True:
            with self._changed:
                left_s = end_s - time.monotonic()
                self._changed.wait_for(lambda: self._newest is not None or self._ended, left_s)
                taken, self._newest = self._newest, None
            if taken is None:
                return None, self._ended
            # Now and then a picture arrives damaged over USB; the next one replaces it.
            try:
                # The device delivers a JPEG, or pixels.
                is_image = taken.data.shape == self._shape
                image = taken.data if is_image else decode_jpeg(taken.data.tobytes())
            except DamagedError as error:
                self.damage = str(error)
                continue
            if image.shape == self._shape:
                self.damage = ""
                return Frame(np.ascontiguousarray(image), taken.at_s, taken.number), self._ended

    def ask(self, exposure: Exposure | None) -> None:
        with self._changed:
            self._requested = [exposure]

    def stop(self) -> None:
        """End the thread. A thread that hangs in the driver is left to end later."""
        self._end("it was closed")
        self._thread.join(_CLOSING_S)

    def _run(self) -> None:
        try:
            number = -1
            while not self._ended:
                number += 1
                self._expose(number)
                self._read(number)
        except cv2.error as error:
            self._end(f"OpenCV failed ({error})")
        finally:
            self._capture.release()
            self._end("its thread died")  # a waiting `newest` must return, whatever went wrong

    def _expose(self, number: int) -> None:
        with self._changed:
            requested, self._requested = self._requested, []
        for exposure in requested:
            _set_exposure(self._capture, exposure)
        if requested or number % _READ_BACK_EVERY == 0:
            self.reported = _read_exposure(self._capture)

    def _read(self, number: int) -> None:
        if not self._capture.grab():
            self._end("it stopped delivering")
            return
        at_s = self._clock.now_s() - self._period_s
        is_there, data = self._capture.retrieve()
        if is_there and data is not None:
            with self._changed:
                self._newest = _Taken(data, at_s, number)
                self._changed.notify_all()

    def _end(self, why: str) -> None:
        with self._changed:
            self._ended = self._ended or why
            self._changed.notify_all()


def _set_exposure(capture: Capture, exposure: Exposure | None) -> None:
    is_fixed = exposure is not None
    capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL if is_fixed else _AUTOMATIC)
    capture.set_autogain(is_on=not is_fixed)  # before the gain, which it would overwrite
    capture.set(cv2.CAP_PROP_AUTO_WB, float(not is_fixed))
    capture.set(cv2.CAP_PROP_AUTOFOCUS, float(not is_fixed))
    if exposure is None:
        return
    values = {
        cv2.CAP_PROP_EXPOSURE: exposure.exposure_us / _TICK_US,
        cv2.CAP_PROP_GAIN: exposure.gain,
        cv2.CAP_PROP_FOCUS: exposure.focus_dioptre,
    }
    for name, value in values.items():
        if value:
            capture.set(name, value)


def _read_exposure(capture: Capture) -> Exposure | None:
    ticks = capture.get(cv2.CAP_PROP_EXPOSURE)
    if ticks <= 0:
        return None
    gain, focus = capture.get(cv2.CAP_PROP_GAIN), capture.get(cv2.CAP_PROP_FOCUS)
    return Exposure(round(ticks * _TICK_US), max(0.0, gain), 0.0, 0.0, max(0.0, focus))


class _Device:
    """
    A device as OpenCV opens it, with the control that OpenCV lacks.

    It holds the capture: with OpenCV 5 an object of a subclass crashes Python when it is deleted.
    """

    def __init__(self, source: int | str) -> None:
        # Left to itself, OpenCV on Linux tries libraries that ignore the size asked for.
        backend = cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY
        self._source = source
        self._capture = cast(Capture, cv2.VideoCapture(source, backend))
        self.isOpened, self.release = self._capture.isOpened, self._capture.release
        self.set, self.get = self._capture.set, self._capture.get
        self.grab, self.retrieve = self._capture.grab, self._capture.retrieve

    def set_autogain(self, *, is_on: bool) -> None:
        _set_autogain(self._source, is_on=is_on)


def _set_autogain(source: int | str, *, is_on: bool) -> None:
    """Switch the automatic gain of a device on or off; one that has none stays as it is."""
    path = f"/dev/video{source}" if isinstance(source, int) else source
    with suppress(OSError):
        device = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        try:
            fcntl.ioctl(device, _SET_CONTROL, struct.pack("Ii", _AUTOGAIN, is_on))
        finally:
            os.close(device)
