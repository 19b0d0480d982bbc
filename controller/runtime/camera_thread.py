# SPDX-License-Identifier: MIT
"""
Keeps a camera open, and gives every frame to the watch.

A camera that is lost is told before anything else is tried, because closing a device
whose cable was pulled may take seconds. Then it is opened again, after pauses that grow:
a cable that is put back is found at once, and one that stays out does no harm. A driver may
also hang for ever while it opens a device; nobody can end that from here, so it is told
from beside, and the service manager hears of no sign of life any more.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from controller.runtime.frame_events import FrameEvents
from controller.runtime.health import CAMERA_PATIENCE_S, HealthMonitor
from controller.table.devices import CAMERA
from controller.table.events import DeviceLost, Event
from hardware.camera import Camera, CameraLostError

FRAME_TIMEOUT_S = 1.2
FIRST_FRAME_TIMEOUT_S = 5.0
"""Webcams may take seconds from being opened to their first picture."""
FIRST_PAUSE_S = 2.0
LONGEST_PAUSE_S = 20.0
OPEN_TIMEOUT_S = 6.0
"""A driver that has not opened its camera by then is told; some webcams take a few seconds."""
GONE = "gone"


class CameraThread:
    """
    A camera and those who look at its frames; `run` in a thread of its own.

    Args:
        camera: Where the frames come from.
        watch: Looks at them.
        vitals: Told that they come.
        send: Takes the events that the watch tells.
        wait: Waits for so many seconds; true, and at once, where the table is being shut down.
        opening_s: After so long an opening that still lasts is told.
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
        """Feed the watch until the table is shut down, or a recording has ended."""
        try:
            while not self._wait(0.0):
                self._monitor.camera.beat(CAMERA_PATIENCE_S)
                self._read_frames()
                self._monitor.camera.beat(self._pause_s + CAMERA_PATIENCE_S)
                self._wait(self._pause_s)
                self._pause_s = min(2.0 * self._pause_s, LONGEST_PAUSE_S)
        except EOFError:
            self._monitor.on_recording_ended()

    def _read_frames(self) -> None:
        """Open the camera and look at its frames for as long as it is of use."""
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
        except CameraLostError as error:
            self._send_all(
                self._frame_events.camera_lost(DeviceLost(CAMERA, error.what, error.mend, GONE))
            )
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
        self._send_all(self._frame_events.camera_lost(DeviceLost(CAMERA, what, mend, GONE)))

    def _send_all(self, events: Iterable[Event]) -> None:
        for event in events:
            self._send(event)
