# SPDX-License-Identifier: MIT
"""
Where a calibration gets its pictures from: a camera of its own, or the running table's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from hardware.camera import Camera, CameraLostError
from vision.frame import Frame

FRAME_TIMEOUT_S = 5.0
_STEP_S = 0.02


class FrameSource(Protocol):
    """A camera's newest picture, and the next ones."""

    @property
    def camera(self) -> Camera:
        """The camera, to be told how pictures shall be taken."""
        ...

    def newest(self) -> Frame | None:
        """Return the newest frame at once; none where there was none yet."""
        ...

    def next_frame(self) -> Frame:
        """
        Wait for a frame that was not returned before.

        Raises:
            CameraLostError: None comes.
        """
        ...


class CameraFrames:
    """
    A camera that nobody else looks through; it is open.

    Args:
        camera: The camera.
    """

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self._newest: Frame | None = None

    def newest(self) -> Frame | None:
        """Return the last frame that was taken."""
        return self._newest

    def next_frame(self) -> Frame:
        """Take the next frame."""
        self._newest = self.camera.frame(FRAME_TIMEOUT_S)
        return self._newest


class TableFrames:
    """
    The camera of a running table; the table's own thread takes the frames.

    Args:
        camera: The camera.
        newest: Gives the newest frame that the table has seen.
        wait: Waits for so many seconds; true where the table is being shut down.
    """

    def __init__(
        self,
        camera: Camera,
        newest: Callable[[], Frame | None],
        wait: Callable[[float], bool],
    ) -> None:
        self.camera = camera
        self._newest = newest
        self._wait = wait
        self._returned: Frame | None = None

    def newest(self) -> Frame | None:
        """Return the newest frame that the table has seen."""
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
            camera=self.camera.name, what="no picture comes", mend="look after the camera first"
        )
