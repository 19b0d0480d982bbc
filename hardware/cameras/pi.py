# SPDX-License-Identifier: MIT
"""
Read the Raspberry Pi's own camera through picamera2.

The camera makes every picture twice, in full for reading and small for motion, so an unchanged
frame costs almost nothing. Exposure, gain, white balance and focus are fixed. The library may
change formats and sizes, pads rows, and a sensor refuses controls that it lacks. So everything
is read back, and pictures are converted from the format that really arrives.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, cast

import cv2
import numpy as np

from hardware.camera import Camera, CameraLostError, Exposure, without_flicker
from hardware.clock import Clock, MonotonicClock
from vision.frame import Frame, Image

_CLOSING_S = 2.0
_SMALL_PX = 360
_CABLE = "check the camera's ribbon cable, then run: rpicam-hello --list-cameras"
_INSTALL = "run: sudo apt install python3-picamera2"

# The library names pixels as a number is written, highest byte first: its RGB888 lies
# in memory as blue, green, red. None: the bytes are right but for a fourth one.
_CONVERSIONS: Mapping[str, int | None] = {
    "RGB888": None,
    "XRGB8888": None,
    "BGR888": cv2.COLOR_RGB2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
}


# The first rows of these formats are a grey picture.
_GREY_FIRST = frozenset({"YUV420", "YVU420", "NV12", "NV21"})


@dataclass(frozen=True, slots=True)
class Stream:
    """One of the two pictures in the format that the library really makes."""

    size_wh: tuple[int, int]  # Its width and height in pixels.
    pixels: str  # The library's name of the pixel format.
    stride: int  # Bytes from one row to the next; padded rows need more than their pixels.


class Request(Protocol):
    @property
    def request(self) -> Any:
        """The request of libcamera; its `sequence` counts completed ones."""

    def make_array(self, name: str) -> Image: ...
    def get_metadata(self) -> Mapping[str, Any]: ...
    def release(self) -> None: ...


class CaptureJob(Protocol):
    """The used part of a job in the library's own thread."""

    def get_result(self, timeout: float | None = None) -> Request: ...


class Device(Protocol):
    """The used part of `picamera2.Picamera2`."""

    @property
    def camera_controls(self) -> Mapping[str, tuple[Any, Any, Any]]: ...

    def create_video_configuration(
        self, *, main: dict[str, Any], lores: dict[str, Any], raw: None
    ) -> Any: ...
    def configure(self, configuration: Any, /) -> None: ...
    def camera_configuration(self) -> Mapping[str, Any]: ...
    def set_controls(self, controls: dict[str, Any], /) -> None: ...
    def start(self) -> None: ...
    def capture_request(self, *, wait: bool) -> CaptureJob: ...
    def cancel_all_and_flush(self) -> None: ...
    def close(self) -> None: ...


