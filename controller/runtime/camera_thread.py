# SPDX-License-Identifier: MIT
"""
Keeps a camera open and passes every frame to the frame events.

A lost camera is reported before it is closed: closing a device whose cable was pulled may take
seconds. It is opened again after growing pauses, the first ones short. A driver may hang while
it opens; a timer reports that, and the systemd watchdog gets no ping.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from controller.base.languages.message import message
from controller.runtime.frame_events import FrameEvents
from controller.runtime.monitoring.health import CAMERA_PATIENCE_S, HealthMonitor
from controller.table.events import CAMERA, DeviceLost, Event
from controller.table.view.notices import GONE, describe_loss
from hardware.camera import Camera, CameraLostError

FRAME_TIMEOUT_S = 1.2
FIRST_FRAME_TIMEOUT_S = 5.0  # Webcams may take seconds from being opened to their first picture.
FIRST_PAUSE_S = 2.0
LONGEST_PAUSE_S = 20.0
LOOK_EVERY_S = 0.5  # Between two looks in a pause, whether another camera was chosen.
QUIET_PAUSE_S = 0.08
"""
The pause after each picture while nothing moves, which leaves about ten a second.

Most of the time of a table that waits went into pictures that show the same again. A throw is
seen a tenth of a second later at most, and then every picture is taken.
"""

OPEN_TIMEOUT_S = 6.0
"""After this a driver counts as hanging; some webcams take a few seconds to open."""


class CameraThread:
    """
    Reads the frames of a camera; call `run` in a thread of its own.

    `wait` waits this many seconds; it returns true at once if the table is being shut down.
    After `open_timeout_s` the driver is reported as hanging.
    """

    def __init__(
        self,
        camera: Camera,
        frame_events: FrameEvents,
        *,
        monitor: HealthMonitor,
        send: Callable[[Event], None],
        wait: Callable[[float], bool],
        open_timeout_s: float = OPEN_TIMEOUT_S,
    ) -> None:
        self._camera = camera
        self._frame_events = frame_events
        self._monitor = monitor
        self._send = send
        self._wait = wait
        self._open_timeout_s = open_timeout_s
        self._pause_s = FIRST_PAUSE_S

    def run(self) -> None:
        """Process frames until the table is shut down."""
        while not self._wait(0.0):
            self._monitor.camera.beat(CAMERA_PATIENCE_S)
            self._read_frames()
            self._monitor.camera.beat(self._pause_s + CAMERA_PATIENCE_S)
            self._pause()

    def _pause(self) -> None:
        """Wait before the next opening, unless a person has chosen another camera."""
        left_s, longer_s = self._pause_s, min(2.0 * self._pause_s, LONGEST_PAUSE_S)
        while left_s > 0.0 and not self._camera.is_replaced:
            if self._wait(min(left_s, LOOK_EVERY_S)):
                return
            left_s -= LOOK_EVERY_S
        self._pause_s = FIRST_PAUSE_S if self._camera.is_replaced else longer_s

    def _read_frames(self) -> None:
        """Open the camera and process its frames until it is lost or must be opened again."""
        try:
            self._open()
            self._monitor.on_camera_opened(self._camera.name)
            timeout_s = FIRST_FRAME_TIMEOUT_S
            while not self._wait(0.0):
                self._send_all(self._frame_events.process(self._camera.frame(timeout_s)))
                timeout_s = FRAME_TIMEOUT_S
                self._monitor.on_frame()
                if self._frame_events.is_healthy:
                    self._pause_s = FIRST_PAUSE_S
                if self._frame_events.needs_reopening:
                    return
                if self._frame_events.is_quiet:
                    self._wait(QUIET_PAUSE_S)
        except CameraLostError as error:
            self._send_all(self._frame_events.camera_lost(_build_loss(error.what, error.mend)))
        finally:
            self._camera.close()

    def _open(self) -> None:
        hangs = threading.Timer(self._open_timeout_s, self._report_hang)
        hangs.daemon = True
        hangs.start()
        try:
            self._camera.open()
        finally:
            hangs.cancel()

    def _report_hang(self) -> None:
        what = "it does not open, its driver hangs"
        mend = "unplug it and plug it in again; if that does not help, restart the machine"
        self._send_all(self._frame_events.camera_lost(_build_loss(what, mend)))

    def _send_all(self, events: Iterable[Event]) -> None:
        for event in events:
            self._send(event)


def _build_loss(what: str, mend: str) -> DeviceLost:
    """Return the fault of a camera that delivers nothing, in the words of its driver."""
    reported = message("{what}; {mend}", what=what, mend=mend)
    return DeviceLost(CAMERA, what, describe_loss(reported), GONE)
