# SPDX-License-Identifier: MIT
"""
The Raspberry Pi's own camera through picamera2.

Nothing is left automatic: exposure, gain, white balance and focus are fixed from
values given, because a reading that was right must stay right when a hand's shadow
falls on the felt. What was asked for is never trusted: the library may change the
pixel format without a word, and a sensor refuses controls that it does not have. So
both are read back, and pictures are converted from what really comes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any, Protocol, cast

import cv2
import numpy as np

from hardware.camera import Camera, CameraLostError
from hardware.clock import Clock, MonotonicClock
from vision.frame import Frame, Image

_CLOSING_S = 2.0
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


@dataclass(frozen=True, slots=True)
class Exposure:
    """
    How every picture is taken.

    Attributes:
        exposure_us: Shutter time. Multiples of 10,000 do not flicker under 50 Hz lamps.
        gain: Amplification of the sensor, 1 or more; noise grows with it.
        colour_gains: White balance as gains of red and blue against green.
        focus_dioptre: 1 / distance in metres, for lenses that move; 2.5 is 40 cm.
    """

    exposure_us: int = 10_000
    gain: float = 2.0
    colour_gains: tuple[float, float] = (2.0, 1.8)
    focus_dioptre: float = 2.5


class Request(Protocol):
    """What is used of a completed request of the library."""

    @property
    def request(self) -> Any:
        """The request of libcamera; its `sequence` counts completed ones."""

    def make_array(self, name: str) -> Image: ...
    def get_metadata(self) -> Mapping[str, Any]: ...
    def release(self) -> None: ...


class Job(Protocol):
    """What is used of a job that the library does in its own thread."""

    def get_result(self, timeout: float | None = None) -> Request: ...


class Device(Protocol):
    """What is used of `picamera2.Picamera2`."""

    @property
    def camera_controls(self) -> Mapping[str, tuple[Any, Any, Any]]: ...

    def create_video_configuration(self, *, main: dict[str, Any], raw: None) -> Any: ...
    def configure(self, configuration: Any, /) -> None: ...
    def camera_configuration(self) -> Mapping[str, Any]: ...
    def set_controls(self, controls: dict[str, Any], /) -> None: ...
    def start(self) -> None: ...
    def capture_request(self, *, wait: bool) -> Job: ...
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
        exposure: How every picture is taken.
        clock: Gives a frame its time where the sensor tells none.
        open_device: Opens the camera of this index.
    """

    def __init__(
        self,
        index: int = 0,
        *,
        size_wh: tuple[int, int] = (1280, 720),
        fps: int = 30,
        exposure: Exposure | None = None,
        clock: Clock | None = None,
        open_device: Callable[[int], Device] | None = None,
    ) -> None:
        self._index = index
        self._size_wh = size_wh
        self._fps = fps
        self._exposure = exposure or Exposure()
        self._clock = clock or MonotonicClock()
        self._open_device = open_device or _open_picamera2
        self._device: Device | None = None
        self._lock = threading.Lock()  # a picture is copied, or the device is closed
        self._pixels = ""
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
            device.close()
            raise self._lost(f"it cannot be set up ({error})", _CABLE) from error
        except CameraLostError:
            device.close()
            raise
        self._first = None
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
            self.close()  # or the picture that comes late after all is never given back
            raise self._lost(f"no picture came for {timeout_s:g} s", _CABLE) from error
        except (CancelledError, RuntimeError) as error:
            self.close()
            raise self._lost(f"it failed ({error})", _CABLE) from error

    def close(self) -> None:
        """Release the device; safe to call twice, and while `frame` waits."""
        with self._lock:
            device, self._device = self._device, None
        if device is None:
            return
        device.cancel_all_and_flush()
        # Stopping never returns once the cable is out (picamera2 issue 1065).
        closing = threading.Thread(target=device.close, name="pi camera closing", daemon=True)
        closing.start()
        closing.join(_CLOSING_S)

    def _set_up(self, device: Device) -> None:
        main = {"size": self._size_wh, "format": "RGB888"}
        device.configure(device.create_video_configuration(main=main, raw=None))
        given = device.camera_configuration()["main"]
        size_wh, self._pixels = tuple(given["size"]), str(given["format"])
        if size_wh != self._size_wh:
            what = f"it gives {size_wh[0]}x{size_wh[1]} instead of {_by(self._size_wh)}"
            mend = f"set width = {size_wh[0]} and height = {size_wh[1]} for the camera"
            raise self._lost(what, mend)
        if self._pixels not in _CONVERSIONS:
            what = f"it gives pixels as {self._pixels}, which nobody here can read"
            raise self._lost(what, "use another camera")
        device.set_controls(self._controls(device.camera_controls))
        device.start()

    def _controls(self, known: Mapping[str, tuple[Any, Any, Any]]) -> dict[str, Any]:
        """Say how pictures shall be taken, in those controls that this camera has."""
        period_us = round(1e6 / self._fps)
        if "FrameDurationLimits" in known:
            shortest_us, longest_us, _ = known["FrameDurationLimits"]
            period_us = min(max(period_us, shortest_us), longest_us)
        wanted = {
            "FrameDurationLimits": (period_us, period_us),
            "AeEnable": False,
            "ExposureTime": self._exposure.exposure_us,
            "AnalogueGain": self._exposure.gain,
            "AwbEnable": False,
            "ColourGains": self._exposure.colour_gains,
            "AfMode": 0,  # by hand
            "LensPosition": self._exposure.focus_dioptre,
        }
        return {control: value for control, value in wanted.items() if control in known}

    def _read(self, device: Device, request: Request) -> Frame:
        """Copy the picture out of the library's memory and give that back at once."""
        with self._lock:
            try:
                if self._device is not device:
                    raise RuntimeError("it was closed")
                pixels = request.make_array("main")
                taken_ns = request.get_metadata().get("SensorTimestamp")
                sequence = int(request.request.sequence)
            finally:
                request.release()
        at_s = self._clock.now_s() if taken_ns is None else taken_ns / 1e9
        self._first = sequence if self._first is None else self._first
        return Frame(self._bgr(pixels), at_s, sequence - self._first)

    def _bgr(self, pixels: Image) -> Image:
        """Convert a picture as the library gives it, cutting off what pads its rows."""
        width, height = self._size_wh
        conversion = _CONVERSIONS[self._pixels]
        bgr = pixels if conversion is None else cv2.cvtColor(pixels, conversion)
        return cast(Image, np.ascontiguousarray(bgr[:height, :width, :3]))

    def _lost(self, what: str, mend: str) -> CameraLostError:
        return CameraLostError(camera=self.name, what=what, mend=mend)


def _by(size_wh: tuple[int, int]) -> str:
    return f"{size_wh[0]}x{size_wh[1]}"


def _open_picamera2(index: int) -> Device:
    from picamera2 import Picamera2

    return cast(Device, Picamera2(index))