class PiCamera(Camera):
    """
    A camera on the Pi's ribbon cable, by its number in `rpicam-hello --list-cameras`.

    A camera that has no such size is refused: a tray map is made for one size. The clock gives a
    frame's time if the sensor reports none. Under lamps on mains of `mains_hz`, 50 or 60, pictures
    must not flicker.
    """

    def __init__(
        self,
        index: int = 0,
        *,
        size_wh: tuple[int, int] = (1280, 720),
        fps: int = 30,
        mains_hz: int = 50,
        exposure: Exposure | None = None,
        clock: Clock | None = None,
        open_device: Callable[[int], Device] | None = None,
    ) -> None:
        self._index = index
        self._size_wh = size_wh
        self._fps = fps
        self._mains_hz = mains_hz
        self._wanted: Exposure | None = exposure or Exposure()
        self._clock = clock or MonotonicClock()
        self._open_device = open_device or _open_picamera2
        # Held while the device is used or given up, never while waiting for a picture.
        self._lock = threading.Lock()
        self._device: Device | None = None
        self._closing: threading.Thread | None = None
        # The formats of `main` and `lores`, read back when the camera was opened.
        self.streams: Mapping[str, Stream] = {}
        self._taken: Mapping[str, Any] = {}
        self._first: int | None = None

    @property
    def name(self) -> str:
        return f"pi {self._index}"

    def open(self) -> None:
        self.close()
        try:
            device = self._open_device(self._index)
        except ImportError as error:
            raise self.lost_error(f"a library is missing ({error})", _INSTALL) from error
        except (RuntimeError, IndexError) as error:
            mend = f"close other programs that use it; {_CABLE}"
            raise self.lost_error(f"it cannot be opened ({error})", mend) from error
        try:
            self._set_up(device)
        except RuntimeError as error:
            _close(device)
            raise self.lost_error(f"it cannot be set up ({error})", _CABLE) from error
        except CameraLostError:
            _close(device)
            raise
        with self._lock:
            self._first, self._taken = None, {}
            self._device = device

    def frame(self, timeout_s: float) -> Frame:
        device = self._device
        if device is None:
            raise self.lost_error("it is closed", "open it")
        try:
            request = device.capture_request(wait=False).get_result(timeout=timeout_s)
            return self._read(device, request)
        except TimeoutError as error:
            self._give_up()  # Otherwise a late picture would never be released.
            raise self.lost_error(f"no picture came for {timeout_s:g} s", _CABLE) from error
        except (CancelledError, RuntimeError) as error:
            self._give_up()
            raise self.lost_error(f"it failed ({error})", _CABLE) from error

    def close(self) -> None:
        self._give_up()
        closing = self._closing
        if closing is not None:
            closing.join(_CLOSING_S)

    def exposure(self) -> Exposure | None:
        taken = self._taken
        if "ExposureTime" not in taken or "AnalogueGain" not in taken:
            return None
        red_gain, blue_gain = taken.get("ColourGains", (0.0, 0.0))
        return Exposure(
            exposure_us=int(taken["ExposureTime"]),
            gain=float(taken["AnalogueGain"]),
            red_gain=float(red_gain),
            blue_gain=float(blue_gain),
            focus_dioptre=float(taken.get("LensPosition", 0.0)),
        )

    def set_exposure(self, exposure: Exposure | None) -> None:
        """
        Use this exposure, a few pictures from now, its time rounded to whole pulses of the lamps.
        """
        with self._lock:
            self._wanted = exposure
            if self._device is not None:
                self._device.set_controls(self._controls(self._device.camera_controls))

    def _give_up(self) -> None:
        """Close the device in a separate thread, because closing may never return."""
        with self._lock:
            device, self._device = self._device, None
        if device is None:
            return
        device.cancel_all_and_flush()
        # Stopping never returns once the cable is out (picamera2 issue 1065).
        closing = threading.Thread(target=_close, args=[device], name="pi camera closing")
        closing.daemon = True
        closing.start()
        self._closing = closing

    def _set_up(self, device: Device) -> None:
        main = {"size": self._size_wh, "format": "RGB888"}
        lores = {"size": _small_wh(self._size_wh), "format": "YUV420"}
        device.configure(device.create_video_configuration(main=main, lores=lores, raw=None))
        given = device.camera_configuration()
        self.streams = {name: _stream(given[name]) for name in ("main", "lores")}
        size_wh, pixels = self.streams["main"].size_wh, self.streams["main"].pixels
        if size_wh != self._size_wh:
            given_size, size = ("{}x{}".format(*one) for one in (size_wh, self._size_wh))
            what = f"it delivers {given_size} instead of {size}"
            mend = f"set width = {size_wh[0]} and height = {size_wh[1]} for the camera"
            raise self.lost_error(what, mend)
        if pixels not in _CONVERSIONS:
            what = f"it delivers pixels as {pixels}, which the program cannot convert"
            raise self.lost_error(what, "use another camera")
        device.set_controls(self._controls(device.camera_controls))
        device.start()

    def _controls(self, known: Mapping[str, tuple[Any, Any, Any]]) -> dict[str, Any]:
        period_us = round(1e6 / self._fps)
        if "FrameDurationLimits" in known:
            shortest_us, longest_us, _ = known["FrameDurationLimits"]
            period_us = min(max(period_us, shortest_us), longest_us)
        wanted = {"FrameDurationLimits": (period_us, period_us)}
        if self._wanted is None:
            wanted |= _automatic_controls(self._mains_hz)
        else:
            steady = without_flicker(self._wanted, mains_hz=self._mains_hz, longest_us=period_us)
            wanted |= _fixed_controls(steady)
        return {control: value for control, value in wanted.items() if control in known}

    def _read(self, device: Device, request: Request) -> Frame:
        with self._lock:
            try:
                if self._device is not device:
                    raise RuntimeError("it was closed")
                pixels, small = request.make_array("main"), self._small_grey(request)
                self._taken = request.get_metadata()
                sequence = int(request.request.sequence)
            finally:
                request.release()
            self._first = sequence if self._first is None else self._first
            number = sequence - self._first
        taken_ns = self._taken.get("SensorTimestamp")
        at_s = self._clock.now_s() if taken_ns is None else taken_ns / 1e9
        return Frame(self._bgr(pixels), at_s, number, small)

    def _bgr(self, pixels: Image) -> Image:
        width, height = self._size_wh
        conversion = _CONVERSIONS[self.streams["main"].pixels]
        bgr = pixels if conversion is None else cv2.cvtColor(pixels, conversion)
        return cast(Image, np.ascontiguousarray(bgr[:height, :width, :3]))

    def _small_grey(self, request: Request) -> Image | None:
        """Return the small picture in grey; None if it would need a conversion."""
        lores = self.streams["lores"]
        width, height = lores.size_wh
        if lores.pixels not in _GREY_FIRST or lores.size_wh != _small_wh(self._size_wh):
            return None
        return np.ascontiguousarray(request.make_array("lores")[:height, :width])


