# SPDX-License-Identifier: MIT
"""
What every camera is: opened, asked for its newest frame, closed.

Newest frame wins. A camera keeps no queue: whoever asks late gets what is in
the tray now, not what was there before.
"""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

from vision.frame import Frame


class CameraLostError(OSError):
    """
    The camera is not there, or has stopped delivering.

    Args:
        camera: Its name as the settings and the kiosk show it.
        what: What happened, in words.
        mend: What a person can do about it.
    """

    def __init__(self, *, camera: str, what: str, mend: str) -> None:
        self.camera = camera
        self.what = what
        self.mend = mend
        super().__init__(f"{camera}: {what}; {mend}")


class Camera(Protocol):
    """
    A source of frames; drivers inherit the way in and out of a `with` block.

    `open` may be called again after `close`, and after a loss; numbers then
    start from 0 again. All methods are called from one thread, except `close`.
    """

    @property
    def name(self) -> str:
        """How people call it: `simulated`, `usb 0`, `pi 0`, a file's name."""
        ...

    def open(self) -> None:
        """
        Make ready to deliver frames.

        Raises:
            CameraLostError: It is not there or cannot be used.
        """
        ...

    def frame(self, timeout_s: float) -> Frame:
        """
        Return the newest frame that was not returned before, waiting for it.

        Raises:
            CameraLostError: None came within `timeout_s` seconds, or the camera is gone.
            EOFError: A recording has ended; live cameras never raise it.
        """
        ...

    def close(self) -> None:
        """Release the device; safe to call twice."""
        ...

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
