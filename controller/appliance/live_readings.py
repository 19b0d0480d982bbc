# SPDX-License-Identifier: MIT
"""
The reading of the newest picture, and on request a trace of its stages.

The same reader and calibration as the table's read a picture of their own, so the table's rolls
are not affected. A picture is read once, however many pages ask. The pictures of the last trace
are held in memory.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.appliance.views import LiveReadingView, TraceView
from controller.base.errors import BusyError, UnavailableError, refuse_os_errors
from controller.base.languages.message import message
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.page_data import mark_die, mark_doubt, mark_spot
from vision.frame import Frame
from vision.reading import TrayReading
from vision.trace import Trace

TRACE_NAME = "stage"


class LiveReadings:
    """Reads the newest picture; from any thread. `dice_wanted` returns 0 for any number."""

    def __init__(
        self,
        live: ActiveCalibration,
        newest: Callable[[], Frame | None],
        dice_wanted: Callable[[], int],
    ) -> None:
        self._live = live
        self._newest = newest
        self._dice_wanted = dice_wanted
        self._lock = threading.Lock()
        self._tracing = threading.Lock()
        self._read: tuple[Frame, LiveReadingView] | None = None
        self._traces = 0
        self._pictures: dict[str, bytes] = {}

    def read_newest(self) -> LiveReadingView:
        """Read the newest picture; the reading is empty before the first."""
        with self._lock:
            frame = self._newest()
            if frame is None:
                return _view(0, TrayReading(()), is_there=False)
            if self._read is None or self._read[0] is not frame:
                reading = self._live.read(frame.image_bgr, expect=self._dice_wanted() or None)
                self._read = frame, _view(frame.number, reading)
            return self._read[1]

    def make_trace(self) -> TraceView:
        """
        Read the newest picture and keep its stages; InputError if the disk is full.

        BusyError during another trace, UnavailableError before the first picture.
        """
        frame = self._newest()
        if frame is None:
            raise UnavailableError(
                expected=message("a picture"), found=message("none yet. Check the camera.")
            )
        if not self._tracing.acquire(blocking=False):
            raise BusyError(
                expected=message("one trace at a time"),
                found=message("one in progress. Wait for it."),
            )
        try:
            with refuse_os_errors(message("free space for a trace")):
                reading, pictures = self._read_traced(frame)
            self._traces, self._pictures = self._traces + 1, pictures
            number, names = self._traces, list(pictures)
        finally:
            self._tracing.release()
        return {"number": number, "pictures": names, "reading": _view(frame.number, reading)}

    def trace_picture(self, number: int, name: str) -> bytes | None:
        """Return the picture of a stage of this trace as PNG; `None` if there is none."""
        return self._pictures.get(name) if number == self._traces else None

    def _read_traced(self, frame: Frame) -> tuple[TrayReading, dict[str, bytes]]:
        with TemporaryDirectory(prefix="dicebell-trace-") as folder:
            reading = self._live.read(
                frame.image_bgr,
                expect=self._dice_wanted() or None,
                trace=Trace(Path(folder), name=TRACE_NAME),
            )
            files = sorted(Path(folder).glob(f"{TRACE_NAME}-*.png"))
            return reading, {
                file.stem.removeprefix(f"{TRACE_NAME}-"): file.read_bytes() for file in files
            }


def _view(frame: int, reading: TrayReading, *, is_there: bool = True) -> LiveReadingView:
    return {
        "frame": frame,
        "picture_wh": reading.picture_wh,
        "status": reading.status.value if is_there else "",
        "dice": [{**mark_die(die), "confidence": round(die.confidence, 3)} for die in reading.dice],
        "doubts": [mark_doubt(doubt) for doubt in reading.doubts],
        "rejected": [mark_spot("rejected", each.reason, each) for each in reading.rejected],
        "stages": [
            {"stage": each.stage, "ms": round(each.elapsed_ms, 1)} for each in reading.stages
        ],
    }