def _stream(given: Mapping[str, Any]) -> Stream:
    width, height = given["size"]
    return Stream((int(width), int(height)), str(given["format"]), int(given["stride"]))


def _small_wh(size_wh: tuple[int, int]) -> tuple[int, int]:
    """Return the size of the motion picture: halved as often as needed, and even."""
    width, height = size_wh
    while max(width, height) > _SMALL_PX:
        width, height = width // 2, height // 2
    return width // 2 * 2, height // 2 * 2


def _fixed_controls(exposure: Exposure) -> dict[str, Any]:
    """Return the controls that fix an exposure, without its values of 0."""
    values = {
        "ExposureTime": exposure.exposure_us,
        "AnalogueGain": exposure.gain,
        "ColourGains": (exposure.red_gain, exposure.blue_gain),
        "LensPosition": exposure.focus_dioptre,
    }
    by_hand = {"AeEnable": False, "AwbEnable": False, "AfMode": 0}
    return by_hand | {name: value for name, value in values.items() if value and value != (0, 0)}


def _automatic_controls(mains_hz: int) -> dict[str, Any]:
    """Return the controls that leave all to the camera except flicker."""
    return {
        "AeEnable": True,
        "ExposureTime": 0,  # Otherwise the fixed value stays, whatever is enabled.
        "AnalogueGain": 0.0,
        "AeFlickerMode": 1,  # the period is given
        "AeFlickerPeriod": round(1e6 / (2 * mains_hz)),
        "AwbEnable": True,
        "AfMode": 2,  # all the time
    }


def _close(device: Device) -> None:
    # A missing camera cannot be closed properly; the next opening reports what is wrong.
    with suppress(RuntimeError):
        device.close()


def wait_with_events(device: Any) -> Device:
    """
    Return the device with a thread that waits for its pictures until it is closed.

    The library's own thread dies with an error if the camera does, and a dead thread ends the
    whole table.
    """
    from picamera2.previews import NullPreview

    class Events(NullPreview):  # type: ignore[misc]
        def thread_func(self, picam2: Any) -> None:
            with suppress(RuntimeError):  # the timeout of `frame` reports it
                super().thread_func(picam2)

    device.start_preview(Events())
    return cast(Device, device)


def _open_picamera2(index: int) -> Device:
    from picamera2 import Picamera2

    return wait_with_events(Picamera2(index))
