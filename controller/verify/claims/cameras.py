# SPDX-License-Identifier: MIT
"""
The cameras that a journal names, and the frames of its readings.

A simulated camera shows drawn dice, which no hand threw. The size of the frames changes only
after a restart, a calibration or a fault of the camera. Otherwise the frames are from another
camera.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.journal.entries import READ, STARTS
from controller.journal.hashchain import Entry, Value
from controller.verify.findings import Finding, FindingKind

SIMULATED = "simulated"

_MAY_CHANGE_FRAMES = STARTS | {"calibration", "back"}
_MOST_NAMES = 50


class CameraCheck:
    def __init__(self) -> None:
        self.names: list[str] = []  # The cameras that the journal names, in order, each once.
        self._frame: Value = None
        self._has_told_simulated = False

    def check_entry(self, entry: Entry) -> Iterator[Finding]:
        if entry.kind in STARTS:
            yield from self._check_name(entry.body.get("camera"))
        if entry.kind in _MAY_CHANGE_FRAMES:
            self._frame = None
        elif entry.kind in READ and entry.body.get("picture"):
            yield from self._check_frame(entry.body.get("frame_px"))

    def _check_name(self, name: Value) -> Iterator[Finding]:
        if isinstance(name, str) and name not in ("", *self.names[:_MOST_NAMES]):
            self.names = [*self.names, name][:_MOST_NAMES]
        if name == SIMULATED and not self._has_told_simulated:
            self._has_told_simulated = True
            what = "the camera is simulated from here on: nobody threw its dice"
            yield Finding(FindingKind.SIMULATED, what)

    def _check_frame(self, frame: Value) -> Iterator[Finding]:
        if not frame or frame == [0, 0]:
            return
        before, self._frame = self._frame, frame
        if before not in (None, frame):
            what = "the camera's frames have another size, and no entry says that it changed"
            expected, found = _format_size(before), _format_size(frame)
            yield Finding(FindingKind.CAMERA, what, expected=expected, found=found)


def _format_size(frame: Value) -> str:
    return " x ".join(map(str, frame)) if isinstance(frame, list) else str(frame)
