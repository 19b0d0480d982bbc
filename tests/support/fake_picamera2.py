# SPDX-License-Identifier: MIT
"""
A small picamera2 for tests, with the habits of the real one that bite.

Pixel formats are changed without a word, rows are padded, unknown controls raise,
metadata hold little more than a time in nanoseconds, and memory is only lent: a
camera whose requests are not given back stops delivering.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np

from vision.frame import Image

BUFFERS = 4


@dataclass
class Rack:
    """What hangs on the Pi: made by a test, and changed while the camera runs."""

    picture_bgr: Image
    pixels: str = "RGB888"
    padding: int = 0
    size_wh: tuple[int, int] | None = None
    lores: Mapping[str, Any] | None = None
    controls: Mapping[str, tuple[Any, Any, Any]] | None = None
    cameras: int = 1
    is_cable_out: bool = False
    metadata: Callable[[int], dict[str, Any]] | None = None
    opened: int = 0
    closed: int = 0
    set_controls: dict[str, Any] = field(default_factory=dict)
    is_automatic: bool = False
    lent: int = 0
    sequence: int = 0
    stopping: threading.Event | None = None
    closing_fails: bool = False
    on_waiting: Callable[[], None] | None = None

    def open_device(self, index: int) -> FakePicamera2:
        if index >= self.cameras:
            raise RuntimeError(f"No camera number {index} found")
        self.opened += 1
        return FakePicamera2(self)

    def taken_like(self) -> dict[str, Any]:
        """Return the metadata of how a picture was taken, as a sensor with all controls tells."""
        if "ExposureTime" not in self.set_controls:
            return {}
        if self.is_automatic:
            return {"ExposureTime": 12_345, "AnalogueGain": 3.3, "ColourGains": (1.7, 1.9)}
        told = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")
        return {name: self.set_controls[name] for name in told if name in self.set_controls}


class FakePicamera2:
    """One opened camera; pictures come as fast as they are asked for."""

    def __init__(self, rack: Rack) -> None:
        self._rack = rack
        self._streams: dict[str, dict[str, Any]] = {}
        self._is_started = False
        self._waiting: list[Future[FakeRequest]] = []
        self._pictures = threading.Thread(target=self._run, name="fake picamera2", daemon=True)
        self._is_over = threading.Event()

    @property
    def camera_controls(self) -> Mapping[str, tuple[Any, Any, Any]]:
        return self._rack.controls or {"FrameDurationLimits": (33333, 66666, None)}

    def create_video_configuration(
        self, *, main: dict[str, Any], lores: dict[str, Any], raw: None
    ) -> dict[str, Any]:
        return {"main": dict(main), "lores": dict(lores), "raw": raw}

    def configure(self, configuration: dict[str, Any], /) -> None:
        width, height = self._rack.size_wh or configuration["main"]["size"]
        main = {"format": self._rack.pixels, "size": (width, height)}
        lores = {**configuration["lores"], **(self._rack.lores or {})}
        self._streams = {"main": main, "lores": lores}
        for stream in self._streams.values():
            stream["stride"] = stream["size"][0] + self._rack.padding

    def camera_configuration(self) -> dict[str, dict[str, Any]]:
        return self._streams

    def set_controls(self, controls: dict[str, Any], /) -> None:
        for control in controls:
            if control not in self.camera_controls:
                raise RuntimeError(f"Control {control} is not advertised by libcamera")
        self._rack.set_controls = controls
        self._rack.is_automatic = not controls.get("ExposureTime", True)

    def start(self) -> None:
        self._is_started = True
        self._pictures.start()

    def capture_request(self, *, wait: bool) -> FakeJob:
        assert not wait
        assert self._is_started
        future: Future[FakeRequest] = Future()
        rack = self._rack
        if rack.is_cable_out or rack.lent >= BUFFERS:
            self._waiting.append(future)
            if rack.on_waiting is not None:
                rack.on_waiting()
        else:
            rack.lent += 1
            future.set_result(FakeRequest(rack, self._streams, rack.sequence))
            rack.sequence += 1
        return FakeJob(future)

    def cancel_all_and_flush(self) -> None:
        for future in self._waiting:
            future.set_exception(CancelledError())
        self._waiting = []

    def close(self) -> None:
        if self._rack.stopping is not None:
            self._rack.stopping.wait()
        self._rack.closed += 1
        self._is_over.set()
        if self._rack.closing_fails:
            raise RuntimeError("Unable to stop preview.")
        self._rack.lent = 0
        if self._is_started:
            self._pictures.join()

    def _run(self) -> None:
        self._is_over.wait()  # the real one has a thread too, and leaves it if not closed


class FakeJob:
    def __init__(self, future: Future[FakeRequest]) -> None:
        self._future = future

    def get_result(self, timeout: float | None = None) -> FakeRequest:
        return self._future.result(timeout=timeout)


class FakeRequest:
    """A picture in lent memory."""

    def __init__(self, rack: Rack, streams: dict[str, dict[str, Any]], sequence: int) -> None:
        self._rack = rack
        self._streams = streams
        self._taken_ns = 5_000_000_000 + sequence * 33_333_000
        self.request = SimpleNamespace(sequence=sequence)

    def make_array(self, name: str) -> Image:
        rack = self._rack
        if name == "main":
            return as_library_gives(rack.picture_bgr, rack.pixels, rack.padding)
        lores = self._streams[name]
        small = np.asarray(cv2.resize(rack.picture_bgr, lores["size"]), np.uint8)
        return as_library_gives(small, lores["format"], rack.padding)

    def get_metadata(self) -> dict[str, Any]:
        if self._rack.metadata is not None:
            return self._rack.metadata(self._taken_ns)
        return {"SensorTimestamp": self._taken_ns} | self._rack.taken_like()

    def release(self) -> None:
        self._rack.lent -= 1


def as_library_gives(picture_bgr: Image, pixels: str, padding: int) -> Image:
    """Lay a picture out as the library's `make_array` does, rows padded where it leaves that."""
    height, width = picture_bgr.shape[:2]
    blue, green, red = cv2.split(picture_bgr)
    spare = np.zeros((height, width), np.uint8)
    if pixels == "RGB888":
        return picture_bgr.copy()
    if pixels == "BGR888":
        return np.dstack([red, green, blue])
    if pixels == "XRGB8888":
        return np.dstack([blue, green, red, spare])
    if pixels == "XBGR8888":
        return np.dstack([red, green, blue, spare])
    padded = cv2.copyMakeBorder(picture_bgr, 0, 0, 0, padding, cv2.BORDER_CONSTANT)
    planar = cv2.cvtColor(padded, cv2.COLOR_BGR2YUV_I420)
    if pixels == "YUV420":
        return np.asarray(planar, np.uint8)
    luma, chroma = planar[:height], planar[height:].reshape(2, -1)
    if pixels == "YVU420":
        return np.vstack([luma, chroma[::-1].reshape(height // 2, -1)])
    chroma = chroma if pixels == "NV12" else chroma[::-1]
    # This one the library cuts to the width itself.
    return np.vstack([luma, chroma.T.reshape(height // 2, -1)])[:, :width]
