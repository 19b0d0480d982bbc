# SPDX-License-Identifier: MIT
"""
The Raspberry Pi's own camera through picamera2.

The camera makes every picture twice, in full for reading and small for watching, so
that a frame on which nothing moves costs hardly anything. Nothing is left automatic:
exposure, gain, white balance and focus are fixed from values given. What was asked
for is never trusted: the library may change formats and sizes without a word, pads
rows, and a sensor refuses controls that it does not have. So all of it is read back,
and pictures are converted from what really comes.
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


# Of these the first rows are a grey picture as they are.
_GREY_FIRST = frozenset({"YUV420", "YVU420", "NV12", "NV21"})


@dataclass(frozen=True, slots=True)
class Stream:
    """
    One of the two pictures as the library was found to make it.

    Attributes:
        size_wh: Its width and height in pixels.
        pixels: How they lie in memory, in the library's words.
        stride: Bytes from one row to the next; more than the pixels need where rows are padded.
    """

    size_wh: tuple[int, int]
    pixels: str
    stride: int


class Request(Protocol):
    """What is used of a completed request of the library."""

    @property
    def request(self) -> Any:
        """The request of libcamera; its `sequence` counts completed ones."""

    def make_array(self, name: str) -> Image: ...
    def get_metadata(self) -> Mapping[str, Any]: ...
    def release(self) -> None: ...


class CaptureJob(Protocol):
    """What is used of a job that the library does in its own thread."""

    def get_result(self, timeout: float | None = None) -> Request: ...


class Device(Protocol):
    """What is used of `picamera2.Picamera2`."""

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
    A camera on the Pi's ribbon cable.

    Args:
        index: Which one, from 0, in the order of `rpicam-hello --list-cameras`.
        size_wh: Width and height of the pictures in pixels. A camera that has no such
            size is refused: a tray map is made for one size.
        fps: Pictures a second.
        mains_hz: 50 or 60: lamps on these mains shall not flicker.
        exposure: How every picture is taken; good values to begin with where none.
        clock: Gives a frame its time where the sensor tells none.
        open_device: Opens the camera of this index.
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
        # Held while the device is used or given up, never while a picture is waited for.
        self._lock = threading.Lock()
        self._device: Device | None = None
        self._closing: threading.Thread | None = None
        self._streams: Mapping[str, Stream] = {}
        self._taken: Mapping[str, Any] = {}
        self._first: int | None = None

    @property
    def name(self) -> str:
        """How people call it: `pi 0`."""
        return f"pi {self._index}"

    def open(self) -> None:
        """
        Make ready to deliver frames; numbers start from 0.

        Raises:
            CameraLostError: The library or the camera is not there, it is in use, or it has
                no pictures of this size.
        """
        self.close()
        try:
            device = self._open_device(self._index)
        except ImportError as error:
            raise self._lost(f"a library is missing ({error})", _INSTALL) from error
        except (RuntimeError, IndexError) as error:
            mend = f"close other programs that use it; {_CABLE}"
            raise self._lost(f"it cannot be opened ({error})", mend) from error
        try:
            self._set_up(device)
        except RuntimeError as error:
            _close(device)
            raise self._lost(f"it cannot be set up ({error})", _CABLE) from error
        except CameraLostError:
            _close(device)
            raise
        with self._lock:
            self._first, self._taken = None, {}
            self._device = device

    def frame(self, timeout_s: float) -> Frame:
        """
        Return the newest frame that was not returned before, waiting for it.

        Raises:
            CameraLostError: None came within `timeout_s` seconds, or the camera is gone or
                closed. It must then be opened again.
        """
        device = self._device
        if device is None:
            raise self._lost("it is closed", "open it")
        try:
            request = device.capture_request(wait=False).get_result(timeout=timeout_s)
            return self._read(device, request)
        except TimeoutError as error:
            self._give_up()  # or the picture that comes late after all is never given back
            raise self._lost(f"no picture came for {timeout_s:g} s", _CABLE) from error
        except (CancelledError, RuntimeError) as error:
            self._give_up()
            raise self._lost(f"it failed ({error})", _CABLE) from error

    def close(self) -> None:
        """Release the device; safe to call twice, and while `frame` waits."""
        self._give_up()
        closing = self._closing
        if closing is not None:
            closing.join(_CLOSING_S)

    def exposure(self) -> Exposure | None:
        """Return how the newest picture was taken, as the camera tells; none where it does not."""
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
        Take pictures like this, from a few after the newest on; none leaves it to the camera.

        The time is brought to whole pulses of the lamps.
        """
        with self._lock:
            self._wanted = exposure
            if self._device is not None:
                self._device.set_controls(self._controls(self._device.camera_controls))

    @property
    def streams(self) -> Mapping[str, Stream]:
        """What the library makes, read back when the camera was opened: `main` and `lores`."""
        return self._streams

    def _give_up(self) -> None:
        """Let the device be closed by a thread of its own: that may never return."""
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
        self._streams = {name: _stream(given[name]) for name in ("main", "lores")}
        size_wh, pixels = self._streams["main"].size_wh, self._streams["main"].pixels
        if size_wh != self._size_wh:
            what = f"it gives {_by(size_wh)} instead of {_by(self._size_wh)}"
            mend = f"set width = {size_wh[0]} and height = {size_wh[1]} for the camera"
            raise self._lost(what, mend)
        if pixels not in _CONVERSIONS:
            what = f"it gives pixels as {pixels}, which nobody here can read"
            raise self._lost(what, "use another camera")
        device.set_controls(self._controls(device.camera_controls))
        device.start()

    def _controls(self, known: Mapping[str, tuple[Any, Any, Any]]) -> dict[str, Any]:
        """Say how pictures shall be taken, in those controls that this camera has."""
        period_us = round(1e6 / self._fps)
        if "FrameDurationLimits" in known:
            shortest_us, longest_us, _ = known["FrameDurationLimits"]
            period_us = min(max(period_us, shortest_us), longest_us)
        wanted = {"FrameDurationLimits": (period_us, period_us)}
        if self._wanted is None:
            wanted |= _automatic(self._mains_hz)
        else:
            steady = without_flicker(self._wanted, mains_hz=self._mains_hz, longest_us=period_us)
            wanted |= _fixed(steady)
        return {control: value for control, value in wanted.items() if control in known}

    def _read(self, device: Device, request: Request) -> Frame:
        """Copy the picture out of the library's memory and give that back at once."""
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
        """Convert a picture as the library gives it, cutting off what pads its rows."""
        width, height = self._size_wh
        conversion = _CONVERSIONS[self._streams["main"].pixels]
        bgr = pixels if conversion is None else cv2.cvtColor(pixels, conversion)
        return cast(Image, np.ascontiguousarray(bgr[:height, :width, :3]))

    def _small_grey(self, request: Request) -> Image | None:
        """Return the small picture in grey; none where it cannot be had without work."""
        lores = self._streams["lores"]
        width, height = lores.size_wh
        if lores.pixels not in _GREY_FIRST or lores.size_wh != _small_wh(self._size_wh):
            return None
        return np.ascontiguousarray(request.make_array("lores")[:height, :width])

    def _lost(self, what: str, mend: str) -> CameraLostError:
        return CameraLostError(camera=self.name, what=what, mend=mend)


