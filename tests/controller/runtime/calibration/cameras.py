# SPDX-License-Identifier: MIT
"""Desks over simulated trays, and a camera that is stubborn about its exposure."""

from __future__ import annotations

from pathlib import Path

from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.frame_source import CameraFrames
from controller.runtime.calibration.session import CalibrationSession
from hardware.camera import Camera, Exposure
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera

MADE_AT = "2026-03-01T19:30:00+00:00"


def tray_camera() -> SimulatedCamera:
    camera = SimulatedCamera(SteppedClock(), seed=1, fps=2)
    camera.open()
    camera.lay_cards()
    return camera


def desk_at(
    camera: Camera, folder: Path, *, under_dome: bool = False
) -> tuple[CalibrationSession, CameraFrames, ActiveCalibration]:
    """Return a desk that has seen a picture, its eye, and what its table reads by."""
    eye, live = CameraFrames(camera), ActiveCalibration(under_dome=under_dome)
    desk = CalibrationSession(folder, eye, live, mains_hz=50, fps=30, now=lambda: MADE_AT)
    eye.next_frame()
    return desk, eye, live


class ChoosyCamera(SimulatedCamera):
    """A camera whose own choice is told, and that takes only what it is given here."""

    def __init__(self, own: Exposure | None, taken: Exposure | None = None) -> None:
        super().__init__(SteppedClock(), seed=1, fps=10)
        self._own = own
        self._taken = taken
        self.asked: list[Exposure | None] = []

    def exposure(self) -> Exposure | None:
        """Return its own choice while left to itself, else what it takes."""
        if self._own is None or not self.asked:
            return self._own
        return self._own if self.asked[-1] is None else (self._taken or self.asked[-1])

    def set_exposure(self, exposure: Exposure | None) -> None:
        self.asked.append(exposure)
        if self._own is not None:
            super().set_exposure(exposure)
