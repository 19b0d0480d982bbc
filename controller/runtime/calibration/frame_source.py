# SPDX-License-Identifier: MIT
"""
The pictures for a calibration: from a camera of its own, or from the running table's camera.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from controller.base.languages.message import message
from hardware.camera import Camera, CameraLostError
from vision.frame import Frame

FRAME_TIMEOUT_S = 5.0
_STEP_S = 0.02


class FrameSource(Protocol):
    @property
    def camera(self) -> Camera:
        """The camera, whose exposure may be set."""

    def newest(self) -> Frame | None:
        """Return the newest frame without waiting; `None` before the first."""

    def next_frame(self) -> Frame:
        """Wait for a frame that was not returned yet; CameraLostError if none arrives."""


class CameraFrames:
    """Frames of an open camera that nothing else uses."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self._newest: Frame | None = None

    def newest(self) -> Frame | None:
        return self._newest

    def next_frame(self) -> Frame:
        self._newest = self.camera.frame(FRAME_TIMEOUT_S)
        return self._newest


class TableFrames:
    """Frames of a running table, whose own thread reads the camera."""

    def __init__(
        self, camera: Camera, newest: Callable[[], Frame | None], wait: Callable[[float], bool]
    ) -> None:
        self.camera = camera
        self._newest = newest
        self._wait = wait
        self._returned: Frame | None = None

    def newest(self) -> Frame | None:
        return self._newest()

    def next_frame(self) -> Frame:
        """Wait for a frame that this did not return before."""
        for _ in range(round(FRAME_TIMEOUT_S / _STEP_S)):
            frame = self._newest()
            if frame is not None and frame is not self._returned:
                self._returned = frame
                return frame
            if self._wait(_STEP_S):
                break
        raise CameraLostError(
            camera=self.camera.name,
            what=message("it delivers no picture"),
            mend=message("check the camera first"),
        )