def _stream(given: Mapping[str, Any]) -> Stream:
    width, height = given["size"]
    return Stream((int(width), int(height)), str(given["format"]), int(given["stride"]))


def _small_wh(size_wh: tuple[int, int]) -> tuple[int, int]:
    """Return the size in which a view is watched: halved as often as needed, and even."""
    width, height = size_wh
    while max(width, height) > _SMALL_PX:
        width, height = width // 2, height // 2
    return width // 2 * 2, height // 2 * 2


def _fixed(exposure: Exposure) -> dict[str, Any]:
    """Return the controls that fix an exposure; what it leaves alone is not among them."""
    values = {
        "ExposureTime": exposure.exposure_us,
        "AnalogueGain": exposure.gain,
        "ColourGains": (exposure.red_gain, exposure.blue_gain),
        "LensPosition": exposure.focus_dioptre,
    }
    by_hand = {"AeEnable": False, "AwbEnable": False, "AfMode": 0}
    return by_hand | {name: value for name, value in values.items() if value and value != (0, 0)}


def _automatic(mains_hz: int) -> dict[str, Any]:
    """Return the controls that leave everything to the camera, but no flicker."""
    return {
        "AeEnable": True,
        "ExposureTime": 0,  # or the fixed one stays, whatever is enabled
        "AnalogueGain": 0.0,
        "AeFlickerMode": 1,  # the period is given
        "AeFlickerPeriod": round(1e6 / (2 * mains_hz)),
        "AwbEnable": True,
        "AfMode": 2,  # all the time
    }


def _by(size_wh: tuple[int, int]) -> str:
    return f"{size_wh[0]}x{size_wh[1]}"


def _close(device: Device) -> None:
    # A camera that is gone cannot be closed in order; the next opening shows what is left.
    with suppress(RuntimeError):
        device.close()


def wait_with_events(device: Any) -> Device:
    """
    Return a device of the library that takes its pictures in a thread, until it is closed.

    The library would start such a thread by itself. But that one dies with an error when the
    camera does, and here a thread that dies ends the whole table.

    Args:
        device: A `picamera2.Picamera2` that was just opened.
    """
    from picamera2.previews import NullPreview

    class Events(NullPreview):  # type: ignore[misc]
        def thread_func(self, picam2: Any) -> None:
            with suppress(RuntimeError):  # whoever waits for a picture is told when none comes
                super().thread_func(picam2)

    device.start_preview(Events())
    return cast(Device, device)


def _open_picamera2(index: int) -> Device:
    from picamera2 import Picamera2

    return wait_with_events(Picamera2(index))
